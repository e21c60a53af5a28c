internal import PipelineByteText

extension XMLReader {
  /// The document in UTF-8.
  static func decoded(
    _ bytes: [UInt8], _ charset: Charset?
  ) throws(FormatProblem) -> [UInt8] {
    let marked = Charset.marked(bytes)
    var charset = marked?.charset ?? charset
    if charset == nil, let label = declaredEncoding(bytes) {
      guard let declared = Charset(label: label) else {
        throw FormatProblem("the encoding '\(label.prefix(40))' cannot be read", line: 1, column: 1)
      }
      // A declaration that can be read as ASCII is not in UTF-16.
      charset = declared == .windows1252 ? declared : .utf8
    }
    if charset ?? .utf8 == .utf8 { return marked.map { Array(bytes[$0.length...]) } ?? bytes }
    var decoder = TextDecoder(charset ?? .utf8)
    return try decoder.decode(bytes, isLast: true)
  }

  /// The `encoding` of the declaration.
  private static func declaredEncoding(_ bytes: [UInt8]) -> String? {
    guard bytes.starts(with: Array("<?xml".utf8)), let end = bytes.firstIndex(of: 0x3E) else {
      return nil
    }
    let declaration = String(decoding: bytes[..<end], as: UTF8.self)
    guard let range = declaration.firstRange(bytes: "encoding") else { return nil }
    let rest = declaration[range.upperBound...].utf8
    guard let first = rest.firstIndex(where: { $0 == 0x22 || $0 == 0x27 }) else { return nil }
    let value = rest[rest.index(after: first)...].prefix { $0 != rest[first] }
    return String(Substring(value))
  }
}
