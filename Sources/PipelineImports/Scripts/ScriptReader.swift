internal import PipelineByteText
internal import PipelineJSONPaths

/// Recognises what scripts of other tools do most: keep a value of the response, and check it.
struct ScriptReader {
  /// The names that stand for a part of the body: `const data = pm.response.json().data`.
  private var locals: [String: String] = [:]

  /// What can be compared.
  private enum Operand {
    case status
    case elapsed
    case header(String)
    case body(String)
    /// `.length` of a part of the body: of a list its elements, of a text its characters.
    case length(String)

    var query: String {
      switch self {
      case .status: "@.status"
      case .elapsed: "@.elapsed"
      case .header(let name): "@.headers[\(ScriptCursor.quoted(name.lowercased()))]"
      case .body(let path): "@.body" + path
      case .length(let path): "length(@.body\(path))"
      }
    }
  }

  private static let setters = [
    "pm.environment.set(", "pm.collectionVariables.set(", "pm.globals.set(", "pm.variables.set(",
    "pm.baseEnvironment.set(", "postman.setEnvironmentVariable(", "postman.setGlobalVariable(",
    "client.global.set(", "bru.setVar(", "bru.setEnvVar(", "bru.setGlobalEnvVar(",
  ]

  /// Adds what a script says to `request`, and reports the rest.
  ///
  /// - Parameter line: The line of each line of the script.
  mutating func read(
    _ script: String, into request: inout ImportedRequest, line: (Int) -> Int,
    _ report: inout ImportReport
  ) {
    for statement in ScriptStatements(script).statements {
      guard !statement.isCertain || !read(statement.text, &request) else { continue }
      if statement.isLog { continue }
      let text = statement.text.unicodeScalars.prefix(60)
      report.refuse(
        line(statement.line),
        "the script's '\(String(text))' is not translated; write 'extract' or 'expect' instead")
    }
  }

  private mutating func read(_ text: String, _ request: inout ImportedRequest) -> Bool {
    var cursor = ScriptCursor(Self.inWordsOfPostman(text))
    if cursor.takeAny(["var ", "let ", "const "]) != nil { return declare(&cursor) }
    if cursor.takeAny(Self.setters) != nil { return set(&cursor, &request) }
    var look = cursor
    if look.take("if"), look.take("("), let path = takeBody(&look), look.take(")"),
      look.takeAny(Self.setters) != nil
    {
      return setIfThere(path, &look, &request)
    }
    if cursor.take("pm.response.to.") { return expectResponse(&cursor, &request) }
    if cursor.take("pm.expect(") || cursor.take("expect(") { return expect(&cursor, &request) }
    if cursor.take("tests[") {
      guard cursor.takeString() != nil, cursor.take("]"), cursor.take("=") else { return false }
      return compare(&cursor, &request)
    }
    if cursor.take("client.assert(") { return compare(&cursor, &request) }
    return false
  }

  /// A statement of Insomnia, whose object is Postman's under another name.
  private static func inWordsOfPostman(_ text: String) -> String {
    guard text.contains(bytes: "insomnia.") else { return text }
    var result = ""
    var rest = Substring(text)
    while let scalar = rest.unicodeScalars.first {
      var end = rest.unicodeScalars.index(after: rest.startIndex)
      if ["\"", "'", "`"].contains(scalar) {
        var cursor = ScriptCursor(rest)
        if cursor.takeString() != nil { end = cursor.rest.startIndex }
      } else if rest.hasPrefix(bytes: "insomnia.") {
        result += "pm."
        rest = rest.dropFirst(bytes: 9)
        continue
      }
      result += rest[..<end]
      rest = rest[end...]
    }
    return result
  }

  private mutating func declare(_ cursor: inout ScriptCursor) -> Bool {
    guard let name = cursor.takeName(), cursor.take("="), let path = takeBody(&cursor),
      cursor.isAtEnd
    else { return false }
    locals[name] = path
    return true
  }

  // MARK: Values

  private static let bodies = [
    "pm.response.json()", "JSON.parse(responseBody)", "JSON.parse(pm.response.text())",
    "response.body", "responseJson", "res.getBody()", "res.body",
  ]

  /// Takes a place in the body, as a path of a query.
  private func takeBody(_ cursor: inout ScriptCursor) -> String? {
    if cursor.takeAny(Self.bodies) != nil { return cursor.takePath() }
    var look = cursor
    guard let name = look.takeName(), let start = locals[name], let path = look.takePath() else {
      return nil
    }
    cursor = look
    return start + path
  }

  private func takeHeader(_ cursor: inout ScriptCursor) -> String? {
    let getters = [
      "pm.response.headers.get(", "postman.getResponseHeader(", "response.headers.valueOf(",
      "res.getHeader(",
    ]
    guard cursor.takeAny(getters) != nil, let name = cursor.takeString(), cursor.take(")") else {
      return nil
    }
    return name
  }

  private func takeOperand(_ cursor: inout ScriptCursor) -> Operand? {
    if cursor.takeAny([
      "pm.response.code", "responseCode.code", "response.status", "res.getStatus()", "res.status",
    ]) != nil {
      return .status
    }
    if cursor.takeAny([
      "pm.response.responseTime", "responseTime", "res.getResponseTime()", "res.responseTime",
    ]) != nil {
      return .elapsed
    }
    if let name = takeHeader(&cursor) { return .header(name) }
    return takeBody(&cursor).map { path in
      path.hasSuffix(bytes: Self.length)
        ? .length(String(path.dropLast(bytes: Self.length.utf8.count))) : .body(path)
    }
  }

  /// What JavaScript has for the size of a list or a text, which is not a member of the JSON.
  private static let length = ".length"

  private func set(_ cursor: inout ScriptCursor, _ request: inout ImportedRequest) -> Bool {
    guard let name = cursor.takeString(), cursor.take(",") else { return false }
    let source: ImportedSource
    if let header = takeHeader(&cursor) {
      source = .header(header)
    } else if let path = takeBody(&cursor), !path.hasSuffix(bytes: Self.length) {
      source = .body("$" + path)
    } else if cursor.take("pm.cookies.get("), let cookie = cursor.takeString(), cursor.take(")") {
      source = .cookie(cookie)
    } else {
      return false
    }
    guard cursor.take(")"), cursor.isAtEnd else { return false }
    request.sets.append((name, source))
    return true
  }

  /// `if (data.token) pm.environment.set("token", data.token)`: a value that may be missing.
  private func setIfThere(
    _ path: String, _ cursor: inout ScriptCursor, _ request: inout ImportedRequest
  ) -> Bool {
    let count = request.sets.count
    guard set(&cursor, &request), let last = request.sets.last else { return false }
    guard last.source == .body("$" + path) else {
      request.sets.removeSubrange(count...)
      return false
    }
    request.optionalSources.append(last.source)
    return true
  }

  // MARK: Checks

  /// What comes after `pm.response.to.`.
  private func expectResponse(
    _ cursor: inout ScriptCursor, _ request: inout ImportedRequest
  ) -> Bool {
    if cursor.take("have.status(") {
      guard let number = cursor.takeLiteral().flatMap({ Int($0) }), cursor.take(")") else {
        return false
      }
      request.allow([number])
      return cursor.isAtEnd
    }
    if cursor.take("be.success") { return cursor.isAtEnd }
    if let word = cursor.takeAny(Array(Self.statuses.keys)), let status = Self.statuses[word] {
      request.allow([status])
      return cursor.isAtEnd
    }
    if cursor.takeAny(["be.json", "have.jsonBody()"]) != nil {
      request.contentType = "application/json"
      return cursor.isAtEnd
    }
    guard cursor.take("have.header("), let name = cursor.takeString() else { return false }
    let header = Operand.header(name).query
    if cursor.take(")"), cursor.isAtEnd {
      request.conditions.append(header)
      return true
    }
    guard cursor.take(","), let value = cursor.takeLiteral(), cursor.take(")") else { return false }
    request.conditions.append("\(header) == \(value)")
    return cursor.isAtEnd
  }

  /// The words of Postman for single statuses.
  private static let statuses = [
    "be.ok": 200, "be.accepted": 202, "be.badRequest": 400, "be.unauthorized": 401,
    "be.forbidden": 403, "be.notFound": 404, "be.rateLimited": 429,
  ]

  /// Words that only make a chain read well.
  private static let chain = [
    "to.", "be.", "been.", "have.", "has.", "deep.", "that.", "which.", "and.", "is.", "at.",
  ]

  /// What comes after `pm.expect(`.
  private func expect(_ cursor: inout ScriptCursor, _ request: inout ImportedRequest) -> Bool {
    guard let operand = takeOperand(&cursor) else { return false }
    if cursor.take(",") { guard cursor.takeString() != nil else { return false } }
    guard cursor.take(")") else { return false }
    guard cursor.take(".") else { return false }
    var isNegated = false
    while let word = cursor.takeAny(Self.chain + ["not."]) {
      if word.equals(bytes: "not.") { isNegated = true }
    }
    if cursor.take("property("), !isNegated { return property(of: operand, &cursor, &request) }
    if cursor.take("oneOf(["), !isNegated { return oneOf(operand, &cursor, &request) }
    if let word = cursor.takeAny(["true", "false", "null"]), cursor.isAtEnd {
      request.conditions.append("\(operand.query) \(isNegated ? "!=" : "==") \(word)")
      return true
    }
    if case .length = operand {
      // A test of a value alone would ask whether a number is there.
      return compareLength(operand, isNegated, &cursor, &request)
    }
    if let test = takeTest(&cursor) {
      let condition = test.condition(on: operand.query)
      request.conditions.append(isNegated ? "!(\(condition))" : condition)
      return cursor.isAtEnd
    }
    guard let word = cursor.takeName(), let foreign = ForeignOperator(word), cursor.take("("),
      let value = foreign == .matches ? cursor.takePattern() : cursor.takeLiteral(),
      cursor.take(")"), cursor.isAtEnd
    else { return false }
    switch foreign {
    case _ where !isNegated: return add(operand, foreign, value, &request)
    case .equal: return add(operand, .notEqual, value, &request)
    default:
      guard let condition = foreign.condition(on: operand.query, value) else { return false }
      request.conditions.append("!(\(condition))")
      return true
    }
  }

  private func compareLength(
    _ length: Operand, _ isNegated: Bool, _ cursor: inout ScriptCursor,
    _ request: inout ImportedRequest
  ) -> Bool {
    guard let word = cursor.takeName(), let foreign = ForeignOperator(word), cursor.take("("),
      let value = cursor.takeLiteral(), cursor.take(")"), cursor.isAtEnd,
      let condition = foreign.condition(on: length.query, value)
    else { return false }
    request.conditions.append(isNegated ? "!(\(condition))" : condition)
    return true
  }

  private func property(
    of operand: Operand, _ cursor: inout ScriptCursor, _ request: inout ImportedRequest
  ) -> Bool {
    guard let name = cursor.takeString() else { return false }
    let query = operand.query + "[" + ScriptCursor.quoted(name) + "]"
    if cursor.take(",") {
      guard let value = cursor.takeLiteral(), cursor.take(")"), cursor.isAtEnd else { return false }
      request.conditions.append("\(query) == \(value)")
      return true
    }
    guard cursor.take(")") else { return false }
    if cursor.isAtEnd {
      request.conditions.append(query)
      return true
    }
    guard cursor.take(".") else { return false }
    while cursor.takeAny(Self.chain) != nil {}
    guard let word = cursor.takeName(), ForeignOperator(word) == .equal, cursor.take("("),
      let value = cursor.takeLiteral(), cursor.take(")"), cursor.isAtEnd
    else { return false }
    request.conditions.append("\(query) == \(value)")
    return true
  }

  /// What a chain asks about a value alone: `ok`, `a('string')`.
  private func takeTest(_ cursor: inout ScriptCursor) -> ForeignTest? {
    var look = cursor
    if look.takeAny(["an(", "a("]) != nil {
      let types: [String: ForeignTest] = [
        "string": .isString, "number": .isNumber, "boolean": .isBoolean,
      ]
      guard let type = look.takeString(), let test = types[type.lowercased()], look.take(")") else {
        return nil
      }
      cursor = look
      return test
    }
    let words: [String: ForeignTest] = [
      "ok": .isTruthy, "exist": .isDefined, "undefined": .isUndefined, "empty": .isEmpty,
    ]
    guard let word = look.takeName(), let test = words[word] else { return nil }
    cursor = look
    return test
  }

  /// The elements of a list, up to its bracket.
  private func oneOf(
    _ operand: Operand, _ cursor: inout ScriptCursor, _ request: inout ImportedRequest
  ) -> Bool {
    var values: [String] = []
    repeat {
      guard let value = cursor.takeLiteral() else { return false }
      values.append(value)
    } while cursor.take(",")
    guard cursor.take("])"), cursor.isAtEnd else { return false }
    if case .status = operand {
      let statuses = values.compactMap { Int($0) }
      guard statuses.count == values.count else { return false }
      request.allow(statuses)
      return true
    }
    guard let condition = ForeignOperator.oneOf.condition(on: operand.query, anyOf: values) else {
      return false
    }
    request.conditions.append(condition)
    return true
  }

  /// A comparison as JavaScript writes it, up to the end of a call or of the statement.
  private func compare(_ cursor: inout ScriptCursor, _ request: inout ImportedRequest) -> Bool {
    let isInParentheses = cursor.take("(")
    guard let operand = takeOperand(&cursor), let foreign = cursor.takeSign(),
      let value = cursor.takeLiteral()
    else { return false }
    if isInParentheses { guard cursor.take(")") else { return false } }
    if cursor.take(",") { guard cursor.takeString() != nil else { return false } }
    _ = cursor.take(")")
    return cursor.isAtEnd && add(operand, foreign, value, &request)
  }

  /// Adds a check; `false` if there is no condition for it.
  private func add(
    _ operand: Operand, _ foreign: ForeignOperator, _ value: String,
    _ request: inout ImportedRequest
  ) -> Bool {
    if case .status = operand, foreign == .equal, let status = Int(value) {
      request.allow([status])
      return true
    }
    var value = value
    if case .elapsed = operand, let milliseconds = Double(value) {
      value = "\(milliseconds / 1000)"
    }
    guard let condition = foreign.condition(on: operand.query, value) else { return false }
    request.conditions.append(condition)
    return true
  }
}
