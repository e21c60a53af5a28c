internal import PipelineByteText

/// The name of an origin in the files that runs share.
///
/// A host may hold a secret, which can be too short to be searched for. So a file has a digest in
/// its place, by which all runs find the same entry.
enum StoredOrigin {
  /// - Parameter origin: As in `https://api.example.com`, or a name that this function returned.
  static func name(_ origin: String) -> String {
    guard origin.contains(bytes: "://") else { return origin }
    return Hexadecimal.encode(SHA256.hash(Array(origin.utf8)).prefix(16))
  }
}
