internal import PipelineByteText

/// How a request of Bruno or of an OpenCollection authenticates its sender.
enum BrunoAuth: Sendable {
  case scheme(ImportedRequest.Auth)
  case header(name: String, value: ForeignText)
  case query(name: String, value: ForeignText)

  /// - Returns: `nil` if the mode is not translated; the report says so.
  init?(
    _ mode: String, _ values: [String: ForeignText], line: Int, _ report: inout ImportReport
  ) {
    func value(_ names: String...) -> ForeignText {
      names.lazy.compactMap { values[$0] }.first ?? ForeignText()
    }
    switch mode {
    case "bearer": self = .scheme(.bearer(value("token")))
    case "basic": self = .scheme(.basic(user: value("username"), password: value("password")))
    case "digest": self = .scheme(.digest(user: value("username"), password: value("password")))
    case "awsv4":
      self = .scheme(
        .awsSigV4(
          service: value("service"), region: value("region"), key: value("accessKeyId"),
          secret: value("secretAccessKey")))
    case "apikey":
      let name = value("key").plain ?? ""
      guard !name.isEmpty else { return nil }
      let place = value("placement").plain ?? "header"
      self =
        place.hasPrefix(bytes: "query")
        ? .query(name: name, value: value("value")) : .header(name: name, value: value("value"))
    case "oauth2":
      report.approximate(
        line, "the token of OAuth 2.0 is a secret input; write 'oauth2' to let the run fetch it")
      self = .scheme(.bearer(ForeignText(parts: [.variable("accessToken")])))
    default:
      report.refuse(line, "the authentication '\(String(mode.prefix(40)))' is not translated")
      return nil
    }
  }

  func apply(to request: inout ImportedRequest) {
    switch self {
    case .scheme(let auth): request.auth = auth
    case .header(let name, let value): request.headers.append((name, value))
    case .query(let name, let value): request.query.append((name, value))
    }
  }
}

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
