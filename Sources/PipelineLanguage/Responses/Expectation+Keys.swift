import PipelineByteText
import PipelineJSONPaths
import PipelineJSONSchemas
import PipelineJSONText
import PipelineSourceText
import PipelineTemplates

extension Expectation: DeclaredObject {
  convenience init(_ keys: inout Keys) {
    let status = keys.optional(
      "status", StatusesType(), "The expected statuses.", standard: #""2xx""#,
      example: #"[200, "4xx"]"#, foreign: ["code statusCode"])
    let checks = keys.optional(
      "where", ChecksType(), "Conditions that must hold; `@` is the response.",
      example: #"["@.body.ok == true"]"#,
      foreign: [
        .says(
          "json body jsonpath contains equals",
          "write 'where': [\"@.body.name == 'Ada'\"]"),
        .says("headers header", "write 'where': [\"@.headers['x-name'] == 'Ada'\"]"),
        .says(
          "assert asserts assertions conditions condition that checks test tests",
          "write 'where', a list of conditions"),
        .says(
          "duration time latency responseTime maxTime elapsed",
          "write 'where': [\"@.elapsed < 2\"]"),
        .says("text", "write 'where': [\"search(@.text, 'done')\"]"),
      ])
    let contentType = keys.optional(
      "contentType", .written(.text), "The media type that the response must have.",
      example: #""application/json""#, foreign: ["type mimeType mediaType"])
    let schema = keys.optional(
      "schema", SchemaType(),
      "A JSON Schema (draft 2020-12) that the body must satisfy.",
      example: #"{"type": "object", "required": ["id"]}"#, foreign: ["jsonSchema"])
    self.init(
      status: status?.value ?? Expectation.standard.status, statusNode: status?.node,
      checks: checks ?? [], contentType: contentType, schema: schema)
  }
}

/// The value of `expect`.
struct ExpectationType: ValueType {
  /// The values that an expectation judges.
  enum Judged {
    case response, values
  }

  let judges: Judged

  var description: LanguageType { .object(.expect) }

  func read(_ node: JSONNode, _ name: String, _ decoder: inout WorkflowDecoder) -> Expectation? {
    let isStatus =
      (100...599).contains(node.number?.int ?? 0)
      || Quantities.statusClass(node.string ?? "") != nil
    guard
      let fields = decoder.fields(
        of: node, .expect, .key(name), meant: isStatus ? "{\"status\": \(node.text)}" : nil)
    else { return nil }
    if judges == .values {
      for entry in fields.entries where entry.name != "where" {
        decoder.report(
          .misplacedKey,
          "'\(entry.name)' tests a response, but this step has none; write 'where'",
          at: entry.member.nameRange)
      }
    }
    return decoder.object(Expectation.self, fields)
  }
}

private struct StatusesType: ValueType {
  var description: LanguageType { .either([.status, .several(.status)]) }

  func read(
    _ node: JSONNode, _ name: String, _ decoder: inout WorkflowDecoder
  ) -> Written<[StatusPattern]>? {
    guard node.kind == .array else {
      return Written(decoder.status(node, name).map { [$0] } ?? [], at: node)
    }
    if node.count == 0 {
      decoder.report(
        .invalidValue, "'\(name)' is an empty list, so no status passes", at: node.range)
    }
    return Written(node.elements.compactMap { decoder.status($0, name) }, at: node)
  }
}

private struct SchemaType: ValueType {
  var description: LanguageType { .schema }

  func read(_ node: JSONNode, _ name: String, _ decoder: inout WorkflowDecoder) -> Schema? {
    guard node.kind == .object || node.kind == .boolean else {
      decoder.mistyped(node, name, "a JSON Schema")
      return nil
    }
    let (schema, problems) = Schema.parse(node)
    for problem in problems {
      decoder.add(
        Diagnostic(
          code: problem.code.rawValue, severity: problem.severity, message: problem.message,
          range: problem.range,
          fix: problem.fix.map { .replacing(problem.range, with: $0, isSafe: false) }))
    }
    return schema
  }
}

private struct ChecksType: ValueType {
  var description: LanguageType { .list(.either([.condition, .object(.check)])) }

  func read(
    _ node: JSONNode, _ name: String, _ decoder: inout WorkflowDecoder
  ) -> [Expectation.Check]? {
    guard decoder.isList(node, name, "a list of conditions") else { return nil }
    var checks: [Expectation.Check] = []
    for (number, element) in node.elements.enumerated() {
      if element.kind == .string {
        if let condition = decoder.condition(element, name, of: .expect) {
          checks.append(Expectation.Check(condition: condition, message: nil))
        }
      } else if let fields = decoder.fields(
        of: element, .check, .numbered("check", number + 1),
        wanted: "a condition such as \"@.body.total > 0\""),
        let check = decoder.object(Expectation.Check.self, fields)
      {
        checks.append(check)
      }
    }
    return checks
  }
}

extension Expectation.Check: DeclaredObject {
  init?(_ keys: inout Keys) {
    let condition = keys.required(
      "that", .condition(of: .expect), "The condition that must hold.",
      example: #""@.body.total > 0""#,
      foreign: ["condition if when expression assert test where"])
    message = keys.required(
      "message", .template, "The failure's message if it does not hold.",
      example: #""no users on page {{inputs.page}}""#,
      foreign: ["error text reason title name"])
    guard let condition else { return nil }
    self.condition = condition
  }
}
