import PipelineJSONText
import PipelineOpenAPI
import Testing

@testable import PipelineImports

@Suite struct ArazzoReaderTests {
  static let api = """
    openapi: 3.0.3
    servers: [{ url: https://api.example.com/v1 }]
    paths:
      /login: { post: { operationId: logIn, requestBody: { content: { application/json: {} } } } }
      /pets: { get: { operationId: listPets } }
      /pets/{id}:
        get: { operationId: getPet }
        delete: { operationId: deletePet }
    """

  static func file(_ steps: String, _ more: String = "") -> String {
    """
    arazzo: 1.0.1
    info: { title: Pets, version: "1" }
    sourceDescriptions: [{ name: pets, url: ./api.yaml, type: openapi }]
    workflows:
      - workflowId: main
        inputs:
          type: object
          properties: { user-name: { type: string }, password: { type: string } }
        steps:
    \(steps)
    \(more)
    """
  }

  func workflow(
    _ text: String, _ chosen: String? = nil, others: [String: String] = [:]
  ) throws -> (root: JSONNode, report: ImportReport) {
    var importer = Importer(isRelaxed: false)
    let value = try importer.arazzoWorkflow(
      of: [.init(name: "a.yaml", bytes: Array(text.utf8))], chosen: chosen
    ) { path in
      let content = path == "api.yaml" ? Self.api : others[path]
      return content.map { Array($0.utf8) }
    }
    return (try #require(value).node, importer.report)
  }

  @Test func stepsBecomeStepsWithWhatTheyReadAndExpect() throws {
    let (root, report) = try workflow(
      Self.file(
        """
              - stepId: log-in
                operationId: $sourceDescriptions.pets.logIn
                requestBody:
                  payload: { user: $inputs.user-name, password: "{$inputs.password}" }
                successCriteria:
                  - condition: $statusCode == 200 || $statusCode == 201
                  - condition: $response.body#/token != null
                  - { context: $response.body, type: jsonpath, condition: "$.roles[?@ == 'admin']" }
                outputs: { token: $response.body#/token, limit: $response.header.X-Limit }
              - stepId: pet
                operationPath: '{$sourceDescriptions.pets.url}#/paths/~1pets~1{id}/get'
                parameters:
                  - { name: id, in: path, value: 7 }
                  - { name: Authorization, in: header, value: "Bearer {$steps.log-in.outputs.token}" }
                onFailure: [{ name: again, type: retry, retryAfter: 2, retryLimit: 3 }]
                outputs: { pet: $response.body }
            outputs: { name: $steps.pet.outputs.pet#/name }
        """))
    #expect(report.refused.isEmpty, "\(report.refused)")
    #expect(report.translated == 2)
    let text = root.text
    for part in [
      #""order":"listed""#, #""baseURL":"https://api.example.com/v1""#,
      #""endpoint":"POST /login""#,
      #""body":{"json":{"user":"{{inputs.userName}}","password":"{{inputs.password}}"}}"#,
      #""status":[200,201]"#, #""(@.body.token && @.body.token != null)""#,
      #""@.body.roles[?@ == 'admin']""#, #""token":{"body":"$.token","secret":true}"#,
      #""endpoint":"GET /pets/7""#, #""Authorization":"Bearer {{logIn.token}}""#,
      #""retry":{"attempts":4,"on":["network","timeout","4xx","5xx"],"delay":"2s","factor":1,"jitter":false}"#,
      #""name":"{{pet.pet.name}}""#,
    ] {
      #expect(text.contains(part), "\(part) in \(text)")
    }
  }

  @Test(arguments: [
    "{$sourceDescriptions.pets.url}#/paths/~1pets~1{id}/get",
    "$sourceDescriptions.pets.url#/paths/~1pets~1{id}/get", "pets#/paths/~1pets~1{id}/get",
    "./api.yaml#/paths/~1pets~1%7Bid%7D/get", "#/paths/~1pets~1{id}/get",
  ])
  func anOperationPathBeginsWithItsSource(_ path: String) throws {
    let (root, report) = try workflow(
      Self.file(
        """
              - stepId: get
                operationPath: '\(path)'
                parameters: [{ name: id, in: path, value: 5 }]
        """))
    #expect(report.refused.isEmpty, "\(report.refused)")
    #expect(root["steps"]?[0]?["endpoint"]?.string == "GET /pets/5")
  }

  @Test func aCalledWorkflowIsABlock() throws {
    let called = """
        - workflowId: find
          inputs: { type: object, properties: { id: { type: integer }, note: { type: string } } }
          steps:
            - stepId: get
              operationId: getPet
              parameters:
                - { name: id, in: path, value: $inputs.id }
                - { name: note, in: query, value: $inputs.note }
              outputs: { owner: $response.body#/owner }
          outputs: { owner: $steps.get.outputs.owner }
      """
    let (root, report) = try workflow(
      Self.file(
        """
              - stepId: get
                workflowId: find
                parameters: [{ name: id, value: 5 }]
                outputs: { who: $outputs.owner }
            outputs: { who: $steps.get.outputs.who }
        """, called))
    #expect(report.refused.isEmpty, "\(report.refused)")
    #expect(root["steps"]?[0]?["steps"]?[0]?["endpoint"]?.string == "GET /pets/5")
    #expect(root["steps"]?[0]?["steps"]?[0]?["query"] == nil)
    #expect(root["outputs"]?["who"]?.string == "{{get.owner}}")
  }

  @Test(arguments: [
    ("operationId: noSuch", "no description has the operation 'noSuch'"),
    ("channelPath: $x", "messages of AsyncAPI have no counterpart"),
    ("operationId: getPet", "the path /pets/{id} lacks a parameter"),
    (
      "operationPath: '{$sourceDescriptions.pets.url}#/paths/~1pets~1{id}'",
      "'/pets/{id}' has several methods, and the path names none"
    ),
    (
      "operationId: listPets\n            onSuccess: [{ name: a, type: goto, stepId: one }]",
      "'goto' back to step 'one' makes a loop; write 'poll' or 'repeat'"
    ),
    (
      "operationId: listPets\n            successCriteria: [{ context: $response.body, type: xpath, condition: //a }]",
      "criteria of type 'xpath' have no counterpart"
    ),
    (
      "operationId: listPets\n            parameters: [{ name: a, in: query, value: $steps.none.outputs.b }]",
      "there is no step 'none' before it"
    ),
    (
      "operationId: listPets\n            outputs: { a: $request.body }",
      "the output 'a' is not in what the step sends"
    ),
  ]) func whatHasNoCounterpartIsRefusedWithItsReason(_ step: String, _ reason: String) throws {
    let (_, report) = try workflow(
      Self.file(
        "          - stepId: first\n            operationId: listPets\n          - stepId: one\n            \(step)"
      ))
    #expect(report.refused.map(\.message) == ["step 'one': \(reason)"])
    #expect(report.translated == 1)
  }

  @Test func whatIsWrittenIsReadAsTheSame() throws {
    let text = """
      {
        "format": 1,
        "name": "pets",
        "description": "Log in and read.",
        "inputs": {
          "user": { "type": "string", "description": "Who." },
          "limit": { "type": "integer", "default": 3 },
          "note": { "optional": true }
        },
        "defaults": { "baseURL": "https://api.example.com/v1" },
        "order": "listed",
        "steps": [
          {
            "id": "around",
            "description": "In a block.",
            "order": "listed",
            "steps": [
              { "id": "list", "endpoint": "GET /pets", "query": { "n": "{{inputs.limit}}" },
                "extract": { "first": "$[0]" } },
              {
                "id": "deep",
                "steps": [
                  { "id": "one", "endpoint": "GET /pets/{{list.first.id}}",
                    "query": { "n": "{{inputs.limit}}" }, "extract": { "name": "$.name" } }
                ],
                "outputs": { "name": "{{one.name}}" }
              }
            ],
            "outputs": { "name": "{{deep.name}}" }
          },
          {
            "id": "login",
            "endpoint": "POST /login",
            "body": { "json": { "user": "{{inputs.user}}", "tags": [1, "a {{inputs.limit}}"] } },
            "expect": {
              "status": [200, 201],
              "where": ["@.body.count > 3", "@.body.roles[?@ == 'admin']"]
            },
            "extract": { "id": "$.pets[0]['a b'].id", "trace": { "header": "X-Trace" } }
          },
          {
            "id": "pet",
            "description": "Read it.",
            "endpoint": "GET /pets/{{login.id}}",
            "query": { "limit": "{{inputs.limit}}", "note": "{{inputs.note}}", "name": "{{around.name}}" },
            "headers": { "X-Trace": "{{login.trace}}" },
            "extract": { "pet": "$" },
            "retry": { "attempts": 4, "on": [500, 503], "delay": "2s", "factor": 1, "jitter": false }
          }
        ],
        "outputs": { "name": "{{pet.pet.name}}" }
      }
      """
    let root = try JSONDocument.parse(Array(text.utf8)).root
    let description = try APIDescription(path: "api.yaml", bytes: Array(Self.api.utf8)) { _ in nil }
    var writer = ArazzoWriter(
      root, file: "w.json", line: { _ in 1 }, description, url: "./api.yaml")
    let file = writer.file()
    let written = try #require(file)
    #expect(writer.report.refused.isEmpty, "\(writer.report.refused)")
    let (read, report) = try workflow(written.node.text)
    #expect(report.refused.isEmpty, "\(report.refused)")
    #expect(Self.sorted(read) == Self.sorted(root))
  }

  /// The text of JSON with the members of objects in the order of their names.
  private static func sorted(_ node: JSONNode) -> String {
    switch node.kind {
    case .object:
      let members = node.members.sorted { $0.name < $1.name }
      return "{" + members.map { "\($0.name): \(sorted($0.value))" }.joined(separator: ", ") + "}"
    case .array: return "[" + node.elements.map(sorted).joined(separator: ", ") + "]"
    default: return node.text
    }
  }

  @Test(arguments: [
    (#""forEach": [1], "endpoint": "GET /pets""#, "'forEach' has no counterpart in Arazzo"),
    (#""endpoint": "GET /nothing""#, "the description has no operation for 'GET /nothing'"),
    (
      #""endpoint": "GET /pets", "extract": { "all": "$[*].id" }"#,
      "the query selects more than one value"
    ),
    (
      #""endpoint": "GET /pets", "expect": { "status": "2xx" }"#,
      "a class of statuses has no counterpart"
    ),
    (
      #""endpoint": "POST /login", "body": { "text": "a" }"#, "a body as 'text' has no counterpart"
    ),
  ]) func aLossIsNamed(_ step: String, _ reason: String) throws {
    let text = """
      {
        "defaults": { "baseURL": "https://api.example.com/v1" },
        "order": "listed",
        "steps": [{ "id": "a", "endpoint": "GET /pets" }, { "id": "b", \(step) }]
      }
      """
    let root = try JSONDocument.parse(Array(text.utf8)).root
    let description = try APIDescription(path: "api.yaml", bytes: Array(Self.api.utf8)) { _ in nil }
    var writer = ArazzoWriter(
      root, file: "w.json", line: { _ in 1 }, description, url: "./api.yaml")
    let file = writer.file()
    #expect(file != nil)
    #expect(writer.report.refused.map(\.message) == ["step 'b': \(reason)"])
  }

  @Test func anotherVersionIsNamed() {
    var importer = Importer(isRelaxed: false)
    let problem = #expect(throws: Importer.Problem.self) {
      _ = try importer.arazzoWorkflow(
        of: [.init(name: "x", bytes: Array("arazzo: 1.2.0".utf8))], chosen: nil
      ) { _ in nil }
    }
    #expect(problem?.message == "it is Arazzo 1.2.0, and import reads 1.0 and 1.1")
  }
}
