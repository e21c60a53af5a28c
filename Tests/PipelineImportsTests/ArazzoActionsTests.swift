import PipelineJSONText
import Testing

@testable import PipelineImports

/// What leads from step to step, calls of other files, and keys that nobody reads.
@Suite struct ArazzoActionsTests {
  private let reader = ArazzoReaderTests()

  private func workflow(
    _ steps: String, _ more: String = "", _ others: [String: String] = [:]
  ) throws -> (root: JSONNode, report: ImportReport) {
    let text = ArazzoReaderTests.file(steps, more)
    return try reader.workflow(text, others: others)
  }

  @Test func aJumpLeavesOutTheStepsBetween() throws {
    let (root, report) = try workflow(
      """
            - stepId: check
              operationId: listPets
              outputs: { all: $response.body }
              onSuccess:
                - name: full
                  type: goto
                  stepId: last
                  criteria:
                    - condition: $response.body#/count > 3
                - name: none
                  type: end
                  criteria: [{ condition: $response.body#/count == 0 }]
            - stepId: middle
              operationId: listPets
              outputs: { some: $response.header.X-Some }
            - stepId: last
              operationId: getPet
              parameters:
                - { name: id, in: path, value: 7 }
                - { name: some, in: query, value: $steps.middle.outputs.some }
      """)
    #expect(report.refused.isEmpty, "\(report.refused)")
    let steps = try #require(root["steps"])
    #expect(
      steps[1]?["when"]?.string
        == "!($.check.count > 3) && !(!($.check.count > 3) && $.check.count == 0)")
    #expect(steps[2]?["when"]?.string == "!(!($.check.count > 3) && $.check.count == 0)")
    #expect(steps[0]?["extract"]?["count"]?["optional"]?.boolean == true)
    #expect(steps[1]?["otherwise"]?["some"]?.isNull == true)
  }

  @Test func aFailureGoesOnElsewhere() throws {
    let (root, report) = try workflow(
      """
            - stepId: find
              operationId: getPet
              parameters: [{ name: id, in: path, value: 7 }]
              onFailure:
                - name: again
                  type: retry
                  retryAfter: 0.5
                  retryLimit: 2
                  criteria: [{ condition: $statusCode == 503 }]
                - { name: none, type: goto, stepId: make, criteria: [{ condition: $statusCode == 404 }] }
              onSuccess: [{ name: found, type: end }]
            - stepId: unused
              operationId: listPets
            - stepId: make
              operationId: logIn
              requestBody: { payload: { id: 7 } }
      """)
    #expect(report.refused.isEmpty, "\(report.refused)")
    let steps = try #require(root["steps"])
    #expect(steps[0]?["onError"]?.text == #"{"recover":[404]}"#)
    #expect(
      steps[0]?["retry"]?.text
        == #"{"attempts":3,"on":[503],"delay":"500ms","factor":1,"jitter":false}"#)
    #expect(steps[1]?["when"]?.string == "!($.find.error.status == 404) && !($.find.status)")
    #expect(steps[2]?["when"]?.string == "!($.find.status)")
  }

  @Test func workflowsHaveParametersActionsAndOthersBefore() throws {
    let text = ArazzoReaderTests.file(
      """
            - stepId: list
              operationId: listPets
              timeout: 1500
            - stepId: one
              operationId: listPets
              dependsOn: [list]
              parameters: [{ name: token, in: query, value: $workflows.login.outputs.token }]
          parameters: [{ reference: $components.parameters.page, value: 4 }]
          dependsOn: [login]
          failureActions: [{ reference: $components.failureActions.again }]
      """,
      """
        - workflowId: login
          inputs: { type: object, properties: { password: { type: string } } }
          steps:
            - stepId: in
              operationId: logIn
              requestBody:
                payload: { user: a, list: [{ b: 1 }] }
                replacements:
                  - { target: /list/0/b, value: $inputs.password }
                  - { target: /more, value: true }
              outputs: { token: $response.body#/token }
          outputs: { token: $steps.in.outputs.token }
      components:
        parameters: { page: { name: page, in: query, value: 1 } }
        failureActions: { again: { name: again, type: retry } }
      """)
    let (root, report) = try reader.workflow(text)
    #expect(report.refused.isEmpty, "\(report.refused)")
    let written = root.text
    for part in [
      #""id":"login""#, #""json":{"user":"a","list":[{"b":"{{inputs.password}}"}],"more":true}"#,
      #""timeout":"1500ms""#, #""query":{"page":4}"#, #""dependsOn":["list"]"#,
      #""query":{"token":"{{login.token}}","page":4}"#, #""attempts":2"#,
    ] {
      #expect(written.contains(part), "\(part) in \(written)")
    }
  }

  @Test func anotherFileIsCalledBelowTheFolder() throws {
    let other = """
      arazzo: 1.0.1
      info: { title: Other, version: "1" }
      sourceDescriptions: [{ name: pets, url: api.yaml, type: openapi }]
      workflows:
        - workflowId: find
          steps:
            - { stepId: list, operationId: listPets, outputs: { first: $response.body#/0/id } }
            - { stepId: bad, operationId: listPets, surprise: 1 }
          outputs: { id: $steps.list.outputs.first }
      """
    func main(_ url: String) -> String {
      ArazzoReaderTests.file(
        """
              - stepId: get
                workflowId: $sourceDescriptions.other.find
                outputs: { id: $outputs.id }
        """
      ).replacing(
        "type: openapi }]", with: "type: openapi }, { name: other, url: \(url), type: arazzo }]")
    }
    let files = [
      "sub/other.yaml": other, "sub/api.yaml": ArazzoReaderTests.api, "../o.yaml": other,
    ]
    let (root, report) = try reader.workflow(main("./sub/other.yaml"), others: files)
    #expect(root["steps"]?[0]?["steps"]?[0]?["endpoint"]?.string == "GET /pets")
    #expect(report.refused.map(\.message) == ["the key 'surprise' has no counterpart here"])
    #expect(report.refused.first?.file == "sub/other.yaml")
    #expect(report.refused.first?.line == 8)
    // A path that leads out of the folder is only a name.
    for (url, reason) in [
      ("../o.yaml", "the file of 'other' is not there; put it beside the file as 'o.yaml'"),
      (
        "./sub/none.yaml",
        "the file of 'other' is not there; put it beside the file as 'sub/none.yaml'"
      ),
    ] {
      let problem = #expect(throws: Importer.Problem.self) {
        _ = try reader.workflow(main(url), others: files)
      }
      #expect(problem?.message.contains(reason) == true, "\(problem?.message ?? "")")
    }
  }

  @Test(arguments: [
    "surprise: 1", "x: { y: 1 }", "correlationId: a", "action: send",
    "onSuccess: [{ name: a, type: end, retryLimit: 3 }]",
    "onFailure: [{ name: a, type: end, more: 1 }]",
    "parameters: [{ name: a, in: query, value: 1, style: form }]",
    "successCriteria: [{ condition: $statusCode == 200, more: 1 }]",
    "requestBody: { payload: {}, encoding: 1 }",
    "outputs: { a: { context: $response.body, selector: $.a, type: jsonpath, more: 1 } }",
  ]) func aKeyThatNobodyReadsIsRefused(_ key: String) throws {
    let (_, report) = try workflow(
      """
            - stepId: one
              operationId: listPets
              \(key)
      """)
    let message = report.refused.first?.message ?? ""
    #expect(report.refused.count == 1, "\(report.refused)")
    #expect(message.hasSuffix("has no counterpart here"), "\(message)")
    // Extensions are no part of Arazzo.
    let (_, silent) = try workflow(
      """
            - stepId: one
              operationId: listPets
              x-more: 1
      """)
    #expect(silent.refused.isEmpty)
  }

  @Test func whatADescriptionAsksForIsASecretInput() throws {
    let secured = """
      openapi: 3.0.3
      servers: [{ url: https://secured.example }]
      security: [{ key: [] }]
      components:
        securitySchemes:
          key: { type: apiKey, in: header, name: X-Api-Key }
          http: { type: http, scheme: bearer }
      paths:
        /a: { get: { operationId: a, security: [{ http: [] }] } }
        /b: { get: { operationId: b } }
        /c: { get: { operationId: c, security: [] } }
      """
    let text = ArazzoReaderTests.file(
      """
            - { stepId: a, operationId: a }
            - { stepId: b, operationId: b }
            - { stepId: c, operationId: c }
            - { stepId: d, operationId: a, parameters: [{ name: Authorization, in: header, value: $inputs.user-name }] }
      """
    ).replacing("./api.yaml", with: "./secured.yaml")
    let (root, report) = try reader.workflow(text, others: ["secured.yaml": secured])
    #expect(report.refused.isEmpty, "\(report.refused)")
    let steps = try #require(root["steps"])
    #expect(steps[0]?["auth"]?.text == #"{"bearer":"{{inputs.token}}"}"#)
    #expect(steps[1]?["headers"]?.text == #"{"X-Api-Key":"{{inputs.xApiKey}}"}"#)
    #expect(steps[2]?["auth"] == nil && steps[2]?["headers"] == nil)
    #expect(steps[3]?["auth"] == nil)
    #expect(root["inputs"]?["token"]?["secret"]?.boolean == true)
  }

  /// Each key of each object of the standard is read, refused, or approximated.
  @Test(arguments: [
    ("timeout: 5", #""timeout":"5ms""#), ("description: Text", #""description":"Text""#),
    ("successCriteria: [{ condition: $statusCode == 201 }]", #""status":201"#),
    (
      "successCriteria: [{ context: $response.body#/a, type: regex, condition: '^\\d+[\\w.]*$' }]",
      #"search(@.body.a, '^[0-9]+[A-Za-z0-9_.]*$')"#
    ),
    ("successCriteria: [{ condition: $inputs.user-name == 'a' }]", "{{inputs.userName}} == 'a'"),
    ("parameters: [{ name: a, in: cookie, value: abcdef }]", #""cookies":{"a":"{{inputs.a}}"}"#),
    (
      "parameters: [{ name: a, in: querystring, value: { b: 1, c: $inputs.user-name } }]",
      #""query":{"b":1,"c":"{{inputs.userName}}"}"#
    ),
    ("requestBody: { payload: { $sum: [1] } }", #""json":{"$literal":{"$sum":[1]}}"#),
    ("outputs: { a: $url }", #""a":{"url":true}"#),
    ("outputs: { a: $response.body.b.c }", #""a":"$.b.c""#),
    (
      "successCriteria: [{ condition: $response.body#/done == true }]\n        onFailure: [{ name: r, type: retry }]",
      #""retry":{"attempts":2,"on":["network","timeout","4xx","5xx"],"when":"!(@.body.done == true)"}"#
    ),
  ]) func keysAreTranslated(_ key: String, _ expected: String) throws {
    let (root, report) = try workflow(
      """
            - stepId: one
              operationId: listPets
              \(key)
      """)
    #expect(report.refused.isEmpty, "\(report.refused)")
    #expect(root.text.contains(expected), "\(root.text)")
  }
}
