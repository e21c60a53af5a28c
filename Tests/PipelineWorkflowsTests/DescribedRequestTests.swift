import PipelineLint
import PipelineOpenAPI
import PipelineSourceText
import Testing

/// Requests against descriptions, right ones and wrong ones. Precision first: what may be right has no
/// finding.
struct DescribedRequestTests {
  private static let api = """
    openapi: 3.0.3
    servers:
      - url: https://{region}.example.com/{version}
        variables:
          region: { default: eu, enum: [eu, us] }
          version: { default: v1 }
    paths:
      /pets:
        parameters:
          - { name: kind, in: query, schema: { type: array, items: { type: string, enum: [cat, dog] } } }
          - { name: filter, in: query, style: deepObject, explode: true, schema: { type: object } }
          - { name: Accept, in: header, schema: { type: string, enum: [x] } }
          - { name: limit, in: query, required: true, schema: { type: integer, default: 20, maximum: 100 } }
        get:
          responses:
            200:
              content:
                application/json:
                  schema:
                    type: object
                    additionalProperties: false
                    properties:
                      pets: { type: array, items: { $ref: "#/components/schemas/Pet" } }
                      total: { type: integer }
            default: { content: { application/json: { schema: { $ref: "#/components/schemas/Error" } } } }
        post:
          requestBody:
            required: true
            content: { application/json: { schema: { $ref: "#/components/schemas/NewPet" } } }
          responses: { 201: { content: { application/json: { schema: { $ref: "#/components/schemas/Pet" } } } } }
      /pets/mine: { get: { responses: { 204: {} } } }
      /orders:
        post:
          requestBody:
            content:
              application/x-www-form-urlencoded:
                schema:
                  type: object
                  required: [kind, count]
                  properties:
                    kind: { type: string, enum: [cat, dog] }
                    count: { type: integer, multipleOf: 5 }
                    code: { type: string, pattern: "^[A-Z]{3}$" }
                    day: { type: string, format: date }
                    small: { type: integer, format: int32 }
                    filter: { type: object }
                    old: { type: string, deprecated: true }
          responses: { 201: { content: { application/json: { schema: { $ref: "#/components/schemas/Order" } } } } }
      /pictures:
        post:
          requestBody:
            content:
              multipart/form-data:
                schema:
                  type: object
                  required: [picture]
                  additionalProperties: false
                  properties: { picture: { type: string, format: binary }, size: { type: integer } }
          responses: { 204: {} }
      /pets/{id}:
        parameters: [{ name: id, in: path, required: true, schema: { type: integer, minimum: 1 } }]
        get:
          responses:
            200: { content: { application/json: { schema: { $ref: "#/components/schemas/Pet" } } } }
            206: { content: { text/csv: {} } }
        delete: { responses: { 204: {} } }
    components:
      schemas:
        Error: { type: object, properties: { message: { type: string } } }
        Pet:
          oneOf: [{ $ref: "#/components/schemas/Cat" }, { $ref: "#/components/schemas/Dog" }]
        Cat: { type: object, properties: { id: { type: integer }, lives: { type: integer } } }
        Dog: { type: object, properties: { id: { type: integer }, owner: { $ref: "#/components/schemas/Dog" } } }
        Order:
          type: object
          properties:
            id: { type: string }
            number: { type: integer, deprecated: true }
            lines: { type: array, items: { type: object, properties: { price: { type: number } } } }
        NewPet:
          type: object
          required: [id, kind, name, since]
          properties:
            id: { type: integer, readOnly: true }
            since: { type: string, default: now }
            kind: { type: string, nullable: true, enum: [cat, dog] }
            name: { type: string, maxLength: 5 }
            weight: { type: number }
            owner: { oneOf: [{ type: string }, { type: object, required: [name], properties: { name: {} } }] }
    """

  private func codes(_ step: String, _ more: String = "") throws -> [String] {
    let description = try APIDescription(
      path: "api.yaml", bytes: Array(Self.api.utf8), load: { _ in nil })
    let text = """
      {"inputs": {"x": {}, "n": {"type": "integer"}, "b": {"type": "boolean"},
        "of": {"enum": ["mine", "7"]}},
       "defaults": {"baseURL": "https://us.example.com/v1"},
       "steps": [{"id": "a", \(step)}\(more)],
       "outputs": {"all": ["{{inputs.x}}", "{{inputs.n}}", "{{inputs.b}}", "{{inputs.of}}"]}}
      """
    let linted = Linter(described: description).lint(
      SourceFile(name: "w.json", bytes: Array(text.utf8)))
    return linted.diagnostics.filter {
      Explanation[$0.code]?.text.described != nil || $0.severity == .error
    }.map { "\($0.severity.rawValue) \($0.code)" }
  }

  @Test(arguments: [
    #""endpoint": "GET /pets""#,
    #""endpoint": "GET /pets?kind=cat,dog&filter[name]=Rex&limit=5""#,
    #""endpoint": "GET /pets", "query": {"kind": ["cat", "{{inputs.x}}"], "limit": "{{inputs.x}}"}"#,
    #""endpoint": "GET /pets", "query": {"limit": "{{inputs.n}}", "kind": "dog"}, "headers": {"Accept": "text/csv"}"#,
    #""endpoint": "GET /pets/{{inputs.x}}", "extract": {"v": "$.lives", "w": "$.owner.owner.id"}"#,
    #""endpoint": "GET /pets/{{inputs.of}}""#,
    #""endpoint": "GET /pets/mine", "extract": {"v": "$.anything"}"#,
    #""endpoint": "GET /pets", "extract": {"v": "$.pets[0].lives", "w": "$..anything", "z": {"body": "$.next", "optional": true}}"#,
    #""endpoint": "GET /pets", "expect": {"status": [200, 404], "where": ["!@.body.error"]}"#,
    #""endpoint": "GET /pets/1", "expect": {"status": [200, 206]}, "extract": {"v": "$.a"}"#,
    #""endpoint": "POST /pets", "body": {"json": {"kind": null, "name": "Rex", "more": 1, "weight": 2}}"#,
    #""endpoint": "POST /pets", "body": {"json": {"{{inputs.x}}": "cat"}}"#,
    #""endpoint": "POST /pets", "body": {"json": "{{inputs.x}}"}"#,
    #""endpoint": "POST /pets", "body": {"json": {"$merge": [{"kind": "cat"}, "{{inputs.x}}"]}}"#,
    #""endpoint": "POST /pets", "body": {"json": {"kind": "cat", "name": "a{{inputs.x}}", "owner": {"name": 7}}}"#,
    #""endpoint": "POST /pets", "body": {"json": {"kind": "{{inputs.x}}", "name": "A", "owner": "B"}}"#,
    #""endpoint": "GET https://eu.example.com/v1/pets""#,
    #""endpoint": "GET https://asia.example.com/v1/nothing""#,
    #""endpoint": "GET https://us.example.com/v1beta/nothing""#,
    #""endpoint": "GET /{{+inputs.x}}/nothing""#,
    #""endpoint": "POST /orders", "body": {"form": {"kind": "cat", "count": "15", "code": "ABC", "day": "2026-01-31", "small": -2147483648, "filter[x]": 1, "else": 1}}"#,
    #""endpoint": "POST /orders", "body": {"form": {"kind": "{{inputs.x}}", "{{inputs.x}}": 1, "code": "{{inputs.x}}"}}"#,
    #""endpoint": "POST /orders", "body": {"form": {"kind": "cat", "count": 5}}, "extract": {"v": "$.lines[?@.price > 3].price", "w": "$.lines[?@.else]"}"#,
    #""endpoint": "POST /pictures", "body": {"multipart": [{"name": "picture", "file": "./a.png"}, {"name": "size", "value": 3}]}"#,
    #""endpoint": "GET /pets?limit={{inputs.x}}&kind=cat""#,
    // The template may stand for a pet's number as well as for 'mine'.
    #""endpoint": "DELETE /pets/{{inputs.of}}""#,
    #""endpoint": "HEAD /pets/mine""#,
  ])
  func whatMayBeRightHasNoFinding(_ step: String) throws {
    #expect(try codes(step) == [])
  }

  @Test(arguments: [
    (#""endpoint": "GET /pet""#, "error undescribed-operation"),
    (#""endpoint": "PUT /pets/{{inputs.x}}""#, "error undescribed-operation"),
    (#""endpoint": "GET /pets?limit=many""#, "error undescribed-value"),
    (#""endpoint": "GET /pets?kind=cow""#, "error undescribed-value"),
    (#""endpoint": "POST /orders", "body": {"form": {"kind": "cat"}}"#, "error missing-property"),
    (
      #""endpoint": "POST /orders", "body": {"form": {"kind": "cow", "count": 5}}"#,
      "error undescribed-value"
    ),
    (
      #""endpoint": "POST /orders", "body": {"form": {"kind": "cat", "count": "7"}}"#,
      "error undescribed-value"
    ),
    (
      #""endpoint": "POST /orders", "body": {"form": {"kind": "cat", "count": 5, "code": "abc"}}"#,
      "error undescribed-value"
    ),
    (
      #""endpoint": "POST /orders", "body": {"form": {"kind": "cat", "count": 5, "day": "tomorrow"}}"#,
      "warning undescribed-value"
    ),
    (
      #""endpoint": "POST /orders", "body": {"form": {"kind": "cat", "count": 5, "small": 2147483648}}"#,
      "warning undescribed-value"
    ),
    (
      #""endpoint": "POST /orders", "body": {"form": {"kind": "cat", "count": 5, "cdoe": "ABC"}}"#,
      "warning undescribed-property"
    ),
    (
      #""endpoint": "POST /orders", "body": {"form": {"kind": "cat", "count": 5, "old": "a"}}"#,
      "note deprecated-api"
    ),
    (
      #""endpoint": "POST /orders", "body": {"form": {"kind": "cat", "count": 5}}, "extract": {"v": "$.number"}"#,
      "note deprecated-api"
    ),
    (
      #""endpoint": "POST /orders", "body": {"form": {"kind": "cat", "count": 5}}, "extract": {"v": "$.lines[?@.prise > 3].price"}"#,
      "warning undescribed-member"
    ),
    (
      #""endpoint": "POST /orders", "body": {"form": {"kind": "cat", "count": 5}}, "extract": {"v": "$.lines[?@.cost > 3].price"}"#,
      "warning undescribed-member"
    ),
    (
      #""endpoint": "POST /pictures", "body": {"multipart": [{"name": "size", "value": 3}]}"#,
      "error missing-property"
    ),
    (
      #""endpoint": "POST /pictures", "body": {"multipart": [{"name": "picture", "file": "./a.png"}, {"name": "sise", "value": 3}]}"#,
      "error undescribed-property"
    ),
    (
      #""endpoint": "POST /pictures", "body": {"multipart": [{"name": "picture", "file": "./a.png"}, {"name": "size", "value": "big"}]}"#,
      "error undescribed-value"
    ),
    (#""endpoint": "DELETE /pets/mine""#, "error undescribed-operation"),
    (#""endpoint": "DELETE /pets/%6Dine""#, "error undescribed-operation"),
    (#""endpoint": "GET /pets/seven""#, "error undescribed-value"),
    (#""endpoint": "GET /pets/0""#, "error undescribed-value"),
    (#""endpoint": "GET /pets", "query": {"limit": 101}"#, "error undescribed-value"),
    (#""endpoint": "GET /pets", "query": {"limit": "{{inputs.b}}"}"#, "error undescribed-value"),
    (#""endpoint": "GET /pets", "query": {"kind": ["cat", "cow"]}"#, "error undescribed-value"),
    (#""endpoint": "GET /pets", "query": {"kind": "cow"}"#, "error undescribed-value"),
    (#""endpoint": "GET /pets", "extract": {"v": "$.next"}"#, "error undescribed-member"),
    (
      #""endpoint": "GET /pets", "paginate": {"next": "$.next", "maxPages": 9}"#,
      "warning undescribed-member"
    ),
    (#""endpoint": "GET /pets", "extract": {"v": "$.pets.id"}"#, "error undescribed-member"),
    (#""endpoint": "GET /pets", "extract": {"v": "$.pets[*].age"}"#, "warning undescribed-member"),
    (
      #""endpoint": "GET /pets/1", "expect": {"status": 200, "where": ["@.body.idd == 1"]}"#,
      "warning undescribed-member"
    ),
    (#""endpoint": "GET /pets/1", "expect": {"status": 201}"#, "warning undescribed-status"),
    (#""endpoint": "POST /pets""#, "error undescribed-body"),
    (#""endpoint": "POST /pets", "body": {"form": {"name": "A"}}"#, "error undescribed-body"),
    (#""endpoint": "POST /pets", "body": {"json": {"kind": "cat"}}"#, "error missing-property"),
    (
      #""endpoint": "POST /pets", "body": {"json": {"kind": "cat", "nmae": "A"}}"#,
      "warning undescribed-property"
    ),
    (
      #""endpoint": "POST /pets", "body": {"json": {"kind": "cow", "name": "A"}}"#,
      "error undescribed-value"
    ),
    (
      #""endpoint": "POST /pets", "body": {"json": {"kind": "cat", "name": "Rexxxx"}}"#,
      "error undescribed-value"
    ),
    (
      #""endpoint": "POST /pets", "body": {"json": {"kind": "cat", "name": "{{inputs.n}}"}}"#,
      "error undescribed-value"
    ),
    (
      #""endpoint": "POST /pets", "body": {"json": {"kind": "cat", "name": "A", "owner": 7}}"#,
      "error undescribed-value"
    ),
    (#""endpoint": "POST /pets", "body": {"json": [1]}"#, "error undescribed-value"),
  ])
  func whatIsWrongHasOneFinding(_ step: String, _ finding: String) throws {
    #expect(try codes(step) == [finding])
  }

  @Test func whatIsReadLaterIsFollowed() throws {
    let get = #""endpoint": "GET /pets", "extract": {"whole": "$", "pets": "$.pets"}"#
    let right = """
      , {"id": "b", "forEach": "$.a.pets", "as": "pet", "values": {"v": "{{pet.lives}}"}},
      {"id": "c", "when": "$.a.whole.next", "values": {"v": "{{a.whole.total}}",
        "w": {"$first": ["{{a.whole.next}}", 0]}}}
      """
    #expect(try codes(get, right) == [])
    let wrong = """
      , {"id": "b", "forEach": "$.a.pets", "as": "pet", "values": {"v": "{{pet.age}}"}},
      {"id": "c", "values": {"v": "{{a.whole.next}}"}},
      {"id": "d", "forEach": "$.a.whole.total", "values": {"v": 1}}
      """
    #expect(
      try codes(get, wrong) == [
        "warning undescribed-member", "error undescribed-member", "error for-each-type",
      ])
  }

  @Test(arguments: [
    ("GET /pet/7", "/pets/7"), ("GET /pet/{{inputs.x}}", "/pets/{{inputs.x}}"),
    ("POST /order", "/orders"),
  ])
  func aMisspeltPathIsComparedWithThoseOfItsMethod(_ endpoint: String, _ near: String) throws {
    let description = try APIDescription(
      path: "api.yaml", bytes: Array(Self.api.utf8), load: { _ in nil })
    let text = """
      {"inputs": {"x": {}}, "defaults": {"baseURL": "https://us.example.com/v1"},
       "steps": [{"id": "a", "endpoint": "\(endpoint)"}], "outputs": {"x": "{{inputs.x}}"}}
      """
    let linted = Linter(described: description).lint(
      SourceFile(name: "w.json", bytes: Array(text.utf8)))
    let found = try #require(linted.diagnostics.first { $0.code == "undescribed-operation" })
    #expect(found.message.contains("; did you mean '\(near)'?"))
    #expect(found.fix?.edits.first?.replacement == near)
  }
}
