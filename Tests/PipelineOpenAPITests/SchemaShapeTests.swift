import PipelineJSONText
import Testing

@testable import PipelineOpenAPI

struct SchemaShapeTests {
  /// The shape of a schema in YAML, beside these others.
  private func shape(_ schema: String, _ others: String = "") throws -> SchemaShape {
    let text = "openapi: 3.1.0\ncomponents: {schemas: {Main: \(schema)\(others)}}"
    let api = try APIDescription(path: "a.yaml", bytes: Array(text.utf8), load: { _ in nil })
    let node = try #require(api.root["components"]?["schemas"]?["Main"])
    return SchemaShape(node, in: api)
  }

  @Test func aMemberIsInAnyBranchAndItsTypesAreThoseOfAll() throws {
    let pet = try shape(
      "{oneOf: [{$ref: '#/components/schemas/Cat'}, {properties: {id: {type: string}}}]}",
      ", Cat: {type: object, properties: {id: {type: integer}, lives: {type: integer}}}")
    #expect(pet.branches.count == 2)
    #expect(pet.member("id").shape.types == ["integer", "string"])
    #expect(pet.member("lives").shape.types == ["integer"])
    let missing = pet.member("nmae")
    #expect(missing.shape.isEmpty && !missing.isRuledOut)
    #expect(pet.properties.map(\.name) == ["id", "lives"])
  }

  @Test(arguments: [
    ("{properties: {a: {}}, additionalProperties: false}", true, true),
    ("{properties: {a: {}}}", true, false),
    ("{properties: {a: {}}, additionalProperties: {type: string}}", false, false),
    (
      "{properties: {a: {}}, patternProperties: {x: {}}, additionalProperties: false}", false, false
    ),
    ("{properties: {a: {}}, if: {}}", false, false),
    ("{properties: {a: {}}, discriminator: {propertyName: a}}", false, false),
    ("{type: object}", false, false), ("true", false, false), ("{}", false, false),
    ("{type: string}", true, true), ("{$ref: '#/nowhere'}", false, false),
    ("{allOf: [{properties: {a: {}}}, {$ref: '#/nowhere'}]}", false, false),
    ("{allOf: [{properties: {a: {}}}, {additionalProperties: false}]}", true, true),
    ("{oneOf: [{properties: {a: {}}, additionalProperties: false}, {type: integer}]}", true, true),
    ("{oneOf: [{properties: {a: {}}, additionalProperties: false}, {}]}", false, false),
  ])
  func whatIsNotDescribedIsCertainOnlyIfItIsRuledOut(
    _ schema: String, _ isMissing: Bool, _ isRuledOut: Bool
  ) throws {
    let found = try shape(schema).member("b")
    #expect(found.shape.isEmpty == isMissing)
    if isMissing { #expect(found.isRuledOut == isRuledOut) }
  }

  @Test func elementsAreThoseOfLists() throws {
    let list = try shape("{type: array, items: {type: integer}}")
    #expect(list.children(listsOnly: true).shape.types == ["integer"])
    #expect(list.member("length").isRuledOut)
    let text = try shape("{type: string}").children(listsOnly: false)
    #expect(text.shape.isEmpty && text.isRuledOut)
    #expect(try shape("{type: array}").children(listsOnly: true).shape.isUnknown)
    let map = try shape("{type: object, additionalProperties: {type: string}}")
    #expect(map.children(listsOnly: false).shape.isUnknown)
  }

  @Test func circlesEndAndManyBranchesAreUnknown() throws {
    let tree = try shape(
      "{anyOf: [{$ref: '#/components/schemas/Main'}, {type: object, properties: {a: {}}}]}")
    #expect(tree.member("b").shape.isUnknown)
    let four = "{oneOf: [{type: string}, {type: integer}, {type: boolean}, {type: array}]}"
    let many = try shape("{allOf: [\(four), \(four), \(four), \(four)]}")
    #expect(many.isUnknown && many.types == nil)
    #expect(try shape("{type: [string, 'null']}").types == ["string"])
    #expect(try shape("{enum: [1, a]}").types == ["integer", "string"])
    #expect(try shape("{allOf: [{type: number}, {type: integer}]}").types == ["integer"])
  }
}
