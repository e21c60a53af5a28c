import PipelineJSONSchemas
import PipelineJSONText
import Testing

/// What is said about values that a schema does not allow.
struct ViolationTests {
  @Test(arguments: [
    (#"{"type": "string"}"#, "7", "'$' must be a string, but is a number: 7"),
    (#"{"type": ["string", "null"]}"#, "[1]", "'$' must be a string or null, but is an array"),
    (#"{"type": "integer"}"#, "7.5", "'$' must be an integer, but is a number: 7.5"),
    (#"{"type": "object"}"#, "[]", "'$' must be an object, but is an empty array"),
    (#"{"enum": ["a", "b"]}"#, #""c""#, #"'$' must be "a" or "b", but is a string: "c""#),
    (
      #"{"enum": [1, 2, 3, 4, 5, 6, 7, 8, 9]}"#, "0",
      "'$' must be one of 1, 2, 3, 4, 5 and 4 more, but is a number: 0"
    ),
    (#"{"const": {"a": 1}}"#, "null", #"'$' must be {"a": 1}, but is null"#),
    (#"{"multipleOf": 0.01}"#, "1.005", "'$' must be a multiple of 0.01, but is 1.005"),
    (#"{"maximum": 10}"#, "11", "'$' must be at most 10, but is 11"),
    (#"{"exclusiveMaximum": 10}"#, "10", "'$' must be less than 10, but is 10"),
    (#"{"minimum": 1e2}"#, "99", "'$' must be at least 1e2, but is 99"),
    (#"{"exclusiveMinimum": 0}"#, "0.0", "'$' must be greater than 0, but is 0.0"),
    (
      #"{"maxLength": 2}"#, #""abc""#, #"'$' must have at most 2 characters, but has 3: "abc""#
    ),
    (#"{"minLength": 1}"#, #""""#, #"'$' must have at least 1 character, but has 0: """#),
    (#"{"pattern": "^a"}"#, #""b""#, #"'$' must match '^a', but is "b""#),
    (
      #"{"format": "date"}"#, #""2024-02-30""#,
      #"'$' must be a date as '2024-05-01', but is "2024-02-30""#
    ),
    (#"{"minItems": 2}"#, "[1]", "'$' must have at least 2 items, but has 1"),
    (
      #"{"uniqueItems": true}"#, #"[{"a": 1, "b": 2}, 3, {"b": 2.0, "a": 1}]"#,
      #"'$' must hold each item once, and items 0 and 2 are the same: {"b": 2.0, "a": 1}"#
    ),
    (
      #"{"contains": {"type": "string"}}"#, "[1]",
      "'$' must have at least 1 item that 'contains' allows, but has 0"
    ),
    (
      #"{"contains": {"type": "string"}, "maxContains": 1}"#, #"["a", "b"]"#,
      "'$' must have at most 1 item that 'contains' allows, but has 2"
    ),
    (
      #"{"prefixItems": [true], "items": false}"#, "[1, 2]",
      "'$[1]' is not allowed: 'items' is 'false' there"
    ),
    (#"{"maxProperties": 0}"#, #"{"a": 1}"#, "'$' must have at most 0 members, but has 1"),
    (#"{"required": ["id"]}"#, "{}", "'$' must have the member 'id'"),
    (
      #"{"required": ["email"]}"#, #"{"emial": 1}"#,
      "'$' must have the member 'email'; is it 'emial'?"
    ),
    (
      #"{"dependentRequired": {"card": ["address"]}}"#, #"{"card": 1}"#,
      "'$' must have the member 'address', since it has 'card'"
    ),
    (
      #"{"properties": {"email": true}, "additionalProperties": false}"#, #"{"emial": 1}"#,
      "'$.emial' is not allowed: 'additionalProperties' is 'false' there; did you mean 'email'?"
    ),
    (
      #"{"propertyNames": {"maxLength": 2}}"#, #"{"abc": 1}"#,
      #"the name of '$.abc' must have at most 2 characters, but has 3: "abc""#
    ),
    (
      #"{"allOf": [{"properties": {"a": true}}], "unevaluatedProperties": false}"#,
      #"{"a": 1, "b c": 2}"#,
      "'$['b c']' is not allowed: 'unevaluatedProperties' is 'false' there"
    ),
    ("false", "1", "'$' is not allowed: the schema there is 'false'"),
    (
      #"{"not": {"type": "null"}}"#, "null",
      "'$' must not satisfy the schema of 'not', but is: null"
    ),
    (
      #"{"oneOf": [{"minimum": 1}, {"minimum": 2}]}"#, "3",
      "'$' must satisfy only one schema of 'oneOf', and schemas 1 and 2 do"
    ),
    (
      #"{"anyOf": [{"type": "null"}, {"properties": {"id": {"type": "string"}}}]}"#,
      #"{"id": 7}"#,
      "'$' satisfies none of the 2 schemas of 'anyOf'; nearest: '$.id' must be a string, but is a "
        + "number: 7"
    ),
    (
      #"{"if": {"required": ["a"]}, "then": {"required": ["b"]}}"#, #"{"a": 1}"#,
      "'$' must have the member 'b'"
    ),
  ])
  func aViolationSaysWhatMustBeAndWhatIs(
    _ schema: String, _ value: String, _ message: String
  ) throws {
    #expect(try messages(schema, value) == [message])
  }

  @Test func aViolationNamesBothPlaces() throws {
    let text = #"{"properties": {"data": {"properties": {"id": {"type": "string"}}}}}"#
    let violations = try schema(text).validate(try node(#"{"x": [1, 2], "data": {"id": 7}}"#))
    let violation = try #require(violations.first)
    #expect(violations.count == 1)
    #expect(violation.instancePath == "$['data']['id']")
    #expect(violation.keyword == "type")
    let place = Array(text.utf8)[violation.schemaRange]
    #expect(String(decoding: place, as: UTF8.self) == #""string""#)
    #expect(violation.message == "'$.data.id' must be a string, but is a number: 7")
  }

  @Test func aMissingMemberPointsAtItsNameInTheSchema() throws {
    let text = #"{"required": ["id", "name"]}"#
    let violation = try #require(try schema(text).validate(try node(#"{"id": 1}"#)).first)
    let place = Array(text.utf8)[violation.schemaRange]
    #expect(String(decoding: place, as: UTF8.self) == #""name""#)
  }

  @Test func violationsComeInTheOrderOfTheValue() throws {
    let found = try messages(
      #"{"required": ["z"], "properties": {"b": {"type": "null"}, "a": {"type": "null"}}}"#,
      #"{"a": 1, "b": 2}"#)
    #expect(
      found == [
        "'$' must have the member 'z'", "'$.a' must be null, but is a number: 1",
        "'$.b' must be null, but is a number: 2",
      ])
  }

  @Test func violationsAreLimited() throws {
    let schema = try schema(#"{"items": {"type": "string"}}"#)
    let value = try node("[" + Array(repeating: "1", count: 1000).joined(separator: ",") + "]")
    #expect(schema.validate(value).count == 100)
    #expect(schema.validate(value, limit: 3).count == 3)
    #expect(!schema.validate(value).isEmpty)
  }

  @Test func theSameViolationIsToldOnce() throws {
    let found = try messages(
      ##"{"$defs": {"s": {"type": "string"}}, "allOf": [{"$ref": "#/$defs/s"}, {"$ref": "#/$defs/s"}]}"##,
      "1")
    #expect(found == ["'$' must be a string, but is a number: 1"])
  }

  @Test func aPartOfADocumentIsARootOfItsOwn() throws {
    let part = try #require(try node(#"{"x": {"y": [1, "a"]}}"#)["x"])
    let found = try schema(#"{"properties": {"y": {"items": {"type": "integer"}}}}"#).validate(part)
    #expect(found.map(\.instancePath) == ["$['y'][1]"])
  }

  @Test func longValuesAreCut() throws {
    let text = "\"" + String(repeating: "é", count: 100) + "\""
    let found = try #require(try messages(#"{"type": "null"}"#, text).first)
    #expect(found.hasSuffix("éé…"))
    #expect(found.utf8.count < 120)
  }
}
