internal import PipelineByteText
internal import PipelineJSONPaths

/// What Bruno reads of a response: `res.body.user.id`.
enum BrunoExpression {
  /// - Returns: `nil` if it is something else.
  static func source(_ text: String) -> ImportedSource? {
    var cursor = ScriptCursor(text)
    _ = cursor.take("$")
    if cursor.take("res.body"), let path = cursor.takePath(), cursor.isAtEnd,
      !path.hasSuffix(bytes: length)
    {
      return .body("$" + path)
    }
    cursor = ScriptCursor(text)
    _ = cursor.take("$")
    if cursor.take("res.status"), cursor.isAtEnd { return .status }
    if cursor.take("res.headers"), let name = header(&cursor), cursor.isAtEnd {
      return .header(name)
    }
    return nil
  }

  private static func header(_ cursor: inout ScriptCursor) -> String? {
    if cursor.take("["), let name = cursor.takeString(), cursor.take("]") { return name }
    return cursor.take(".") ? cursor.takeName() : nil
  }

  /// Adds an assertion; `false` if it is not translated.
  static func expect(_ subject: String, _ text: String, _ request: inout ImportedRequest) -> Bool {
    let isLength = subject.hasSuffix(bytes: length)
    let owner = isLength ? String(subject.dropLast(bytes: length.utf8.count)) : subject
    guard let source = source(owner), let operand = operand(source), !text.contains(bytes: "{{")
    else { return false }
    if isLength { return expectLength(of: operand, text, &request) }
    let words = text.split(ascii: " ", maxSplits: 1)
    var word = words.first.map { String($0) } ?? ""
    var rest = String(words.count > 1 ? words[1] : "").trimmed
    if let test = ForeignTest(rawValue: word) {
      request.conditions.append(test.condition(on: operand))
      return true
    }
    // A value alone is an equal one.
    if !operators.contains(word) { (word, rest) = ("eq", text) }
    let isNegated = word.hasPrefix(bytes: "not") && !word.equals(bytes: "notIn")
    let foreign = ForeignOperator(isNegated ? word.dropFirst(bytes: 3) : word[...])
    let list = elements(rest)
    if source == .status, !isNegated, foreign == .equal || foreign == .oneOf {
      let statuses = list.compactMap { Int($0) }
      guard !statuses.isEmpty, statuses.count == list.count else { return false }
      request.allow(statuses)
      return true
    }
    let condition: String? =
      switch (foreign, word) {
      case (.oneOf?, _), (.noneOf?, _): foreign?.condition(on: operand, anyOf: list.map(literal))
      case (let foreign?, _): foreign.condition(on: operand, literal(rest))
      case (nil, "length"): Int(rest).map { "length(\(operand)) == \($0)" }
      case (nil, "between") where list.count == 2:
        "\(operand) >= \(literal(list[0])) && \(operand) <= \(literal(list[1]))"
      default: nil
      }
    guard let condition else { return false }
    request.conditions.append(isNegated ? "!(\(condition))" : condition)
    return true
  }

  /// What JavaScript has for the size of a list or a text, which is not a member of the JSON.
  private static let length = ".length"

  /// Adds a comparison of a size with a number; `false` if it is not translated.
  private static func expectLength(
    of value: String, _ text: String, _ request: inout ImportedRequest
  ) -> Bool {
    let words = text.split(ascii: " ").map { String($0) }
    let comparator = words.count > 1 ? ForeignOperator(words[0])?.comparator : "=="
    guard let comparator, (1...2).contains(words.count), let number = Int(words[words.count - 1])
    else { return false }
    request.conditions.append("length(\(value)) \(comparator) \(number)")
    return true
  }

  private static let operators: Set<String> = [
    "eq", "neq", "lt", "lte", "gt", "gte", "in", "notIn", "contains", "notContains", "length",
    "matches", "notMatches", "startsWith", "endsWith", "between", "isJson", "isArray",
  ]

  /// What a condition compares; `nil` if it cannot.
  private static func operand(_ source: ImportedSource) -> String? {
    switch source {
    case .status: "@.status"
    case .header(let header): "@.headers[\(ScriptCursor.quoted(header.lowercased()))]"
    case .body(let query): "@.body" + query.dropFirst(bytes: 1)
    default: nil
    }
  }

  /// The elements of `[200, 201]` or `200, 201`.
  private static func elements(_ text: String) -> [String] {
    text.split { ",[]".contains($0) }.map { String($0).trimmed }.filter { !$0.isEmpty }
  }

  /// A number, a word or a text, which needs no quotes there.
  private static func literal(_ text: String) -> String {
    var cursor = ScriptCursor(text)
    if let literal = cursor.takeLiteral(), cursor.isAtEnd { return literal }
    return ScriptCursor.quoted(text)
  }
}
