import Foundation
import PipelineJSONSchemas
import PipelineJSONText
import PipelineTestSupport
import PipelineTestTraits
import Testing

@testable import PipelineCommand

/// What is exported is valid by the schema of the standard, and comes back as the same plan.
struct ExportArazzoTests {
  private let folder = TemporaryFolder()

  private static let api = """
    openapi: 3.0.3
    info: { title: Shop, version: "1" }
    servers: [{ url: https://shop.example.com/v1 }]
    paths:
      /login: { post: { operationId: logIn, requestBody: { content: { application/json: {} } } } }
      /orders: { get: { operationId: listOrders } }
      /orders/{id}: { get: { operationId: getOrder }, delete: {} }
    """

  private static let workflow = """
    {
      "format": 1,
      "name": "shop",
      "description": "Log in and read.",
      "inputs": {
        "user": { "type": "string", "description": "Who." },
        "since": { "type": "date" },
        "limit": { "type": "integer", "default": 3 },
        "password": { "type": "string", "secret": true, "env": "PASSWORD" }
      },
      "defaults": { "baseURL": "https://shop.example.com/v1" },
      "api": "./shop.yaml",
      "order": "listed",
      "steps": [
        {
          "id": "login",
          "endpoint": "POST /login",
          "body": { "json": { "user": "{{inputs.user}}", "password": "{{inputs.password}}" } },
          "expect": { "status": [200, 201], "where": ["@.body.count > 3"] },
          "extract": { "token": { "body": "$.token", "secret": true } }
        },
        {
          "id": "around",
          "order": "listed",
          "steps": [
            {
              "id": "list",
              "endpoint": "GET /orders",
              "query": { "limit": "{{inputs.limit}}", "since": "{{inputs.since}}" },
              "headers": { "Authorization": "Bearer {{login.token}}" },
              "extract": { "first": "$[0].id" }
            },
            {
              "id": "order",
              "endpoint": "GET /orders/{{list.first}}",
              "extract": { "total": "$.total" },
              "retry": { "attempts": 3, "on": [502, 503], "delay": "2s", "factor": 1, "jitter": false }
            }
          ],
          "outputs": { "id": "{{list.first}}", "total": "{{order.total}}" }
        },
        { "id": "delete", "endpoint": "DELETE /orders/{{around.id}}", "expect": { "status": 204 } }
      ],
      "outputs": { "total": "{{around.total}}" }
    }
    """

  private func exported() async throws -> (path: String, text: String) {
    folder.write(Self.api, to: "shop.yaml")
    let file = folder.write(Self.workflow, to: "shop.json")
    let result = await pipeline(["export", "arazzo", file])
    try #require(result.status == .success, "\(result.error)")
    return (folder.write(result.output, to: "shop.arazzo.json"), result.output)
  }

  private func parts(_ path: String) throws -> [String: String] {
    let root = try JSONDocument.parse(try #require(readFile(path))).root
    return Dictionary(
      root.members.map { ($0.name, $0.value.text) }, uniquingKeysWith: { first, _ in first })
  }

  /// A plan says what is sent, and which step waits for which.
  @Test func theExportComesBackAsTheSamePlan() async throws {
    let (path, _) = try await exported()
    let back = await pipeline(["import", path, "-o", folder.path + "/back.json"])
    #expect(back.status == .success, "\(back.error)")
    #expect(back.error.contains("refused 0"))
    let inputs = ["--set", "user=ada", "--set", "since=2026-01-01", "--set", "password=secret-7"]
    let plan = await pipeline(["plan", folder.path + "/shop.json"] + inputs)
    let other = await pipeline(["plan", folder.path + "/back.json"] + inputs)
    #expect(plan.status == .success, "\(plan.error)")
    // Where a reference stands in its file is another place.
    #expect(
      plan.output.replacing(#/\(\d+:\d+\)/#, with: "")
        == other.output.replacing(#/\(\d+:\d+\)/#, with: ""))
    var (mine, theirs) = (
      try parts(folder.path + "/shop.json"), try parts(folder.path + "/back.json")
    )
    mine["api"] = nil
    theirs["api"] = nil
    for key in mine.keys where !["steps", "inputs"].contains(key) {
      #expect(mine[key] == theirs[key], "\(key)")
    }
  }

  @Test(
    .enabled(if: Conformance.corpora != nil, "$CORPORA_DIR has no schema of Arazzo"))
  func theExportIsValidByTheSchema() async throws {
    let (_, text) = try await exported()
    let instance = try JSONDocument.parse(Array(text.utf8)).root
    let schema = try Self.schema()
    #expect(schema.validate(instance).map { "\($0)" } == [])
    // The schema finds what is wrong.
    let wrong = text.replacingOccurrences(of: "\"stepId\"", with: "\"stepID\"")
    #expect(!schema.validate(try JSONDocument.parse(Array(wrong.utf8)).root).isEmpty)
  }

  private static var schemaPath: String? {
    Conformance.corpora.map { $0 + "/arazzo/_archive_/schemas/v1.0/schema.json" }
  }

  private static func schema() throws -> Schema {
    let bytes = try #require(schemaPath.flatMap { readFile($0) })
    // No schema is fetched: an input may be any.
    let text = String(decoding: bytes, as: UTF8.self).replacing(
      #""$ref": "https://json-schema.org/draft/2020-12/schema""#,
      with: #""type": ["object", "boolean"]"#)
    let (schema, problems) = Schema.parse(
      try JSONDocument.parse(Array(text.utf8)).root, formats: .annotation)
    return try #require(schema, "\(problems)")
  }

  @Test(
    .enabled(if: Conformance.corpora != nil, "$CORPORA_DIR has no schema of Arazzo"),
    .enabled(if: Tool.hasModule("jsonschema"), "Python has no jsonschema"))
  func anotherValidatorSaysTheSame() async throws {
    let (path, _) = try await exported()
    let script = """
      import json, sys, jsonschema
      schema, instance = (json.load(open(path)) for path in sys.argv[1:])
      validator = jsonschema.Draft202012Validator(schema)
      for error in validator.iter_errors(instance): print(error.json_path, error.message[:200])
      """
    let outcome = Tool.run(
      ["python3", "-c", script, try #require(Self.schemaPath), path], in: folder)
    #expect(outcome.status == 0, "\(outcome.error)")
    #expect(outcome.output == "")
  }
}
