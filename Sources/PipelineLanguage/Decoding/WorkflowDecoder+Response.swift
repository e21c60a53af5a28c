import PipelineByteText
import PipelineHTTPTerms
import PipelineJSONPaths
import PipelineJSONSchemas
import PipelineJSONText
import PipelineSourceText
import PipelineTemplates

extension WorkflowDecoder {
  /// The values that an expectation judges.
  enum Judged {
    case response, values
  }

  // MARK: - Extract

  mutating func extractors(_ node: JSONNode?) -> [Extractor] {
    guard let node else { return [] }
    guard isMap(node, "extract", "an object of names and queries such as {\"id\": \"$.data.id\"}")
    else { return [] }
    return node.members.map { member in
      let name = member.name
      checkName(name, .value, at: member.nameRange)
      if let extractor = extractor(member, name) { return extractor }
      // The name exists all the same, so its readers are not reported.
      incomplete.insert(member.value.index)
      return Extractor(
        name: name, nameRange: member.nameRange, source: .status, node: member.value)
    }
  }

  private mutating func extractor(_ member: JSONMember, _ name: String) -> Extractor? {
    let node = member.value
    if node.kind == .string {
      return query(of: node, name).map {
        Extractor(name: name, nameRange: member.nameRange, source: .body($0), node: node)
      }
    }
    guard
      let fields = fields(
        of: node, .extractor, .named("extractor", name),
        wanted: "a query such as \"$.data.id\", or an object"),
      let source = source(fields)
    else { return nil }
    return Extractor(
      name: name, nameRange: member.nameRange, source: source,
      take: writtenChoice(fields["take"], "take"), type: writtenChoice(fields["type"], "type"),
      isOptional: boolean(fields["optional"], "optional") ?? false,
      defaultValue: fields["default"],
      isSecret: boolean(fields["secret"], "secret") ?? false,
      decode: choice(fields["decode"], "decode"), all: boolean(fields["all"], "all") ?? false,
      parameter: writtenText(fields["param"], "param"), node: node)
  }

  /// A query of the body, or what was likely meant by a text that is none.
  private mutating func query(of node: JSONNode, _ name: String) -> Written<Query>? {
    let text = node.string ?? ""
    if text.hasPrefix(bytes: "{{") {
      report(
        .query,
        "an extractor takes a query; write {\"value\": \(node.text)} to carry a value",
        at: node.range,
        fix: .replacing(node.range, with: "{\"value\": \(node.text)}", isSafe: false))
      return nil
    }
    return bodyQuery(node, name)
  }

  private mutating func source(_ fields: ObjectFields) -> Extractor.Source? {
    let given = LanguageObject.extractorSources.first { fields.has($0) }
    guard let given, let node = fields[given] else { return nil }
    switch given {
    case "body": return bodyQuery(node, "body").map { .body($0) }
    case "header":
      guard let name = writtenText(node, "header") else { return nil }
      if name.value.hasPrefix(bytes: "$.") {
        let meant = name.value.split(ascii: ".").last ?? ""
        report(
          .header, "'header' takes a name, not a query", .write("\"\(meant)\"", for: name.range),
          at: name.range)
      } else if !name.value.isToken {
        report(.header, "'\(name.value)' is not a header name", at: name.range)
      }
      return .header(name)
    case "cookie": return writtenText(node, "cookie").map { .cookie($0) }
    case "headers":
      if let name = node.string, name.isToken, name != "true" {
        let text = "\"header\": \"\(name)\""
        let start = fields.member(given)?.nameRange.lowerBound ?? node.range.lowerBound
        mistyped(
          node, given, "true",
          hint: Proposal(
            "; for one of them write \(text)",
            fix: .replacing(start..<node.range.upperBound, with: text, isSafe: false)))
        incomplete.insert(node.index)
        return .header(Written(name, at: node))
      }
      return flag(node, given) ? .headers : nil
    case "status": return flag(node, given) ? .status : nil
    case "url": return flag(node, given) ? .url : nil
    case "text": return flag(node, given) ? .text : nil
    case "regex": return pattern(node).map { .regex($0) }
    default: return .value(data(node))
    }
  }

  /// A source that is only named: `"status": true`.
  private mutating func flag(_ node: JSONNode, _ name: String) -> Bool {
    if node.boolean == true { return true }
    mistyped(
      node, name, "true",
      hint: node.string == "true" ? .withoutQuotes("true", for: node.range) : .none)
    return false
  }

  private mutating func pattern(_ node: JSONNode) -> Written<IRegexp>? {
    guard let text = text(node, "regex") else { return nil }
    switch IRegexp.parse(text) {
    case .success(let pattern): return Written(pattern, at: node)
    case .failure(let error):
      report(
        .pattern, error.message, at: node.sourceRange(ofDecoded: error.range),
        fix: error.fix.flatMap { Self.fix($0, for: error.range, in: node) })
      return nil
    }
  }

  // MARK: - Expect

  mutating func expectation(_ node: JSONNode, judges judged: Judged) -> Expectation {
    let isStatus =
      (100...599).contains(node.number?.int ?? 0)
      || Quantities.statusClass(node.string ?? "") != nil
    guard
      let fields = fields(
        of: node, .expect, .key("expect"),
        meant: isStatus ? "{\"status\": \(node.text)}" : nil)
    else { return .standard }
    if judged == .values {
      for entry in fields.entries where entry.name != "where" {
        report(
          .misplacedKey,
          "'\(entry.name)' tests a response, but this step has none; write 'where'",
          at: entry.member.nameRange)
      }
    }
    let statusNode = fields["status"]
    return Expectation(
      status: statusNode.map { statuses($0) } ?? Expectation.standard.status,
      statusNode: statusNode, checks: checks(fields["where"]),
      contentType: writtenText(fields["contentType"], "contentType"),
      schema: fields["schema"].flatMap { schema($0) })
  }

  private mutating func schema(_ node: JSONNode) -> Schema? {
    guard node.kind == .object || node.kind == .boolean else {
      mistyped(node, "schema", "a JSON Schema")
      return nil
    }
    let (schema, problems) = Schema.parse(node)
    for problem in problems {
      add(
        Diagnostic(
          code: problem.code.rawValue, severity: problem.severity, message: problem.message,
          range: problem.range))
    }
    return schema
  }

  private mutating func statuses(_ node: JSONNode) -> [StatusPattern] {
    guard node.kind == .array else { return status(node, "status").map { [$0] } ?? [] }
    if node.count == 0 {
      report(.invalidValue, "'status' is an empty list, so no status passes", at: node.range)
    }
    return node.elements.compactMap { status($0, "status") }
  }

  private mutating func checks(_ node: JSONNode?) -> [Expectation.Check] {
    guard let node, isList(node, "where", "a list of conditions") else { return [] }
    return node.elements.enumerated().compactMap { number, element in
      if element.kind == .string {
        return condition(element, "where").map { Expectation.Check(condition: $0, message: nil) }
      }
      guard
        let fields = fields(
          of: element, .check, .numbered("check", number + 1),
          wanted: "a condition such as \"@.body.total > 0\"")
      else { return nil }
      return object(Expectation.Check.self, fields)
    }
  }

  // MARK: - Retry

  mutating func retry(_ node: JSONNode) -> RetryPolicy? {
    if node.kind == .number || node.string.flatMap(Int.init) != nil {
      return integer(node, "retry", minimum: 1).map { RetryPolicy(attempts: $0) }
    }
    guard node.kind == .object else {
      mistyped(node, "retry", "a number of attempts such as 3, or an object")
      return nil
    }
    guard let fields = fields(of: node, .retry, .key("retry")) else { return nil }
    let attempts = integer(fields["attempts"], "attempts", minimum: 1) ?? 1
    var policy = RetryPolicy(attempts: attempts)
    if let on = fields["on"] {
      if on.kind == .array {
        policy.on = on.elements.compactMap { cause($0) }
      } else {
        mistyped(
          on, "on", "a list such as [\"network\", 429, \"5xx\"]",
          hint: [.string, .number].contains(on.kind)
            ? .write("[\(on.text)]", for: on.range, isSafe: true) : .none)
      }
    }
    policy.when = condition(fields["when"], "when")
    if let delay = duration(fields["delay"], "delay", allowsZero: true) { policy.delay = delay }
    if let factor = number(fields["factor"], "factor", minimum: 1) { policy.factor = factor }
    if let longest = duration(fields["maxDelay"], "maxDelay") { policy.maxDelay = longest }
    if let jitter = boolean(fields["jitter"], "jitter") { policy.jitter = jitter }
    if let unsafe = boolean(fields["unsafe"], "unsafe") { policy.unsafe = unsafe }
    return policy
  }

  private mutating func cause(_ node: JSONNode) -> RetryPolicy.Cause? {
    switch node.string {
    case "network": return .network
    case "timeout": return .timeout
    case let text? where Quantities.statusClass(text.lowercased()) == nil && Int(text) == nil:
      report(
        .invalidValue,
        "'on' must be \"network\", \"timeout\", a status such as 429 or \"5xx\", not \"\(text)\"",
        .nearest(to: text, among: ["network", "timeout"], inQuotesAt: node.range), at: node.range)
      return nil
    default: return status(node, "on").map { .status($0) }
    }
  }
}
