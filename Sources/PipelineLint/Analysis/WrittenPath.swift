import PipelineByteText
import PipelineJSONPaths

/// A read of the scope around a byte of a string, complete or not: `list.total` of
/// `{{list.total}}`, of `$.list.total > 0` and of `{{list.total`.
struct WrittenPath {
  /// From its first name to the end of the name that contains the byte.
  let text: String
  /// The bytes of that name; empty after a `.`.
  let word: Range<Int>
  /// The names before it: `list` of `list.total`; `nil` before the first.
  let owner: String?

  /// `nil` if the byte is not in a template or a query.
  ///
  /// - Parameters:
  ///   - content: The string, without its quotes.
  ///   - readsWhole: Whether `$` begins a query of the scope there.
  init?(_ bytes: [UInt8], in content: Range<Int>, at offset: Int, takesQueries: Bool) {
    guard content.lowerBound <= offset, offset <= content.upperBound else { return nil }
    var start = offset
    while start > content.lowerBound, Self.isPathByte(bytes[start - 1]) { start -= 1 }
    guard
      Self.opensTemplate(bytes, content, before: start)
        || (takesQueries && start > content.lowerBound && bytes[start - 1] == UInt8(ascii: "$"))
    else { return nil }
    var end = offset
    while end < content.upperBound, bytes[end].isNameByte { end += 1 }
    var first = end
    while first > start, bytes[first - 1].isNameByte { first -= 1 }
    // The dot after a query's `$`.
    if start < first, bytes[start] == UInt8(ascii: ".") { start += 1 }
    text = String(decoding: bytes[start..<end], as: UTF8.self)
    word = first..<end
    var ownerEnd = first
    if ownerEnd > start, bytes[ownerEnd - 1] == UInt8(ascii: ".") { ownerEnd -= 1 }
    owner = ownerEnd > start ? String(decoding: bytes[start..<ownerEnd], as: UTF8.self) : nil
  }

  private static func opensTemplate(
    _ bytes: [UInt8], _ content: Range<Int>, before start: Int
  ) -> Bool {
    var index = start
    while index > content.lowerBound,
      bytes[index - 1] == UInt8(ascii: " ") || bytes[index - 1] == UInt8(ascii: "+")
    {
      index -= 1
    }
    return index - 2 >= content.lowerBound && bytes[index - 1] == UInt8(ascii: "{")
      && bytes[index - 2] == UInt8(ascii: "{")
  }

  /// The query of the scope that a path says.
  static func query(_ path: String) -> Query? {
    try? Query.parse("$." + path).get()
  }

  private static func isPathByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "."), UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "'"),
      UInt8(ascii: "*"), UInt8(ascii: "-"):
      true
    default: byte.isNameByte
    }
  }
}
