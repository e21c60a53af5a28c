import PipelineJSONText
import Testing

@testable import PipelineOpenAPI

struct APIDescriptionTests {
  private func description(
    _ text: String, _ others: [String: String] = [:]
  ) throws -> APIDescription {
    try APIDescription(path: "api/main.yaml", bytes: Array(text.utf8)) {
      others[$0].map { Array($0.utf8) }
    }
  }

  private func problem(_ text: String) -> DescriptionProblem? {
    do {
      _ = try description(text)
      return nil
    } catch {
      return error as? DescriptionProblem
    }
  }

  @Test(arguments: [
    (#"{"swagger": "2.0"}"#, APIDescription.Version.swagger2), ("swagger: 2.0", .swagger2),
    ("openapi: 3.0.3", .openAPI30), (#"{"openapi": "3.1.1"}"#, .openAPI31),
    ("openapi: '3.2.0'", .openAPI32),
  ])
  func theVersionIsReadFromTheText(_ text: String, _ version: APIDescription.Version) throws {
    #expect(try description(text).version == version)
  }

  @Test func aTextThatIsNoDescriptionIsNamedWithItsPlace() {
    #expect(problem("a: 1")?.message.hasPrefix("it is not a description") == true)
    #expect(problem("openapi: 4.0.0")?.message.hasPrefix("version '4.0.0' is not") == true)
    #expect(problem("openapi: 3.0.0\na: [1")?.place?.line == 2)
  }

  @Test func referencesLeadThroughFilesAndEndWhereTheyLeadBack() throws {
    let main = """
      openapi: 3.0.0
      paths:
        /pets/{id}: {$ref: "parts/paths.yaml#/~1pets~1%7Bid%7D"}
      components:
        schemas:
          A: {$ref: "#/components/schemas/B"}
          B: {$ref: "#/components/schemas/A"}
          Tree: {type: object, properties: {child: {$ref: "#/components/schemas/Tree"}}}
      """
    let paths = """
      /pets/{id}:
        parameters: [{name: id, in: path, schema: {$ref: "../main.yaml#/components/schemas/A"}}]
        get:
          operationId: getPet
          parameters: [{$ref: "more.json#/list/0"}]
      """
    let more = #"{"list": [{"name": "q", "in": "query", "schema": {"type": "integer"}}]}"#
    let api = try description(main, ["api/parts/paths.yaml": paths, "api/parts/more.json": more])
    let operations = api.operations()
    #expect(operations.map(\.signature) == ["GET /pets/{id}"])
    let parameters = api.parameters(of: try #require(operations.first))
    #expect(parameters.map(\.name) == ["q", "id"])
    #expect(parameters.map(\.schema.type) == ["integer", nil])
    #expect(parameters.map(\.isRequired) == [false, true])
    let schemas = try #require(api.root["components"]?["schemas"])
    #expect(schemas["A"].flatMap { api.resolved($0) } == nil)
    let tree = Schema(try #require(schemas["Tree"]), in: api)
    #expect(tree.property("child")?.property("child")?.type == "object")
  }

  @Test func schemasAreSeenThroughAllOf() throws {
    let api = try description(
      """
      openapi: 3.1.0
      components:
        schemas:
          Base: {type: object, required: [id], properties: {id: {type: [string, "null"]}}}
          Pet:
            allOf:
              - $ref: "#/components/schemas/Base"
              - required: [name]
                properties: {name: {type: string}, id: {type: integer}}
      """)
    let pet = Schema(try #require(api.root["components"]?["schemas"]?["Pet"]), in: api)
    #expect(pet.type == "object")
    #expect(pet.required == ["id", "name"])
    #expect(pet.propertyNames == ["id", "name"])
    #expect(pet.property("id")?.type == "string")
  }

  @Test func serversHaveTheirVariablesAndSwaggerItsHost() throws {
    let new = try description(
      """
      openapi: 3.0.0
      servers:
        - url: https://{region}.example.com/v1/
          variables: {region: {default: eu}}
      paths:
        /a:
          get: {}
          post: {servers: [{url: /b}]}
      """)
    #expect(
      new.operations().map { new.servers(of: $0) } == [["https://eu.example.com/v1"], ["/b"]])
    let old = try description(
      "{swagger: '2.0', host: h.example, basePath: /v2, schemes: [http], paths: {/a: {get: {}}}}")
    #expect(old.operations().map { old.servers(of: $0) } == [["http://h.example/v2"]])
  }

  @Test func theFirstAlternativeThatAWorkflowCanMeetIsTheSecurity() throws {
    let api = try description(
      """
      openapi: 3.0.0
      security: [{cert: []}, {key: [], user: []}]
      components:
        securitySchemes:
          cert: {type: mutualTLS}
          key: {type: apiKey, in: header, name: X-Key}
          user: {type: http, scheme: Basic}
      paths:
        /a:
          get: {}
          put: {security: []}
          post: {security: [{user: []}, {}]}
      """)
    #expect(
      api.operations().map { api.security(of: $0) }
        == [[.apiKey(name: "X-Key", place: "header"), .basic], [], []])
  }

  @Test func theFirstFlowThatNeedsNoPersonIsTaken() throws {
    let api = try description(
      """
      openapi: 3.2.0
      components:
        securitySchemes:
          all:
            type: oauth2
            flows:
              implicit: {authorizationUrl: "https://id.example/a", scopes: {}}
              authorizationCode: {authorizationUrl: "https://id.example/a", tokenUrl: "https://id.example/t"}
              clientCredentials: {tokenUrl: "https://id.example/t"}
          login:
            type: oauth2
            flows:
              password: {tokenUrl: "https://id.example/t"}
              authorizationCode: {authorizationUrl: "https://id.example/a", tokenUrl: "https://id.example/t"}
          device:
            type: oauth2
            flows:
              deviceAuthorization: {deviceAuthorizationUrl: "https://id.example/d", tokenUrl: "https://id.example/t"}
          password: {type: oauth2, flows: {password: {tokenUrl: "https://id.example/t"}}}
          relative: {type: oauth2, flows: {clientCredentials: {tokenUrl: /t}}}
      paths:
        /a:
          get: {security: [{all: [w, r]}]}
          put: {security: [{login: []}]}
          post: {security: [{device: []}]}
          patch: {security: [{password: []}]}
          delete: {security: [{relative: []}]}
      """)
    let found = api.operations().map { operation -> String in
      guard case .oauth2(let flow)? = api.security(of: operation).first else { return "none" }
      guard let flow else { return "no flow" }
      return ([flow.grant.rawValue, flow.tokenURL, flow.loginURL ?? "-"] + flow.scopes)
        .joined(separator: " ")
    }
    #expect(
      Set(found) == [
        "clientCredentials https://id.example/t - r w",
        "authorizationCode https://id.example/t https://id.example/a",
        "deviceAuthorization https://id.example/t https://id.example/d", "no flow",
      ])
    #expect(found.filter { $0 == "no flow" }.count == 2)
  }

  @Test func methodsOf32AreReadFrom32On() throws {
    let text = "paths: {/a: {query: {}, additionalOperations: {COPY: {}}}}"
    #expect(try description("openapi: 3.1.0\n" + text).operations().isEmpty)
    #expect(
      try description("openapi: 3.2.0\n" + text).operations().map(\.method) == ["QUERY", "COPY"])
  }

  /// The type that a schema of `components` has.
  private func type(_ name: String, in api: APIDescription) -> String? {
    api.root["components"]?["schemas"]?[name].flatMap { Schema($0, in: api).type }
  }

  @Test func anchorsAndIDsNameSchemas() throws {
    let api = try description(
      """
      openapi: 3.1.0
      components:
        schemas:
          ByAnchor: {$ref: "#pet"}
          ByID: {$ref: "https://example.com/schemas/pet"}
          ByRelativeID: {$ref: "cat"}
          ByIDAndAnchor: {$ref: "https://example.com/schemas/pet#tag"}
          ByIDAndPointer: {$ref: "https://example.com/schemas/pet#/$defs/name"}
          OuterTag: {$ref: "#tag"}
          Unknown: {$ref: "#else"}
          InExample: {$ref: "#example"}
          Plain: {$anchor: pet, type: array}
          Pet:
            $id: https://example.com/schemas/pet
            type: object
            example: {$anchor: example, type: string}
            properties: {inner: {$ref: "#/$defs/name"}, fromRoot: {$ref: "#/components/schemas/Plain"}}
            $defs: {name: {type: string}, tag: {$anchor: tag, type: integer}}
          Cat: {$id: cat, type: boolean}
      """)
    let expected: [String: String?] = [
      "ByAnchor": "array", "ByID": "object", "ByRelativeID": "boolean", "ByIDAndAnchor": "integer",
      "ByIDAndPointer": "string", "OuterTag": nil, "Unknown": nil, "InExample": nil,
    ]
    for (name, wanted) in expected { #expect(type(name, in: api) == wanted, "\(name)") }
    let pet = try #require(api.root["components"]?["schemas"]?["Pet"])
    #expect(Schema(pet, in: api).property("inner")?.type == "string")
    #expect(Schema(pet, in: api).property("fromRoot")?.type == "array")
  }

  @Test func aDynamicReferenceIsFollowedIfItCanLeadToOnePlaceOnly() throws {
    let one = """
      openapi: 3.1.0
      components:
        schemas:
          Tree: {$dynamicAnchor: node, type: object, properties: {child: {$dynamicRef: "#node"}}}
          List: {type: object, properties: {items: {$dynamicRef: "#/components/schemas/Tree"}}}
      """
    func child(_ text: String, _ name: String, _ property: String) throws -> SchemaShape {
      let api = try description(text)
      let node = try #require(api.root["components"]?["schemas"]?[name])
      return SchemaShape(node, in: api).member(property).shape
    }
    #expect(try child(one, "Tree", "child").types == ["object"])
    #expect(try child(one, "List", "items").types == ["object"])
    let two = one + "\n    Other: {$id: other, $dynamicAnchor: node, type: string}"
    #expect(try child(two, "Tree", "child").types == nil)
  }

  @Test func aURLIsAFileIfTheDescriptionSaysWhereItIs() throws {
    let main = """
      openapi: 3.2.0
      $self: https://example.com/api/main
      components:
        schemas:
          Own: {$ref: "https://example.com/api/main#/components/schemas/Text"}
          Beside: {$ref: "https://example.com/api/parts/pet.yaml#/Pet"}
          Relative: {$ref: "parts/pet.yaml#/Pet"}
          Back: {$ref: "parts/pet.yaml#/Back"}
          Elsewhere: {$ref: "https://other.example.com/pet.yaml#/Pet"}
          Text: {type: string}
      """
    let pet = """
      Pet: {type: object}
      Back: {$ref: "https://example.com/api/main#/components/schemas/Text"}
      """
    let api = try description(main, ["api/parts/pet.yaml": pet])
    for (name, wanted) in [
      ("Own", "string"), ("Beside", "object"), ("Relative", "object"), ("Back", "string"),
      ("Elsewhere", nil),
    ] {
      #expect(type(name, in: api) == wanted, "\(name)")
    }
  }
}
