import PipelineJSONText
import PipelineLint
import PipelineOpenAPI
import PipelineSourceText
import Testing

/// What descriptions and recorded answers say of values, in rules that know neither.
@Suite struct DescribedShapeTests {
  private static let api = """
    openapi: 3.0.3
    servers: [{ url: https://api.example.com }]
    paths:
      /tree: { get: { responses: { 200: { content: { application/json: { schema: { $ref: "#/components/schemas/Tree" } } } } } } }
      /any: { get: { responses: { 200: { content: { application/json: { schema: {} } } } } } }
    components:
      schemas:
        Tree:
          type: object
          properties:
            name: { type: string }
            size: { type: integer, nullable: true }
            ids: { type: array, items: { type: integer } }
            owner: { $ref: "#/components/schemas/Tree" }
            children: { type: array, items: { $ref: "#/components/schemas/Tree" } }
            either: { oneOf: [{ type: string }, { type: integer }] }
            perhaps: { anyOf: [{ type: array, items: { type: string } }, { type: string }] }
            typeless: { properties: { name: { type: string } } }
            open: { oneOf: [{ type: string }, { $ref: "#/nowhere" }] }
            both: { oneOf: [{ $ref: "#/components/schemas/Tree" }, { type: object, properties: { name: { type: integer } } }] }
    """

  private func findings(
    _ extract: String, _ step: String, path: String = "tree", recorded: String? = nil
  ) throws -> [String] {
    let description = try APIDescription(
      path: "api.yaml", bytes: Array(Self.api.utf8), load: { _ in nil })
    let text = """
      {"steps": [
        {"id": "get", "endpoint": "GET https://api.example.com/\(path)", "extract": {\(extract)}},
        {"id": "use", \(step)}],
       "outputs": {"all": "{{get}}", "used": "{{use}}"}}
      """
    let answers = try recorded.map {
      RecordedAnswers(try JSONDocument.parse(Array($0.utf8)).root)
    }
    let linted = Linter(recorded: answers ?? RecordedAnswers(), described: description).lint(
      SourceFile(name: "w.json", bytes: Array(text.utf8)))
    return linted.diagnostics.filter { $0.severity != .note }
      .map { "\($0.severity.rawValue) \($0.code)" }
  }

  @Test(arguments: [
    (
      #""all": "$""#, #""forEach": "$.get.all.owner", "as": "o", "values": {"v": "{{o}}"}"#,
      "error for-each-type"
    ),
    (
      #""name": "$.name""#, #""forEach": "$.get.name", "as": "o", "values": {"v": "{{o}}"}"#,
      "error for-each-type"
    ),
    (
      #""name": {"body": "$.name", "type": "string"}"#,
      #""forEach": "$.get.name", "as": "o", "values": {"v": "{{o}}"}"#, "error for-each-type"
    ),
    (
      #""e": "$.either""#, #""forEach": "$.get.e", "as": "o", "values": {"v": "{{o}}"}"#,
      "error for-each-type"
    ),
    (
      #""size": "$.size""#, #""when": "$.get.size == '5'", "values": {"v": 1}"#,
      "warning constant-comparison"
    ),
    (
      #""all": "$""#, #""when": "$.get.all.owner.owner.size == 'x'", "values": {"v": 1}"#,
      "warning constant-comparison"
    ),
    (
      #""ids": "$.ids""#, #""when": "$.get.ids == 5", "values": {"v": 1}"#,
      "warning constant-comparison"
    ),
    (
      #""ids": "$.ids""#, #""endpoint": "GET https://other.example.com/{{get.ids}}""#,
      "error list-in-scalar-place"
    ),
    (
      #""all": "$""#, #""endpoint": "GET https://other.example.com/{{get.all.owner}}""#,
      "error list-in-scalar-place"
    ),
    (
      #""n": "$.children[*].name""#, #""values": {"v": {"$sum": "$.get.n"}}"#,
      "error data-form-type"
    ),
    (
      #""c": "$.children""#,
      #""forEach": "$.get.c", "as": "c", "endpoint": "GET https://other.example.com/{{c.ids}}""#,
      "error list-in-scalar-place"
    ),
    (#""all": "$""#, #""values": {"v": "{{get.all.owner.nmae}}"}"#, "warning undescribed-member"),
    (#""all": "$""#, #""values": {"v": "{{get.all.name.first}}"}"#, "error undescribed-member"),
    (
      #""all": "$""#, #""forEach": "$.get.all.children", "as": "c", "values": {"v": "{{c.nmae}}"}"#,
      "warning undescribed-member"
    ),
    (
      #""first": {"body": "$.children[*]", "take": "first"}"#,
      #""values": {"v": "{{get.first.nmae}}"}"#, "warning undescribed-member"
    ),
    (
      #""t": "$.typeless""#, #""values": {"v": "{{get.t.nmae}}"}"#, "warning undescribed-member"
    ),
    (
      #""t": "$.typeless""#, #""forEach": "$.get.t.name", "as": "o", "values": {"v": "{{o}}"}"#,
      "error for-each-type"
    ),
  ])
  func whatADescriptionSaysIsKnown(_ extract: String, _ step: String, _ expected: String) throws {
    #expect(try findings(extract, step) == [expected])
  }

  @Test(arguments: [
    (
      #""all": "$""#,
      #""forEach": "$.get.all.children", "as": "c", "endpoint": "GET https://other.example.com/{{c.name}}/{{c.owner.size}}""#
    ),
    (
      #""all": "$""#,
      #""when": "$.get.all.owner.size == 5 && $.get.all.size == null", "values": {"v": "{{get.all.owner.name}}"}"#
    ),
    (#""all": "$""#, #""when": "$.get.all.owner.name == $.get.all.name", "values": {"v": 1}"#),
    (#""e": "$.either""#, #""when": "$.get.e == 5 || $.get.e == 'five'", "values": {"v": 1}"#),
    (#""p": "$.perhaps""#, #""forEach": "$.get.p", "as": "o", "values": {"v": "{{o}}"}"#),
    (#""p": "$.perhaps""#, #""endpoint": "GET https://other.example.com/{{get.p}}""#),
    (#""o": "$.open""#, #""forEach": "$.get.o", "as": "o", "values": {"v": "{{o}}"}"#),
    (
      #""o": {"body": "$.name", "default": [1]}"#,
      #""forEach": "$.get.o", "as": "o", "values": {"v": "{{o}}"}"#
    ),
    (
      #""b": "$.both""#,
      #""when": "$.get.b.name == 5 && $.get.b.size == 1", "values": {"v": "{{get.b.children}}"}"#
    ),
    (#""b": "$.both.name""#, #""when": "$.get.b == 'five'", "values": {"v": 1}"#),
    (#""d": "$..name""#, #""forEach": "$.get.d", "as": "o", "values": {"v": "{{o}}"}"#),
    (
      #""o": {"body": "$.owner", "optional": true}"#,
      #""when": "$.get.o", "values": {"v": "{{get.o.name}}"}"#
    ),
    (
      #""t": "$.typeless""#,
      #""forEach": "$.get.t", "as": "o", "when": "$.get.t == 5", "values": {"v": "{{o}}"}"#
    ),
  ])
  func whatMayBeRightHasNoFinding(_ extract: String, _ step: String) throws {
    #expect(try findings(extract, step) == [])
  }

  /// Recorded answers are evidence: what they make wrong is a warning. Where a description differs from
  /// them, nothing is known.
  @Test func recordedAnswersAreKnownWhereNothingElseIs() throws {
    let loop = #""forEach": "$.get.x", "as": "o", "values": {"v": "{{o}}"}"#
    let recorded = #"{"get": [{"x": {"a": 1}}, {"x": {"a": 2}}]}"#
    #expect(try findings(#""x": "$.x""#, loop, path: "any") == [])
    #expect(
      try findings(#""x": "$.x""#, loop, path: "any", recorded: recorded)
        == ["warning for-each-type"])
    #expect(
      try findings(
        #""x": "$.x""#, loop, path: "any", recorded: #"{"get": [{"x": [1]}, {"x": {"a": 2}}]}"#)
        == [])
    #expect(
      try findings(
        #""x": "$.x""#, #""values": {"v": "{{get.x.b.c}}"}"#, path: "any", recorded: recorded) == []
    )
  }
}
