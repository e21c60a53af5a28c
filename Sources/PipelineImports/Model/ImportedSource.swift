internal import PipelineByteText
internal import PipelineJSONText

/// Where a value is in a response.
package indirect enum ImportedSource: Sendable, Hashable {
  /// A query of the body (RFC 9535).
  case body(String)
  case header(String)
  case cookie(String)
  case status
  /// The URL of the response.
  case url
  /// The whole body as text.
  case text
  /// The name of a member of an object in the body, by its position.
  case key(of: String, index: Int)
  /// A parameter of a URL.
  case parameter(String, of: ImportedSource)
  /// What the first group of a pattern matches.
  case match(String, of: ImportedSource)

  /// A word for a value from here: the last name of its query, or the header.
  var word: String {
    switch self {
    case .body(let query):
      return query.split(ascii: ".").last?.split(ascii: "[").first.map(String.init) ?? "body"
    case .header(let name), .cookie(let name): return name
    case .status: return "status"
    case .url: return "url"
    case .text: return "text"
    case .key(let path, _): return ImportedSource.body(path).word
    case .parameter(let name, _): return name
    case .match(_, let source) where source.header != nil: return "id"
    case .match(let pattern, _):
      // The name of a field of a form, or the one before the value in a text.
      let start = Self.fieldName(in: Array(pattern.utf8)) ?? 0
      let name = pattern.utf8.dropFirst(start).prefix(while: Self.nameBytes.contains)
      return name.isEmpty ? "value" : String(Substring(name))
    }
  }

  /// Where the value of an attribute `name` begins in a pattern; `nil` if there is none.
  private static func fieldName(in pattern: [UInt8]) -> Int? {
    let word = Array("name".utf8)
    for start in pattern.indices where pattern[start...].starts(with: word, by: { $0 | 0x20 == $1 })
    {
      if start > 0, nameBytes.contains(pattern[start - 1]) { continue }
      let end = pattern[(start + 4)...].drop { $0 <= 0x20 }
      if end.first == UInt8(ascii: "=") {
        return end.dropFirst().drop { $0 <= 0x20 || "\"'".utf8.contains($0) }.startIndex
      }
    }
    return nil
  }

  /// A word for a list of values from here.
  var plural: String {
    let word = word
    if word.hasSuffix(bytes: "s"), !word.hasSuffix(bytes: "ss") { return word }
    if word.hasSuffix(bytes: "y"),
      !["ay", "ey", "oy", "uy"].contains(where: word.hasSuffix(bytes:))
    {
      return word.dropLast(bytes: 1) + "ies"
    }
    return word + (["ss", "x", "ch", "sh"].contains(where: word.hasSuffix(bytes:)) ? "es" : "s")
  }

  private static let nameBytes = ASCIISet.letters.union(.digits).union(ASCIISet("_"))

  /// Where the value is before a parameter or a match is taken of it.
  var base: ImportedSource {
    switch self {
    case .parameter(_, let source), .match(_, let source): source.base
    default: self
    }
  }

  /// The header that it is in; `nil` if it is elsewhere.
  var header: String? {
    switch base {
    case .header(let name): name
    case .cookie: "Set-Cookie"
    default: nil
    }
  }

  /// Where it is, for people.
  var title: String {
    switch self {
    case .body(let query): query
    case .header(let name): "header '\(name)'"
    case .cookie(let name): "cookie '\(name)'"
    case .status: "status"
    case .url: "URL"
    case .text: "body"
    case .key(let path, let index): "\(path), name of member \(index)"
    case .parameter(let name, let source): "\(source.title), parameter '\(name)'"
    case .match(let pattern, let source): "\(source.title), pattern \(pattern)"
    }
  }

  /// The members of an extractor.
  var members: [JSONValue.Member] {
    switch self {
    case .body(let query): [.init("body", .string(query))]
    case .header(let name): [.init("header", .string(name))]
    case .cookie(let name): [.init("cookie", .string(name))]
    case .status: [.init("status", true)]
    case .url: [.init("url", true)]
    case .text: [.init("text", true)]
    // The object whose names a step takes.
    case .key(let path, _): [.init("body", .string(path))]
    case .parameter(let name, let source): source.members + [.init("param", .string(name))]
    // A pattern alone searches the body's text.
    case .match(let pattern, .text): [.init("regex", .string(pattern))]
    case .match(let pattern, let source): source.members + [.init("regex", .string(pattern))]
    }
  }
}
