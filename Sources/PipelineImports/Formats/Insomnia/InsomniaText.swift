internal import PipelineByteText

/// Texts of Insomnia, which are templates of Nunjucks: `{{ _.host }}` inserts a variable, and
/// `{% response 'body', 'req_1', '$.token' %}` a value of an answer.
struct InsomniaText {
  private var text = ForeignText()
  private let line: Int

  static func read(_ source: String, line: Int, _ report: inout ImportReport) -> ForeignText {
    var reader = InsomniaText(line: line)
    reader.read(source, &report)
    return reader.text
  }

  private init(line: Int) { self.line = line }

  private static let brackets = [("{{", "}}"), ("{%", "%}"), ("{#", "#}")]

  private mutating func read(_ source: String, _ report: inout ImportReport) {
    var rest = Substring(source)
    while let (open, close) = Self.next(in: rest) {
      text.append(.text(String(rest[..<open.lowerBound])))
      // A hyphen takes the blanks beside it away.
      let inside = String(rest[open.upperBound..<close.lowerBound])
      let expression = Self.trimmed(inside)
      switch rest[open] {
      case "{{": insert(expression, &report)
      case "{%": readTag(expression, &report)
      default: break
      }
      rest = rest[close.upperBound...]
    }
    text.append(.text(String(rest)))
  }

  private static func trimmed(_ text: String) -> String {
    var text = Substring(text)
    if text.hasPrefix(bytes: "-") { text = text.dropFirst(bytes: 1) }
    if text.hasSuffix(bytes: "-") { text = text.dropLast(bytes: 1) }
    return String(text).trimmed
  }

  private static func next(
    in text: Substring
  ) -> (open: Range<Substring.Index>, close: Range<Substring.Index>)? {
    let found = brackets.compactMap { open, close in
      text.firstRange(bytes: open).flatMap { start in
        text[start.upperBound...].firstRange(bytes: close).map { (open: start, close: $0) }
      }
    }
    return found.min { $0.open.lowerBound < $1.open.lowerBound }
  }

  private static let nameBytes = ASCIISet.letters.union(.digits).union(ASCIISet("_.-$[]'\""))

  private mutating func insert(_ expression: String, _ report: inout ImportReport) {
    guard !expression.isEmpty, expression.utf8.allSatisfy(Self.nameBytes.contains) else {
      report.refuse(line, "the expression '{{ \(Self.short(expression)) }}' is not translated")
      return
    }
    text.append(.variable(Self.path(expression)))
  }

  /// The way to a variable: `user.name` of `_.user['name']`.
  private static func path(_ expression: String) -> String {
    var path = expression
    for quote in ["'", "\""] {
      path = path.replacing(bytes: "[" + quote, with: ".").replacing(bytes: quote + "]", with: "")
    }
    return path.hasPrefix(bytes: "_.") ? String(path.dropFirst(bytes: 2)) : path
  }

  private static func short(_ text: String) -> String { String(text.unicodeScalars.prefix(60)) }

  // MARK: Tags

  private mutating func readTag(_ tag: String, _ report: inout ImportReport) {
    var cursor = ScriptCursor(tag)
    let name = cursor.takeName() ?? ""
    let arguments = Self.arguments(&cursor)
    switch name {
    case "response": readResponse(arguments, tag, &report)
    case "now" where arguments.isEmpty || arguments[0].hasPrefix(bytes: "iso"):
      text.append(.moment)
    case "uuid", "now", "timestamp", "faker", "random":
      report.approximate(
        line,
        "'{% \(Self.short(tag)) %}' is a new value each time; here it is an input, which you give")
      text.append(.variable(name))
    case "prompt":
      // Its title, a label, a default value.
      text.append(.variable(arguments.first ?? "prompt"))
    default:
      report.refuse(line, "the tag '{% \(Self.short(tag)) %}' is not translated")
    }
  }

  /// The texts and numbers that come next, between commas.
  private static func arguments(_ cursor: inout ScriptCursor) -> [String] {
    var arguments: [String] = []
    repeat {
      if let text = cursor.takeString() {
        arguments.append(decoded(text))
      } else if let literal = cursor.takeLiteral() {
        arguments.append(literal)
      }
    } while cursor.take(",")
    return arguments
  }

  /// A text that is written as `b64::…::46b`.
  private static func decoded(_ text: String) -> String {
    guard text.hasPrefix(bytes: "b64::"), text.hasSuffix(bytes: "::46b"),
      let bytes = Base64.decode(
        inAnyForm: String(text.dropFirst(bytes: 5).dropLast(bytes: 5))),
      let plain = String(validating: bytes, as: UTF8.self)
    else { return text }
    return plain
  }

  private mutating func readResponse(
    _ arguments: [String], _ tag: String, _ report: inout ImportReport
  ) {
    let request = arguments.count > 1 ? arguments[1] : ""
    let filter = arguments.count > 2 ? arguments[2] : ""
    let source: ImportedSource? =
      switch arguments.first ?? "" {
      case "raw": .text
      case "header" where !filter.isEmpty: .header(filter)
      case "body" where filter.hasPrefix(bytes: "$"): .body(filter)
      case "body" where filter.isEmpty: .text
      default: nil
      }
    guard let source, !request.isEmpty else {
      report.refuse(line, "the tag '{% \(Self.short(tag)) %}' is not translated")
      return
    }
    text.append(.answer(request: request, source: source))
  }
}
