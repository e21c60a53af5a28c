import PipelineJSONText
import PipelineLanguage
import PipelineLint
import PipelineSourceText
import Testing

/// Responses of a run against the description of the API, in what the workflow reads.
struct ResponseChecksTests {
  private static let api = """
    openapi: 3.0.3
    servers: [{ url: https://api.example.com }]
    paths:
      /pets:
        get:
          responses:
            200: { content: { application/json: { schema: { $ref: "#/components/schemas/Page" } } } }
            2XX: { content: { application/json: { schema: { type: array } } } }
            404: { content: { application/json: { schema: { type: string } } } }
    components:
      schemas:
        Page:
          type: object
          required: [pets, next]
          properties:
            pets: { type: array, items: { $ref: "#/components/schemas/Pet" } }
            next: { type: string, nullable: true }
            total: { type: integer, minimum: 0 }
            code: { type: string, writeOnly: true }
        Pet:
          oneOf: [{ $ref: "#/components/schemas/Cat" }, { $ref: "#/components/schemas/Dog" }]
        Cat: { type: object, required: [name], properties: { name: { type: string }, lives: { type: integer } } }
        Dog: { type: object, required: [name], properties: { name: { type: string }, size: { type: string, enum: [s, l] } } }
    """

  private struct Files: FileLoader {
    func load(_ path: String, relativeTo file: String) -> Result<SourceFile, FileLoadError> {
      .success(SourceFile(name: "api.yaml", bytes: Array(ResponseChecksTests.api.utf8)))
    }
  }

  /// The differences of a response to a step that reads this and that.
  private func differences(
    _ step: String, _ body: String, status: Int = 200, outputs: String = "{}", more: String = ""
  ) throws -> [String] {
    let text = """
      {"api": "api.yaml", "defaults": {"baseURL": "https://api.example.com"},
       "steps": [{"id": "a", "endpoint": "GET /pets", \(step)}\(more)], "outputs": \(outputs)}
      """
    let linted = Linter(loader: Files()).lint(
      SourceFile(name: "w.json", bytes: Array(text.utf8)))
    let checks = ResponseChecks(linted, Files(), fails: true)
    #expect(checks.problems.isEmpty && checks.count == 1)
    let workflow = try #require(linted.workflow)
    guard case .request(let request) = workflow.block.steps[0].action else { return ["no request"] }
    let document = try JSONDocument.parse(Array(body.utf8))
    return checks.differences(of: request, status: status, body: document.root).map(\.message)
  }

  @Test(arguments: [
    (#""extract": {"v": "$.next"}"#, #"{"pets": 7, "next": null}"#),
    (#""extract": {"v": "$.total"}"#, #"{"total": 3, "pets": 7}"#),
    (#""extract": {"v": "$.total"}"#, "{}"),
    (#""extract": {"v": {"body": "$.next", "optional": true}}"#, "{}"),
    (
      #""extract": {"v": "$.pets[*].size"}"#,
      #"{"pets": [{"name": 7, "size": "s"}, {"lives": 9}]}"#
    ),
    (#""extract": {"v": "$.pets[1].name"}"#, #"{"pets": [{"name": 7}, {"name": "A"}]}"#),
    (#""extract": {"v": "$.pets[0].else"}"#, #"{"pets": [{"name": "A", "else": [1]}]}"#),
    (#""extract": {"v": "$.code"}"#, "{}"),
    (#""extract": {"v": "$..name"}"#, #"{"pets": 7}"#),
    (#""expect": {"where": ["@.body.total > 0"]}"#, #"{"total": 1, "next": 7}"#),
  ])
  func whatIsAsDescribedOrNotReadHasNoDifference(_ step: String, _ body: String) throws {
    #expect(try differences(step, body) == [])
  }

  @Test(arguments: [
    (
      #""extract": {"v": "$.next"}"#, #"{"next": 7}"#,
      "'$.next' is a whole number, but the API describes a text (api.yaml:17)"
    ),
    (
      #""extract": {"v": "$.next"}"#, "{}",
      "'$' lacks 'next', which the API requires (api.yaml:14)"
    ),
    (
      #""extract": {"v": "$.total"}"#, #"{"total": null}"#,
      "'$.total' is null, but the API describes a whole number (api.yaml:18)"
    ),
    (
      #""extract": {"v": "$.total"}"#, #"{"total": -1}"#,
      "'$.total' is not a value that the API describes (api.yaml:18)"
    ),
    (
      #""extract": {"v": "$.pets[*].name"}"#, #"{"pets": [{"name": "A"}, {"name": 7}]}"#,
      "'$.pets[1].name' is a whole number, but the API describes a text (api.yaml:22)"
    ),
    (
      #""extract": {"v": "$.pets[?@.name == 'A'].name"}"#, #"{"pets": {}}"#,
      "'$.pets' is an object, but the API describes a list (api.yaml:16)"
    ),
    (
      #""expect": {"where": ["@.body.total > 0"]}"#, #"{"total": "many"}"#,
      "'$.total' is a text, but the API describes a whole number (api.yaml:18)"
    ),
    (
      #""extract": {"v": "$"}"#, "[]",
      "'$' is a list, but the API describes an object (api.yaml:12)"
    ),
  ])
  func whatIsReadAndNotAsDescribedIsADifference(
    _ step: String, _ body: String, _ message: String
  ) throws {
    let found = try differences(step, body)
    #expect(found.count == 1)
    #expect(found.first?.prefix { $0 != "(" } == message.prefix { $0 != "(" })
    #expect(found.first?.contains("(api.yaml:") == true)
  }

  @Test func laterReadsGoOnFromWhatIsExtracted() throws {
    let step = #""extract": {"whole": "$", "pets": "$.pets"}"#
    let loop =
      #", {"id": "b", "forEach": "$.a.pets", "as": "pet", "values": {"v": "{{pet.name}}"}}"#
    let body = #"{"pets": [{"name": "A"}, {"name": null}], "next": 7, "total": "x"}"#
    #expect(
      try differences(step, body, outputs: #"{"v": "{{a.whole.total}}"}"#, more: loop).map {
        $0.prefix { $0 != "(" }
      } == [
        "'$.pets[1].name' is null, but the API describes a text ",
        "'$.total' is a text, but the API describes a whole number ",
      ])
  }

  @Test func aStatusHasItsOwnSchema() throws {
    let step = #""expect": {"status": ["2xx", 404, 503]}, "extract": {"v": "$.next"}"#
    #expect(try differences(step, #"{"next": "a"}"#, status: 203).count == 1)
    #expect(try differences(step, "[]", status: 203) == [])
    #expect(
      try differences(step, "{}", status: 503)
        == ["the API describes no status 503 here (api.yaml:7)"])
  }
}
