extension URI {
  /// The target of `reference` seen from this URI, RFC 3986 §5.2.2 (strict).
  ///
  /// Nil if this URI has no scheme or `reference` is not a URI reference. Linear in both texts.
  package func resolving(_ reference: String) -> URI? {
    guard let reference = URI.parse(reference) else { return nil }
    return resolving(reference)
  }

  /// The target of `reference` seen from this URI, or nil if this URI has no scheme.
  package func resolving(_ reference: URI) -> URI? {
    guard scheme != nil else { return nil }
    var target = reference
    if reference.scheme != nil {
      target.path = URI.removingDotSegments(reference.path)
      return target
    }
    target.scheme = scheme
    if reference.authority != nil {
      target.path = URI.removingDotSegments(reference.path)
      return target
    }
    target.authority = authority
    if reference.path.isEmpty {
      target.path = path
      target.query = reference.query ?? query
    } else if reference.path.utf8.first == UInt8(ascii: "/") {
      target.path = URI.removingDotSegments(reference.path)
    } else {
      target.path = URI.removingDotSegments(merging(reference.path))
    }
    return target
  }

  /// RFC 3986 §5.2.3.
  private func merging(_ relative: String) -> String {
    if authority != nil, path.isEmpty { return "/" + relative }
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return relative }
    return path[...slash] + relative
  }

  /// `path` without its `.` and `..` segments, RFC 3986 §5.2.4.
  package static func removingDotSegments(_ path: String) -> String {
    let slash = UInt8(ascii: "/")
    var rest = Substring(path).utf8
    while let prefix = ["../", "./"].first(where: { rest.starts(with: $0.utf8) }) {
      rest = rest.dropFirst(prefix.utf8.count)
    }
    if isDotSegment(rest) { return "" }
    // Each kept segment has its leading slash, except the first one of a rootless path.
    var kept: [Substring.UTF8View] = []
    while let first = rest.first {
      let content = first == slash ? rest.dropFirst() : rest
      let end = content.firstIndex(of: slash) ?? rest.endIndex
      let segment = content[..<end]
      if isDotSegment(segment) {
        if segment.count == 2, !kept.isEmpty { kept.removeLast() }
        if end == rest.endIndex { kept.append(rest.prefix(1)) }
      } else {
        kept.append(rest[..<end])
      }
      rest = rest[end...]
    }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(path.utf8.count)
    for segment in kept { bytes.append(contentsOf: segment) }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func isDotSegment(_ segment: Substring.UTF8View) -> Bool {
    segment.elementsEqual(".".utf8) || segment.elementsEqual("..".utf8)
  }
}
