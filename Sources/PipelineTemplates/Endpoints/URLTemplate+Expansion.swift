package import PipelineJSONText
internal import PipelineURIs

extension URLTemplate {
  /// The URL to request.
  ///
  /// - Parameter base: The absolute URL that a relative endpoint is appended to, as
  ///   `BaseURL.expand` gives it.
  package func expand(
    base: String?, _ resolve: (Template.Reference) -> JSONNode?
  ) throws(ExpansionError) -> String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity((base?.utf8.count ?? 0) + text.utf8.count + 32)
    try append(to: &bytes, base: base, resolve)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Appends the URL to request in UTF-8. Allocates nothing else unless a value is a string with
  /// escapes.
  package func append(
    to bytes: inout [UInt8], base: String?, _ resolve: (Template.Reference) -> JSONNode?
  ) throws(ExpansionError) {
    var expansion = URLExpansion(segmentStart: bytes.count)
    if isRelative {
      guard let base else {
        throw ExpansionError(
          .noBase, nil, "'\(text)' is not an absolute URL, and no 'baseURL' is set to append it to")
      }
      bytes.append(contentsOf: base.utf8)
      while bytes.last == UInt8(ascii: "/") { bytes.removeLast() }
      bytes.append(UInt8(ascii: "/"))
      expansion.segmentStart = bytes.count
    }
    for piece in pieces {
      try expansion.append(piece, to: &bytes, resolve)
    }
  }
}

/// The state of an expansion: where the segment began, and which reference is in it.
private struct URLExpansion {
  var segmentStart: Int
  var authorityStart: Int?
  var authorityReference: Template.Reference?
  var segmentReference: Template.Reference?

  init(segmentStart: Int) {
    self.segmentStart = segmentStart
  }

  mutating func append(
    _ piece: URLTemplate.Piece, to bytes: inout [UInt8],
    _ resolve: (Template.Reference) -> JSONNode?
  ) throws(ExpansionError) {
    switch piece {
    case .text(let text):
      bytes.append(contentsOf: text.utf8)
    case .path(let text, let firstSlash, let lastSlash):
      let start = bytes.count
      bytes.append(contentsOf: text.utf8)
      if let firstSlash, let lastSlash {
        try endSegment(in: bytes, at: start + firstSlash, isLast: false)
        segmentStart = start + lastSlash + 1
      }
    case .start(let reference, let continuation):
      let start = bytes.count
      try Position.start.append(resolve(reference), of: reference, to: &bytes)
      try check(reference, bytes[start...], before: continuation)
      // One slash between, as after a base URL.
      if continuation == .path, bytes.last == UInt8(ascii: "/") { bytes.removeLast() }
    case .reference(let reference, .path):
      let start = bytes.count
      try Position.path.append(resolve(reference), of: reference, to: &bytes)
      segmentReference = reference
      if reference.isReserved { try endSegments(of: reference, in: bytes, from: start) }
    case .reference(let reference, let position):
      if position == .authority {
        authorityStart = authorityStart ?? bytes.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 }
        authorityReference = reference
      }
      try position.append(resolve(reference), of: reference, to: &bytes)
    case .endOfAuthority:
      try endAuthority(in: bytes)
    case .endOfPath:
      try endSegment(in: bytes, at: bytes.count, isLast: true)
    }
  }

  /// The `/`s that a reserved expansion brought end segments too.
  private mutating func endSegments(
    of reference: Template.Reference, in bytes: [UInt8], from start: Int
  ) throws(ExpansionError) {
    guard !URI.hidesDotSegment(bytes[start...]) else { throw dotSegment(reference) }
    for index in start..<bytes.count where bytes[index] == UInt8(ascii: "/") {
      segmentReference = reference
      try endSegment(in: bytes, at: index, isLast: false)
      segmentStart = index + 1
    }
    segmentReference = reference
  }

  /// Refuses a segment with a value in it that is empty, `.` or `..`. The last may be empty, as in
  /// `/files/{{+folder}}` with `a/b/`.
  private mutating func endSegment(
    in bytes: [UInt8], at end: Int, isLast: Bool
  ) throws(ExpansionError) {
    guard let reference = segmentReference else { return }
    segmentReference = nil
    let segment = bytes[segmentStart..<end]
    if segment.isEmpty, !isLast {
      throw ExpansionError(
        .emptySegment, reference,
        "'\(reference.text)' makes an empty segment, '//', in the URL's path; a value after '/'"
          + " does not begin with '/'")
    }
    if URI.isDotSegment(segment) { throw dotSegment(reference) }
  }

  private func dotSegment(_ reference: Template.Reference) -> ExpansionError {
    ExpansionError(
      .dotSegment, reference,
      "'\(reference.text)' makes a segment '.' or '..' in the URL's path, which would lead to"
        + " another resource")
  }

  private func endAuthority(in bytes: [UInt8]) throws(ExpansionError) {
    guard let reference = authorityReference, let authorityStart else { return }
    let text = String(decoding: bytes[authorityStart...], as: UTF8.self)
    guard let authority = URI.Authority.parse(text[...]), !authority.host.isEmpty else {
      throw ExpansionError(
        .authority, reference, "'\(reference.text)' makes an invalid host or port")
    }
  }

  private func check(
    _ reference: Template.Reference, _ url: ArraySlice<UInt8>,
    before continuation: URLTemplate.Continuation
  ) throws(ExpansionError) {
    let hasFragment = url.contains(UInt8(ascii: "#"))
    let hasQuery = url.contains(UInt8(ascii: "?"))
    let name = reference.text
    switch continuation {
    case .nothing:
      return
    case .path where hasQuery || hasFragment:
      throw ExpansionError(
        .notURL, reference, "'\(name)' has a query or fragment, so no path can follow it")
    case .query where hasQuery || hasFragment:
      throw ExpansionError(
        .notURL, reference,
        "'\(name)' has a query or fragment already, so '?' cannot follow it; write the parameters"
          + " in 'query'")
    case .parameter where !hasQuery || hasFragment:
      throw ExpansionError(
        .notURL, reference,
        "'\(name)' has no query that '&' could continue; write the parameters in 'query'")
    case .path, .query, .parameter:
      return
    }
  }
}

extension URI {
  /// Whether a segment is `.` or `..` as a server may read it: with dots as `%2e`, and without
  /// what follows a `;`.
  static func isDotSegment(_ segment: some Collection<UInt8>) -> Bool {
    guard let first = segment.first, first == UInt8(ascii: ".") || first == UInt8(ascii: "%") else {
      return false
    }
    let name = segment.prefix { $0 != UInt8(ascii: ";") }
    guard (1...6).contains(name.count) else { return false }
    guard let decoded = decodedBytes(name, isStrict: false) else { return false }
    return decoded == [UInt8(ascii: ".")] || decoded == [UInt8(ascii: "."), UInt8(ascii: ".")]
  }

  /// Whether decoding `path` would show a `.` or `..` between slashes, written as `%2F` or `%5C`.
  static func hidesDotSegment(_ path: ArraySlice<UInt8>) -> Bool {
    guard path.contains(UInt8(ascii: "%")), let decoded = decodedBytes(path, isStrict: false) else {
      return false
    }
    return decoded.split(whereSeparator: { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") })
      .contains { isDotSegment($0) }
  }
}
