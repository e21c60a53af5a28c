internal import PipelineByteText

/// What Bruno reads of a response: `res.body.user.id`.
enum BrunoExpression {
  /// - Returns: `nil` if it is something else.
  static func source(_ text: String) -> ImportedSource? {
    var cursor = ScriptCursor(text)
    _ = cursor.take("$")
    if cursor.take("res.body"), let path = cursor.takePath(), cursor.isAtEnd {
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

  private static let comparisons = [
    "eq": "==", "neq": "!=", "gt": ">", "gte": ">=", "lt": "<", "lte": "<=",
  ]

  /// Adds an assertion; `false` if it is not translated.
  static func expect(_ subject: String, _ text: String, _ request: inout ImportedRequest) -> Bool {
    guard let source = source(subject), !text.contains(bytes: "{{") else { return false }
    let words = text.split(ascii: " ", maxSplits: 1)
    let word = words.first.map { String($0) } ?? ""
    let isOperator = comparisons[word] != nil || operators.contains(word)
    let name = isOperator ? word : "eq"
    let rest = isOperator ? String(words.count > 1 ? words[1] : "").trimmed : text
    let operand: String
    switch source {
    case .status: operand = "@.status"
    case .header(let header): operand = "@.headers[\(ScriptCursor.quoted(header.lowercased()))]"
    case .body(let query): operand = "@.body" + query.dropFirst(bytes: 1)
    default: return false
    }
    if case .status = source, name.equals(bytes: "eq"), let status = Int(rest) {
      request.statuses.append(status)
      return true
    }
    if case .status = source, name.equals(bytes: "in") {
      let list = rest.split { " ,[]".contains($0) }.compactMap { Int($0) }
      request.statuses += list
      return !list.isEmpty
    }
    if let comparison = comparisons[name] {
      request.conditions.append("\(operand) \(comparison) \(literal(rest))")
      return true
    }
    let pattern = LiteralPattern.escaped(unquoted(rest))
    switch name {
    case "isDefined": request.conditions.append(operand)
    case "isUndefined": request.conditions.append("!\(operand)")
    case "isNull": request.conditions.append("\(operand) == null")
    case "contains":
      request.conditions.append("search(\(operand), \(ScriptCursor.quoted(pattern)))")
    case "startsWith":
      request.conditions.append("match(\(operand), \(ScriptCursor.quoted(pattern + "(.|\\n)*")))")
    case "endsWith":
      request.conditions.append("match(\(operand), \(ScriptCursor.quoted("(.|\\n)*" + pattern)))")
    case "length":
      guard Int(rest) != nil else { return false }
      request.conditions.append("length(\(operand)) == \(rest)")
    default: return false
    }
    return true
  }

  private static let operators: Set<String> = [
    "in", "notIn", "contains", "notContains", "length", "matches", "notMatches", "startsWith",
    "endsWith", "between", "isEmpty", "isNotEmpty", "isNull", "isUndefined", "isDefined",
    "isTruthy", "isFalsy", "isJson", "isNumber", "isString", "isBoolean", "isArray",
  ]

  private static func unquoted(_ text: String) -> String {
    var cursor = ScriptCursor(text)
    return cursor.takeString() ?? text
  }

  /// A number, a word or a text, which needs no quotes there.
  private static func literal(_ text: String) -> String {
    var cursor = ScriptCursor(text)
    if let literal = cursor.takeLiteral(), cursor.isAtEnd { return literal }
    return ScriptCursor.quoted(text)
  }
}
