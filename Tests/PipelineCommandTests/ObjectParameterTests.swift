import PipelineHTTPServers
import PipelineJSONText
import PipelineSandboxServers
import PipelineTestSupport
import PipelineTestTraits
import Testing

@testable import PipelineCommand

/// Lists and objects in the query: lint, a run and imports agree with OpenAPI and RFC 6570.
struct ObjectParameterTests {
  private let folder = TemporaryFolder()

  @Test(arguments: [
    (#""{{inputs.f}}""#, "a=x%20y&b=1"),
    (#"{"value": "{{inputs.f}}", "explode": false}"#, "f=a,x%20y,b,1"),
    (#"{"value": "{{inputs.f}}", "style": "deepObject"}"#, "f%5Ba%5D=x%20y&f%5Bb%5D=1"),
    (#"{"value": "{{inputs.l}}", "style": "form", "explode": false}"#, "f=1,2"),
  ]) func lintAndARunAgree(_ value: String, _ query: String) async throws {
    let server = try SandboxServer.start()
    defer { server.stop() }
    let path = folder.write(
      """
      {"format": 1,
       "inputs": {"f": {"type": "object", "default": {"a": "x y", "b": 1, "c": null}},
         "l": {"type": "array", "default": [1, 2]}},
       "steps": [{"id": "a", "endpoint": "GET \(server.origin)/echo", "query": {"f": \(value)}}]}
      """, to: "w.json")
    let lint = await pipeline(["lint", path])
    #expect(lint.status == .success || !lint.output.contains("takes one value"), "\(lint.output)")
    let plan = await pipeline(["plan", path])
    #expect(plan.status == .success, "\(plan.error)")
    let run = await pipeline(["run", "--no-store", "--quiet", path])
    #expect(run.status == .success, "\(run.error)")
    #expect(server.records.requests.map(\.target) == ["/echo?" + query])
  }

  private static let description = """
    openapi: 3.1.0
    info: {title: c, version: "1"}
    servers: [{url: "https://a.example"}]
    paths:
      /x:
        get:
          operationId: find
          parameters:
            - {name: filter, in: query, required: true, schema: {type: object}}
            - {name: flat, in: query, required: true, explode: false, schema: {type: object}}
            - {name: ids, in: query, required: true, explode: false, schema: {type: array}}
            - {name: deep, in: query, required: true, style: deepObject, schema: {type: object}}
            - {name: tags, in: query, required: true, style: pipeDelimited, schema: {type: array}}
          responses: {"200": {description: ok}}
    """

  @Test func aDescriptionSaysHowTheyAreWritten() async throws {
    let path = folder.write(Self.description, to: "api.yaml")
    let result = await pipeline(["new", "--api", path])
    try #require(result.status == .success, "\(result.error)")
    let root = try JSONDocument.parse(Array(result.output.utf8)).root
    let query = try #require(root["steps"]?[0]?["query"])
    #expect(query["filter"]?.string == "{{inputs.filter}}")
    #expect(
      query["flat"]?.text.filter { $0 != " " }
        == #"{"value":"{{inputs.flat}}","style":"form","explode":false}"#)
    #expect(
      query["ids"]?.text.filter { $0 != " " }
        == #"{"value":"{{inputs.ids}}","style":"form","explode":false}"#)
    #expect(
      query["deep"]?.text.filter { $0 != " " }
        == #"{"value":"{{inputs.deep}}","style":"deepObject"}"#)
    #expect(
      query["tags"]?.text.filter { $0 != " " }
        == #"{"value":"{{inputs.tags}}","style":"pipeDelimited","explode":false}"#
    )
    #expect(root["inputs"]?["filter"]?["type"]?.string == "object")
    #expect(root["inputs"]?["ids"]?["type"]?.string == "array")
    let lint = await pipeline(["lint", folder.write(result.output, to: "w.json")])
    #expect(lint.status == .success, "\(lint.output)")
  }

  @Test func arazzoGivesThemTheStyleOfTheDescription() async throws {
    folder.write(Self.description, to: "api.yaml")
    let path = folder.write(
      """
      arazzo: 1.0.1
      info: {title: c, version: "1"}
      sourceDescriptions: [{name: api, url: api.yaml, type: openapi}]
      workflows:
        - workflowId: w
          steps:
            - stepId: find
              operationId: find
              parameters:
                - {name: filter, in: query, value: {value: 1, b: 2}}
                - {name: flat, in: query, value: {a: 1}}
                - {name: ids, in: query, value: [1, 2]}
                - {name: deep, in: query, value: {a: 1}}
                - {name: tags, in: query, value: one}
              successCriteria: [{condition: $statusCode == 200}]
      """, to: "c.arazzo.yaml")
    let result = await pipeline(["import", path])
    try #require(result.status == .success, "\(result.error)")
    let query = try JSONDocument.parse(Array(result.output.utf8)).root["steps"]?[0]?["query"]
    #expect(query?["filter"]?.text.filter { $0 != " " } == #"{"value":{"value":1,"b":2}}"#)
    #expect(
      query?["flat"]?.text.filter { $0 != " " }
        == #"{"value":{"a":1},"style":"form","explode":false}"#)
    #expect(
      query?["ids"]?.text.filter { $0 != " " } == #"{"value":[1,2],"style":"form","explode":false}"#
    )
    #expect(query?["deep"]?.text.filter { $0 != " " } == #"{"value":{"a":1},"style":"deepObject"}"#)
    #expect(query?["tags"]?.string == "one")
  }
}
