// The target's first file; replaced as soon as the first type stands.
