internal import PipelineByteText
internal import PipelineJSONPaths

/// The assertions of an entry as conditions.
struct HurlAssert {
  private let text: String
  private let line: Int
  /// What the captures of the entry take, by their names.
  private let captures: [String: ImportedSource]

  /// Adds what an assertion says to `request`, or reports why it is not translated.
  static func read(
    _ text: String, line: Int, into request: inout ImportedRequest, _ report: inout ImportReport
  ) {
    let captures = request.sets.reduce(into: [:]) { $0[$1.variable] = $1.source }
    let assert = HurlAssert(text: text, line: line, captures: captures)
    var cursor = ScriptCursor(text)
    guard !assert.read(&cursor, &request, &report) else { return }
    report.refuse(
      line,
      "the assertion '\(String(text.unicodeScalars.prefix(60)))' is not translated; write 'expect'")
  }

  private func read(
    _ cursor: inout ScriptCursor, _ request: inout ImportedRequest, _ report: inout ImportReport
  ) -> Bool {
    if cursor.take("duration") {
      guard let word = cursor.takeSign()?.comparator, let value = cursor.takeLiteral(),
        let milliseconds = Double(value), cursor.isAtEnd
      else { return false }
      request.conditions.append("@.elapsed \(word) \(milliseconds / 1000)")
      return true
    }
    guard let source = takeSource(&cursor) else { return false }
    if case .status = source {
      var look = cursor
      if look.take("=="), let status = look.takeLiteral().flatMap({ Int($0) }), look.isAtEnd {
        request.statuses = [status]
        request.acceptsAnyStatus = false
        return true
      }
    }
    guard let subject = subject(source) else { return false }
    let isNegated = cursor.take("not")
    guard
      let condition = condition(on: subject, &cursor, &report),
      cursor.isAtEnd
    else { return false }
    let whole = isNegated ? negated(condition) : condition
    guard case .success = Condition.parse(Self.plain(whole), in: .template) else { return false }
    if whole.plain != nil {
      request.conditions.append(whole.plain ?? "")
    } else {
      request.variableConditions.append(whole)
    }
    return true
  }

  private func negated(_ condition: ForeignText) -> ForeignText {
    if let plain = condition.plain, !plain.contains(bytes: " ") {
      return ForeignText(plain: "!" + plain)
    }
    return ForeignText(parts: [.text("!(")] + condition.parts + [.text(")")])
  }

  /// A condition with some value in place of each variable, for a look at its grammar.
  private static func plain(_ text: ForeignText) -> String {
    text.parts.map { part in
      if case .text(let text) = part { text } else { "{{value}}" }
    }.joined()
  }

  // MARK: Subjects

  /// What is looked at. A variable that the entry has captured is its source.
  private func takeSource(_ cursor: inout ScriptCursor) -> ImportedSource? {
    if cursor.take("variable") {
      return cursor.takeString().flatMap { captures[$0] }
    }
    return HurlQuery.take(&cursor)
  }

  /// What a condition compares.
  private struct Subject {
    let query: String
    /// Whether it selects at most one value.
    let isSingular: Bool
  }

  private func subject(_ source: ImportedSource) -> Subject? {
    switch source {
    case .body(let query):
      let isSingular = !["*", "..", "?", ":", ",", "{{"].contains { query.contains(bytes: $0) }
      return query.contains(bytes: "{{")
        ? nil : Subject(query: "@.body" + query.dropFirst(bytes: 1), isSingular: isSingular)
    case .header(let name):
      return Subject(
        query: "@.headers[\(ScriptCursor.quoted(name.lowercased()))]", isSingular: true)
    case .cookie(let name):
      // An attribute of a cookie, such as `sid[Path]`, is not kept.
      let plain =
        name.hasSuffix(bytes: "[Value]")
        ? String(name.dropLast(bytes: "[Value]".utf8.count)) : name
      return plain.contains(bytes: "[")
        ? nil : Subject(query: "@.cookies[\(ScriptCursor.quoted(plain))]", isSingular: true)
    case .status: return Subject(query: "@.status", isSingular: true)
    case .text: return Subject(query: "@.text", isSingular: true)
    default: return nil
    }
  }

  // MARK: Predicates

  /// The filters and the predicate of an assertion; `nil` if they have no counterpart.
  private func condition(
    on subject: Subject, _ cursor: inout ScriptCursor, _ report: inout ImportReport
  ) -> ForeignText? {
    let query = subject.query
    if cursor.take("exists") { return ForeignText(plain: query) }
    if cursor.take("count") {
      let count = subject.isSingular ? "length(\(query))" : "count(\(query))"
      return comparison(of: count, &cursor, &report)
    }
    for (word, index) in [("first", "[0]"), ("last", "[-1]")] where cursor.take(word) {
      guard subject.isSingular else { return nil }
      return comparison(of: query + index, &cursor, &report)
    }
    if cursor.take("nth") {
      guard subject.isSingular, let index = cursor.takeLiteral().flatMap({ Int($0) }) else {
        return nil
      }
      return comparison(of: "\(query)[\(index)]", &cursor, &report)
    }
    if cursor.take("isEmpty") {
      return ForeignText(
        plain: subject.isSingular ? "length(\(query)) == 0" : "count(\(query)) == 0")
    }
    if cursor.takeAny(["contains", "includes"]) != nil { return contains(subject, &cursor) }
    guard subject.isSingular else { return nil }
    var look = cursor
    let word = look.takeName() ?? ""
    if let test = ForeignTest(rawValue: word) {
      cursor = look
      return ForeignText(plain: test.condition(on: query))
    }
    guard let foreign = ForeignOperator(word) else {
      return comparison(of: query, &cursor, &report)
    }
    cursor = look
    guard let value = foreign == .matches ? cursor.takePattern() : cursor.takeLiteral(),
      !value.contains(bytes: "{{")
    else { return nil }
    return foreign.condition(on: query, value).map { ForeignText(plain: $0) }
  }

  /// A text contains a text, and a list an element.
  private func contains(_ subject: Subject, _ cursor: inout ScriptCursor) -> ForeignText? {
    guard let literal = cursor.takeLiteral(), !literal.contains(bytes: "{{") else { return nil }
    guard !subject.isSingular else {
      return ForeignOperator.contains.condition(on: subject.query, literal)
        .map { ForeignText(plain: $0) }
    }
    // The last star is the list whose elements are looked at.
    guard let star = subject.query.lastIndex(ascii: "*") else { return nil }
    let before = subject.query[..<star]
    let after = subject.query[star...].dropFirst(bytes: 1)
    guard before.hasSuffix(bytes: "["), after.hasPrefix(bytes: "]"),
      !before.contains(bytes: "*"), !before.contains(bytes: "?")
    else { return nil }
    return ForeignText(plain: "\(before)?@\(after.dropFirst(bytes: 1)) == \(literal)]")
  }

  /// A comparison with a literal or with a variable.
  private func comparison(
    of operand: String, _ cursor: inout ScriptCursor, _ report: inout ImportReport
  ) -> ForeignText? {
    guard let word = cursor.takeSign()?.comparator else { return nil }
    let rest = String(cursor.rest).trimmed
    // `{{x}}`, also in quotes: a template has none, and is compared as a value.
    let inside =
      ["\"", "`"].first { rest.hasPrefix(bytes: $0) && rest.hasSuffix(bytes: $0) }
      .map { _ in String(rest.dropFirst(bytes: 1).dropLast(bytes: 1)) } ?? rest
    if inside.hasPrefix(bytes: "{{"), inside.hasSuffix(bytes: "}}"),
      inside.firstRange(bytes: "}}")?.upperBound == inside.endIndex
    {
      let name = String(inside.dropFirst(bytes: 2).dropLast(bytes: 2)).trimmed
      _ = cursor.take(rest)
      // What the entry captures itself is read as the response has it.
      if let own = captures[name] {
        guard let other = subject(own), other.isSingular else { return nil }
        return ForeignText(plain: "\(operand) \(word) \(other.query)")
      }
      return ForeignText(parts: [.text("\(operand) \(word) ")])
        .appending(ForeignText(inside, line: line, &report))
    }
    if rest.hasPrefix(bytes: "`"), rest.hasSuffix(bytes: "`"), !inside.contains(bytes: "{{") {
      _ = cursor.take(rest)
      return ForeignText(plain: "\(operand) \(word) \(ScriptCursor.quoted(inside))")
    }
    guard !rest.contains(bytes: "{{"), let value = cursor.takeLiteral() else { return nil }
    return ForeignText(plain: "\(operand) \(word) \(value)")
  }
}

extension ForeignText {
  fileprivate func appending(_ other: ForeignText) -> ForeignText {
    var result = self
    result.append(other)
    return result
  }
}
