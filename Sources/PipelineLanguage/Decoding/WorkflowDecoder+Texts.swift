import PipelineByteText
import PipelineJSONPaths
package import PipelineJSONText
package import PipelineSourceText
import PipelineTemplates

extension WorkflowDecoder {
  /// A string that may hold `{{…}}`.
  mutating func template(
    _ node: JSONNode?, _ name: String, allowsEmpty: Bool = true
  ) -> Written<Template>? {
    guard let node, let text = text(node, name, allowsEmpty: allowsEmpty) else { return nil }
    let (template, problems) = Template.parse(text)
    report(problems, in: node)
    report(template.foreignTemplates, .warning, in: node)
    return Written(template, at: node)
  }

  /// A query of the response's body.
  mutating func bodyQuery(_ node: JSONNode?, _ name: String) -> Written<Query>? {
    guard let node, let text = queryText(node, name) else { return nil }
    if let meant = Self.bodyQuery(meantBy: text) {
      incomplete.insert(node.index)
      report(
        .query, "a query of the body begins with '$'; write '\(meant)'", at: node.range,
        fix: Self.fix(meant, for: 0..<text.utf8.count, in: node))
      return nil
    }
    if let (counted, meant) = Self.counting(text) {
      incomplete.insert(node.index)
      report(
        .query,
        "a query selects and does not count; write '\(meant)' here, and"
          + " {\"$count\": …} where the \(counted) is needed", at: node.range,
        fix: Self.fix(meant, for: 0..<text.utf8.count, in: node, isSafe: false))
      return nil
    }
    if let meant = Self.barePath(text) {
      incomplete.insert(node.index)
      report(
        .query, "a query of the body begins with '$'; write '\(meant)'", at: node.range,
        fix: Self.fix(meant, for: 0..<text.utf8.count, in: node, isSafe: false))
      return nil
    }
    if text.utf8.first == UInt8(ascii: "."), text.contains(bytes: " | ") {
      incomplete.insert(node.index)
      let meant = Self.selection(text)
      report(
        .query,
        "this is jq; a query selects and does not compute: write"
          + " '\(meant ?? "$.data[?@.id > 3]")'\(meant == nil ? " for a filter" : "")",
        at: node.range,
        fix: meant.flatMap { Self.fix($0, for: 0..<text.utf8.count, in: node, isSafe: false) })
      return nil
    }
    if let known = queries[text] { return Written(known, at: node) }
    guard let query = query(text, at: node) else { return nil }
    queries[text] = query
    return Written(query, at: node)
  }

  /// The query that is meant by one of a response, as conditions and other tools have it: `@.body.id`,
  /// `response.body.id`, and jq's `.data[].id`.
  static func bodyQuery(meantBy text: String) -> String? {
    guard text.utf8.first != UInt8(ascii: "$") else { return nil }
    let heads = [
      "@.body", "@", "response.body", "response.data", "response.json", "res.body", "body",
      "$response.body", "",
    ]
    for head in heads where text.hasPrefix(bytes: head) {
      let rest = text.dropFirst(bytes: head.utf8.count)
      guard rest.utf8.first == UInt8(ascii: ".") || rest.utf8.first == UInt8(ascii: "["),
        !rest.hasPrefix(bytes: ".[")
      else { continue }
      let query = "$" + String(rest).replacing(bytes: "[]", with: "[*]")
      if case .success = Query.parse(query, in: .template) { return query }
    }
    return nil
  }

  /// The query for jq's `.data[] | select(.id > 3) | .name`.
  private static func selection(_ text: String) -> String? {
    let parts = text.split(bytes: " | ")
    guard (2...3).contains(parts.count), let list = bodyQuery(meantBy: parts[0]),
      list.hasSuffix(bytes: "[*]"), parts[1].hasPrefix(bytes: "select("),
      parts[1].hasSuffix(bytes: ")")
    else { return nil }
    let test = parts[1].dropFirst(bytes: 7).dropLast(bytes: 1)
    guard test.hasPrefix(bytes: "."), !test.contains(bytes: "\"") || !test.contains(bytes: "'")
    else {
      return nil
    }
    let rest = parts.count == 3 ? parts[2] : ""
    guard rest.isEmpty || rest.hasPrefix(bytes: "."), rest != "." else { return nil }
    let filter = "@" + String(test).replacing(bytes: "\"", with: "'")
    let query = "\(list.dropLast(bytes: 3))[?\(filter)]\(rest)"
    if case .success = Query.parse(query, in: .template) { return query }
    return nil
  }

  /// The query for the paths of JMESPath and Hurl: `data[*].id` and `jsonpath "$.id"`.
  static func barePath(_ text: String) -> String? {
    if text.hasPrefix(bytes: "jsonpath ") {
      let quoted = text.dropFirst(bytes: 9).drop { $0 == " " }
      let inner = quoted.drop { $0 == "\"" || $0 == "'" }.prefix { $0 != "\"" && $0 != "'" }
      return inner.hasPrefix(bytes: "$") ? String(inner) : nil
    }
    guard let first = text.utf8.first, ASCIISet.letters.contains(first),
      text.contains(bytes: ".") || text.contains(bytes: "["),
      text.utf8.allSatisfy({
        ASCIISet.letters.union(.digits).contains($0) || "_.[]*".utf8.contains($0)
      })
    else { return nil }
    let query = "$." + text.replacing(bytes: "[]", with: "[*]")
    if case .success = Query.parse(query, in: .template) { return query }
    return nil
  }

  /// What is counted by `length($.data)`, and its query.
  private static func counting(_ text: String) -> (String, String)? {
    for (call, word) in [("length(", "length"), ("count(", "number"), ("size(", "size")] {
      guard text.hasPrefix(bytes: call), text.hasSuffix(bytes: ")") else { continue }
      let inner = String(text.dropFirst(bytes: call.utf8.count).dropLast(bytes: 1))
      if inner.hasPrefix(bytes: "$"), case .success = Query.parse(inner, in: .template) {
        return (word, inner)
      }
    }
    return nil
  }

  private mutating func queryText(_ node: JSONNode, _ name: String) -> String? {
    if let text = node.string { return text }
    mistyped(node, name, "a query such as \"$.data.id\"")
    return nil
  }

  private mutating func query(_ text: String, at node: JSONNode) -> Query? {
    switch Query.parse(text, in: .template) {
    case .success(let query): return query
    case .failure(let error):
      report(error, .query, in: node)
      return nil
    }
  }

  /// A query of the scope, which begins with the name it reads.
  mutating func scopeQuery(_ node: JSONNode, _ name: String) -> Written<Query>? {
    guard let text = queryText(node, name), let query = query(text, at: node) else { return nil }
    let written = Written(query, at: node)
    checkScopeQuery(written)
    return written
  }

  /// Reports a query that does not begin with a name of the scope.
  mutating func checkScopeQuery(_ query: Written<Query>) {
    for reference in query.value.references where !reference.query.beginsWithNames {
      reportNameless(reference.query, at: query.range(of: reference.range))
    }
  }

  mutating func condition(
    _ node: JSONNode?, _ name: String, of place: ConditionPlace
  ) -> Written<Condition>? {
    guard let node else { return nil }
    guard let text = node.string else {
      let hint: Proposal =
        node.kind == .array
        ? Proposal("; join conditions with '&&' in one text", fix: Self.joined(node))
        : node.boolean == nil ? .none : "; leave it out, or compare something"
      mistyped(node, name, "a condition such as \"\(place.example)\"", hint: hint)
      return nil
    }
    switch Condition.parse(text, in: .template) {
    case .success(let condition):
      for reference in condition.references
      where !reference.query.beginsWithNames && !incomplete.contains(node.index) {
        reportNameless(reference.query, at: node.sourceRange(ofDecoded: reference.range))
      }
      return Written(condition, at: node)
    case .failure(let error):
      // What stands under the key of another tool is in its words.
      if !incomplete.contains(node.index) { report(error, .condition, in: node) }
      return nil
    }
  }

  /// The conditions of a list as one.
  private static func joined(_ list: JSONNode) -> DiagnosticFix? {
    let texts = list.elements.map { $0.kind == .string ? $0.text.dropFirst().dropLast() : "" }
    guard !texts.isEmpty, texts.allSatisfy({ !$0.isEmpty }) else { return nil }
    let parts = texts.map { texts.count > 1 && $0.contains(bytes: "||") ? "(\($0))" : "\($0)" }
    return .replacing(list.range, with: "\"\(parts.joined(separator: " && "))\"", isSafe: false)
  }

  private mutating func reportNameless(_ query: Query, at range: Range<Int>) {
    report(
      .query,
      "'\(query.text)' must begin with a name, as in $.list.ids, so that its dependencies are"
        + " known",
      at: range)
  }

  // MARK: - Problems of the parsers

  mutating func report(
    _ problems: [TemplateProblem], _ severity: Diagnostic.Severity = .error, in node: JSONNode
  ) {
    for problem in problems {
      if severity == .error { incomplete.insert(node.index) }
      add(
        Diagnostic(
          code: problem.code.rawValue, severity: severity, message: problem.message,
          range: node.sourceRange(ofDecoded: problem.range),
          fix: problem.variable.flatMap {
            declaring($0, at: node.sourceRange(ofDecoded: problem.range))
          }
            ?? problem.fix.flatMap {
              Self.fix($0, for: problem.range, in: node, isSafe: !problem.isGuess)
            }))
    }
  }

  mutating func report(_ error: QuerySyntaxError, _ code: DecodingCode, in node: JSONNode) {
    // The name in it counts as read.
    incomplete.insert(node.index)
    report(
      code, error.message, at: node.sourceRange(ofDecoded: error.range),
      fix: error.fix.flatMap { Self.fix($0, for: error.range, in: node, isSafe: !error.isGuess) })
  }

  /// Replaces a part of a string, if the text needs no escapes in JSON.
  package static func fix(
    _ text: String, for range: Range<Int>, in node: JSONNode, isSafe: Bool = true
  ) -> DiagnosticFix? {
    guard text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x22 && $0 != 0x5C }) else { return nil }
    return DiagnosticFix(
      message: text.isEmpty ? "remove it" : "write \(text)",
      edits: [DiagnosticFix.Edit(range: node.sourceRange(ofDecoded: range), replacement: text)],
      isSafe: isSafe)
  }
}
