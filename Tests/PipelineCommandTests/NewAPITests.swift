import Foundation
import PipelineHTTPServers
import PipelineJSONText
import PipelineSandboxServers
import PipelineTestSupport
import PipelineTestTraits
import Testing

@testable import PipelineCommand

struct NewAPITests {
  private let folder = TemporaryFolder()

  private static let users = """
    openapi: 3.1.0
    info: {title: Users, version: "1"}
    security: [{token: []}]
    paths:
      /users:
        get:
          operationId: listUsers
          responses:
            200: {description: ok, content: {application/json: {schema: {type: object}}}}
        post:
          operationId: createUser
          requestBody:
            required: true
            content:
              application/json:
                schema:
                  type: object
                  required: [name, age, id]
                  properties:
                    id: {type: integer, readOnly: true}
                    name: {type: string}
                    age: {type: [integer, "null"], default: 30}
          responses:
            201:
              description: made
              content:
                application/json:
                  schema: {type: object, properties: {id: {type: integer}}}
      /users/{userId}:
        parameters: [{name: userId, in: path, required: true, schema: {type: integer}}]
        delete: {operationId: deleteUser, responses: {204: {description: gone}}}
        put: {operationId: replaceUser, responses: {200: {description: ok}}}
    components:
      securitySchemes: {token: {type: http, scheme: bearer}}
    """

  @Test func aDescriptionBecomesACleanWorkflowThatRuns() async throws {
    let path = folder.write(Self.users, to: "users.yaml")
    let result = await pipeline(["new", "--api", path])
    #expect(result.status == .success, "\(result.error)")
    let target = folder.write(result.output, to: "w.json")
    #expect(await pipeline(["lint", "--strict", target]).error == "No problems in 1 file\n")
    #expect(await pipeline(["format", "--check", target]).status == .success)
    // Data order: what reads the created user's id comes after it, and the deletion last.
    let ids = result.output.split(separator: "\n").filter { $0.contains("\"id\": \"") }
    #expect(
      ids.map { $0.split(separator: "\"")[3] }
        == ["listUsers", "createUser", "replaceUser", "deleteUser"])
    #expect(result.output.contains("\"PUT /users/{{createUser.userId}}\""))
    #expect(
      result.output.contains("userId: 'id' in the 201 response of POST /users, \(path):28"))
    #expect(result.output.contains(#""age": { "type": "integer", "default": 30 }"#))
    let run = await pipeline([
      "run", target, "-q", "--no-store", "--set", "server=sandbox:/reqres", "--set", "name=Ann",
      "--set", "token=t",
    ])
    #expect(run.status == .success, "\(run.error)")
  }

  @Test func operationsAreChosenByIdAndSignature() async {
    let path = folder.write(Self.users, to: "users.yaml")
    let list = await pipeline(["new", "--api", path, "--list"])
    #expect(
      list.output == """
        GET     /users           listUsers
        POST    /users           createUser
        DELETE  /users/{userId}  deleteUser
        PUT     /users/{userId}  replaceUser

        """)
    let two = await pipeline([
      "new", "--api", path, "--operations", "DELETE /users/{userId},listUsers", "--list",
    ])
    #expect(two.output.split(separator: "\n").count == 2)
    let wrong = await pipeline(["new", "--api", path, "--operations", "listUser"])
    #expect(wrong.status == .usage)
    #expect(wrong.error.contains("has no operation 'listUser'; did you mean 'listUsers'?"))
  }

  @Test(arguments: [
    ("a: [1", "a closing bracket is missing at the end of the text"),
    ("a: 1", "it is not a description of an API; 'openapi' and 'swagger' are missing"),
    ("{\"openapi\": \"2.9\"}", "version '2.9' is not supported"),
    ("openapi: 3.0.0", "describes no operations"),
  ])
  func aFileThatCannotBeReadIsNamed(_ text: String, _ reason: String) async {
    let path = folder.write(text, to: "api.yaml")
    let result = await pipeline(["new", "--api", path])
    #expect(result.status == .usage)
    #expect(result.error.contains(reason), "\(result.error)")
    #expect(result.error.contains(path))
  }

  @Test func duplicateAndMergeKeysAreNoted() async {
    let text = """
      openapi: 3.0.0
      x-base: &base {summary: Base}
      paths:
        /a:
          get: {<<: *base, responses: {}, responses: {}}
      """
    let path = folder.write(text, to: "odd.yaml")
    let result = await pipeline(["new", "--api", path])
    #expect(result.status == .success)
    #expect(result.output.contains("\"description\": \"Base\""))
    #expect(result.error.contains("note: \(path):5:11: '<<' comes from YAML 1.1"))
    #expect(
      result.error.contains("note: \(path):5:37: the key \"responses\" appears twice"),
      "\(result.error)")
  }

  /// A body that contains itself under thirty names would have 24 million members four levels deep.
  @Test(.timeLimit(.minutes(1))) func aBodyThatContainsItselfManyTimesIsCut() async {
    let names = (0..<30).map { "p\($0)" }
    let properties = names.map { "\($0): {$ref: '#/components/schemas/N'}" }
    let text = """
      openapi: 3.0.0
      paths:
        /a:
          post:
            requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/N'}}}}
      components:
        schemas:
          N:
            type: object
            required: [\(names.joined(separator: ", "))]
            properties: {\(properties.joined(separator: ", "))}
      """
    let result = await pipeline(["new", "--api", folder.write(text, to: "deep.yaml")])
    #expect(result.status == .success)
    #expect(result.output.utf8.count < 200_000)
  }

  @Test func optionsOfADescriptionNeedOne() async {
    for words in [["new"], ["new", "--list"], ["new", "--api", "a", "--curl", "curl x"]] {
      let result = await pipeline(words)
      #expect(result.status == .usage)
      #expect(result.error.contains("give one of --curl, --api and --test"))
    }
    let result = await pipeline(["new", "--curl", "curl http://x", "--list"])
    #expect(result.error.contains("--operations and --list go with --api"))
  }

  @Test func credentialsFormsAndPagesAreTakenOver() async throws {
    let text = """
      swagger: "2.0"
      info: {title: Old, version: "1"}
      host: api.example.com
      securityDefinitions:
        key: {type: apiKey, in: query, name: api_key}
        app: {type: oauth2, flow: application, tokenUrl: https://id.example.com/t, scopes: {r: x}}
      paths:
        /a:
          get:
            security: [{key: []}]
            parameters:
              - {name: pageToken, in: query, type: string}
              - {name: ids, in: query, required: true, type: array, items: {type: string}}
            responses:
              200:
                schema:
                  type: object
                  properties: {rows: {type: array}, nextPageToken: {type: string}}
        /b:
          post:
            security: [{app: [r]}]
            parameters:
              - {name: photo, in: formData, type: file, required: true}
              - {name: title, in: formData, type: string}
            responses: {200: {description: ok}}
      """
    let path = folder.write(text, to: "old.yaml")
    let result = await pipeline(["new", "--api", path])
    let target = folder.write(result.output, to: "w.json")
    #expect(
      await pipeline(["lint", "--strict", target]).error == "No problems in 1 file\n",
      "\(result.output)")
    for part in [
      #""api_key": "{{inputs.api_key}}""#,
      #"{ "ignore": { "secret-in-url": "the description takes the credential only there" } }"#,
      #""paginate": { "cursor": "$.nextPageToken", "param": "pageToken", "maxPages": 100 }"#,
      #""items": "$.rows[*]""#, #""tokenURL": "https://id.example.com/t""#,
      #"{ "name": "photo", "file": "{{inputs.photo}}" }"#,
    ] {
      #expect(result.output.contains(part), "\(part): \(result.output)")
    }
  }

  @Test func flowsOfOAuthBecomeSettingsOfTheRun() async throws {
    let text = """
      openapi: 3.2.0
      servers: [{url: "https://api.example.com"}]
      components:
        securitySchemes:
          login:
            type: oauth2
            flows:
              authorizationCode:
                authorizationUrl: https://id.example.com/authorize
                tokenUrl: https://id.example.com/token
          device:
            type: oauth2
            flows:
              deviceAuthorization:
                deviceAuthorizationUrl: https://id.example.com/device
                tokenUrl: https://id.example.com/token
          old: {type: oauth2, flows: {password: {tokenUrl: "https://id.example.com/token"}}}
      paths:
        /a: {get: {security: [{login: [read]}], responses: {200: {description: ok}}}}
        /b: {get: {security: [{device: []}], responses: {200: {description: ok}}}}
        /c: {get: {security: [{old: []}], responses: {200: {description: ok}}}}
      """
    let path = folder.write(text, to: "flows.yaml")
    let result = await pipeline(["new", "--api", path])
    let target = folder.write(result.output, to: "w.json")
    #expect(
      await pipeline(["lint", "--strict", target]).error == "No problems in 1 file\n",
      "\(result.output)")
    let root = try JSONDocument.parse(Array(result.output.utf8)).root
    let steps = root["steps"]?.elements.map { $0 } ?? []
    #expect(
      steps.map { $0["auth"]?["oauth2"]?["grant"]?.string }
        == ["authorizationCode", "deviceAuthorization", nil])
    #expect(
      steps[0]["auth"]?["oauth2"]?["authorizationURL"]?.string
        == "https://id.example.com/authorize")
    #expect(
      steps[1]["auth"]?["oauth2"]?["deviceAuthorizationURL"]?.string
        == "https://id.example.com/device")
    #expect(root["inputs"]?["clientSecret"]?["optional"]?.boolean == true)
    #expect(steps[2]["auth"]?["bearer"]?.string == "{{inputs.token}}")
    #expect(result.error.contains("names no flow of OAuth 2.0 by which a run gets a token"))
  }

  private static let search = """
    openapi: 3.0.0
    servers: [{url: "https://api.example.com/v1"}, {url: "https://eu.example.com/v1"}]
    paths:
      /search:
        get:
          parameters:
            - {name: q, in: query, required: true, schema: {type: string}}
            - {name: X-Part, in: header, required: true, schema: {type: string}}
      /pets/{id}: {get: {}, put: {}}
      /pets/mine: {delete: {}}
    """

  @Test(arguments: [
    ("GET https://api.example.com/v1/pet/1", "describes no path '/pet/1'"),
    ("GET https://api.example.com/v1/serch?q=1", "did you mean '/search'?"),
    ("GET https://eu.example.com/v1/pets/1/toys", "describes no path '/pets/1/toys'"),
    ("POST https://api.example.com/v1/pets/{{inputs.x}}", "has no POST in"),
    ("DELETE https://api.example.com/v1/pets/1", "'/pets/{id}' has no DELETE in"),
    ("GET https://api.example.com/v1/search", "lacks the parameter 'q', which the API requires"),
    ("GET https://api.example.com/v1/search?q=1", "lacks the header 'X-Part'"),
  ])
  func aRequestThatTheDescriptionLacksIsAnError(_ endpoint: String, _ message: String) async {
    let api = folder.write(Self.search, to: "api.yaml")
    let workflow = folder.write(
      #"{"inputs": {"x": {"type": "string"}}, "steps": [{"id": "a", "endpoint": "\#(endpoint)", "headers": {"A": "{{inputs.x}}"}}]}"#,
      to: "w.json")
    let result = await pipeline(["lint", "--against", api, workflow])
    #expect(result.status == .invalid)
    #expect(result.output.contains(message), "\(result.output)")
    #expect(await pipeline(["lint", workflow]).status == .success)
  }

  @Test(arguments: [
    "GET https://api.example.com/v1/pets/{{inputs.x}}", "HEAD https://eu.example.com/v1/pets/7",
    "DELETE https://api.example.com/v1/pets/{{inputs.x}}", "PUT https://api.example.com/v1/pets/1/",
    "OPTIONS https://api.example.com/v1/search", "GET https://other.example.com/v1/nothing",
    "GET https://api.example.com/v2/nothing", "GET {{inputs.x}}/v1/nothing",
  ])
  func aRequestThatMayBeRightIsNoError(_ endpoint: String) async {
    let api = folder.write(Self.search, to: "api.yaml")
    let workflow = folder.write(
      #"{"inputs": {"x": {"type": "string"}}, "steps": [{"id": "a", "endpoint": "\#(endpoint)", "headers": {"A": "{{inputs.x}}"}}]}"#,
      to: "w.json")
    let result = await pipeline(["lint", "--against", api, workflow])
    #expect(!result.output.contains("undescribed-operation"), "\(result.output)")
    #expect(!result.output.contains("missing-parameter"), "\(result.output)")
  }

  // MARK: Corpora

  private static let descriptions: [String] = {
    guard let corpora = Conformance.corpora else { return [] }
    return Conformance.files(in: corpora + "/openapi", ending: ".gz")
      + Conformance.files(in: corpora + "/openapi/oai/v3.0/pass", ending: ".yaml")
  }()

  @Test(.enabled(if: !descriptions.isEmpty, "$CORPORA_DIR has no descriptions"))
  func foreignDescriptionsBecomeCleanWorkflows() async throws {
    var count = 0
    for path in Self.descriptions {
      var file = path
      if path.hasSuffix(".gz") {
        file = folder.path + "/api\(count)"
        let outcome = Tool.run(["sh", "-c", "gzip -dc \(path) > \(file)"], in: folder)
        try #require(outcome.status == 0, "\(outcome.error)")
      }
      let result = await pipeline(["new", "--api", file])
      #expect(result.status == .success, "\(path): \(result.error)")
      let target = folder.write(result.output, to: "w\(count).json")
      let lint = await pipeline(["lint", "--strict", "--against", file, target])
      // A deprecated operation is worth a note.
      let isClean = lint.output.split(separator: "\n").allSatisfy { line in
        !line.contains(": error: ") && !line.contains(": warning: ")
      }
      #expect(lint.status == .success && isClean, "\(path): \(lint.output)")
      #expect(await pipeline(["format", "--check", target]).status == .success, "\(path)")
      count += 1
    }
    #expect(count >= 9)
  }

  /// A list or an object is written as its parameter says, and headers that OpenAPI ignores are no
  /// inputs.
  @Test func parametersAreWrittenInTheirStyle() async throws {
    let path = folder.write(
      """
      openapi: 3.0.3
      info: {title: Shop, version: "1"}
      servers: [{url: "https://shop.example/echo"}]
      paths:
        /m/{id}/{tag}:
          get:
            operationId: read
            parameters:
              - {name: id, in: path, required: true, style: matrix, schema: {type: integer}}
              - {name: tag, in: path, required: true, style: label, schema: {type: string}}
              - {name: ids, in: query, required: true, style: pipeDelimited, explode: false, schema: {type: array, items: {type: integer}}}
              - {name: words, in: query, required: true, style: spaceDelimited, schema: {type: array, items: {type: string}}}
              - {name: filter, in: query, required: true, style: deepObject, schema: {type: object}}
              - {name: Accept, in: header, required: true, schema: {type: string}}
              - {name: Authorization, in: header, required: true, schema: {type: string}}
            responses: {200: {description: ok}}
      """, to: "styles.yaml")
    let result = await pipeline(["new", "--api", path])
    #expect(result.status == .success, "\(result.error)")
    let root = try JSONDocument.parse(Array(result.output.utf8)).root
    #expect(
      root["inputs"]?.members.map(\.name) == ["id", "tag", "ids", "words", "filter"])
    #expect(
      root["steps"]?[0]?["endpoint"]?.string == "GET /m/;id={{inputs.id}}/.{{inputs.tag}}")
    let target = folder.write(result.output, to: "w.json")
    #expect(await pipeline(["lint", target]).status == .success)
    folder.write(
      #"{"id": 5, "tag": "x", "ids": [1, 2], "words": ["a", "b"], "filter": {"c": 3}}"#,
      to: "inputs.json")
    let server = try SandboxServer.start()
    defer { server.stop() }
    let moved = folder.write(
      result.output.replacingOccurrences(of: "https://shop.example", with: server.origin),
      to: "w.json")
    _ = await pipeline(["run", moved, "-q", "--no-store", "--inputs", folder.path + "/inputs.json"])
    #expect(
      server.records.requests.first?.target
        == "/echo/m/;id=5/.x?ids=1%7C2&words=a%20b&filter%5Bc%5D=3")
  }
}
