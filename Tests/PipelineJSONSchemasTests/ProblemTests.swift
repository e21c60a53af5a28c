import PipelineJSONSchemas
import PipelineJSONText
import PipelineSourceText
import Testing

/// What is said about schemas.
struct ProblemTests {
  @Test(arguments: [
    (
      #"{"typ": "string"}"#,
      "schema-unknown-keyword: 'typ' is not a keyword of JSON Schema 2020-12 and has no effect; did you "
        + "mean 'type'? @ \"typ\""
    ),
    (
      #"{"nullable": true}"#,
      "schema-unknown-keyword: 'nullable' is not a keyword of JSON Schema 2020-12 and has no effect; "
        + "write 'null' among the types @ \"nullable\""
    ),
    (
      #"{"dependencies": {}}"#,
      "schema-unsupported: 'dependencies' is not in JSON Schema 2020-12; write 'dependentRequired' or "
        + "'dependentSchemas' @ \"dependencies\""
    ),
    (
      ##"{"$dynamicRef": "#x"}"##,
      "schema-unsupported: '$dynamicRef' is not supported; write '$ref' @ \"$dynamicRef\""
    ),
    (
      #"{"$vocabulary": {}}"#,
      "schema-unsupported: '$vocabulary' is not supported @ \"$vocabulary\""
    ),
    (
      #"{"$schema": "http://json-schema.org/draft-07/schema#"}"#,
      "schema-unsupported: the dialect 'http://json-schema.org/draft-07/schema#' is not supported; "
        + "'$schema' is 'https://json-schema.org/draft/2020-12/schema' "
        + "@ \"http://json-schema.org/draft-07/schema#\""
    ),
    (
      #"{"$ref": "https://example.com/user.json"}"#,
      "schema-reference: 'https://example.com/user.json' is in another document, and none is ever "
        + "fetched; copy it into '$defs' with 'https://example.com/user.json' as its '$id' "
        + "@ \"https://example.com/user.json\""
    ),
    (
      ##"{"$ref": "#/$defs/usr", "$defs": {"user": {}}}"##,
      "schema-reference: '#/$defs/usr' leads nowhere: 'usr' does not exist; did you mean 'user'? "
        + "@ \"#/$defs/usr\""
    ),
    (
      ##"{"$ref": "#usr", "$defs": {"user": {"$anchor": "user"}}}"##,
      "schema-reference: '#usr' leads nowhere: no schema has the '$anchor' 'usr'; did you mean 'user'? "
        + "@ \"#usr\""
    ),
    (
      ##"{"$ref": "#/required", "required": ["a"]}"##,
      "schema-reference: '#/required' does not lead to a schema, but to an array @ \"#/required\""
    ),
    (
      ##"{"$ref": "#"}"##,
      "schema-reference: this '$ref' leads back to itself without going into the value, so checking "
        + "would never end @ \"#\""
    ),
    (
      ##"{"$ref": "#/$defs/a", "$defs": {"a": {"anyOf": [{"type": "null"}, {"$ref": "#/$defs/a"}]}}}"##,
      "schema-reference: this '$ref' leads back to itself without going into the value, so checking "
        + "would never end @ \"#/$defs/a\""
    ),
    (
      #"{"pattern": "a(?=b)"}"#,
      "schema-pattern: '(?=' (lookahead) is not supported, since patterns are matched in linear time "
        + "@ (?="
    ),
    (
      #"{"patternProperties": {"[a": {}}}"#,
      "schema-pattern: '[' is not closed; write '\\[' for the character @ \"[a\""
    ),
    (
      #"{"format": "datetime"}"#,
      "schema-unsupported: the format 'datetime' is not supported; did you mean 'date-time'? "
        + "@ \"datetime\""
    ),
    (
      #"{"type": "strng"}"#,
      "schema-value: 'strng' is not a type in JSON Schema; did you mean 'string'? @ \"strng\""
    ),
    (
      #"{"minLength": -1}"#,
      "schema-value: 'minLength' takes an integer of 0 or more, but has a number: -1 @ -1"
    ),
    (
      #"{"exclusiveMinimum": true}"#,
      "schema-value: 'exclusiveMinimum' takes a number, but has true @ true"
    ),
    (
      #"{"items": [true]}"#,
      "schema-value: 'items' takes a schema (an object, 'true' or 'false'), but has an array; write "
        + "'prefixItems' for a list @ [true]"
    ),
    (
      #"{"allOf": []}"#,
      "schema-value: 'allOf' takes an array of at least one schema, but has an empty array @ []"
    ),
    (
      #"{"properties": {"a": "string"}}"#,
      "schema-value: 'properties' takes an object of schemas (objects, 'true' or 'false'), but has a "
        + "string: \"string\" @ \"string\""
    ),
    (
      #"{"required": "id"}"#,
      "schema-value: 'required' takes an array of names, but has a string: \"id\" @ \"id\""
    ),
    (
      #"{"multipleOf": 0}"#,
      "schema-value: 'multipleOf' takes a number greater than 0 of at most 18 digits, but has a "
        + "number: 0 @ 0"
    ),
    (
      #"{"$defs": {"a": {"$anchor": "x"}, "b": {"$anchor": "x"}}}"#,
      "schema-reference: two schemas have the '$anchor' 'x'; rename one of the two @ \"x\""
    ),
    ("7", "schema-value: a schema is an object, 'true' or 'false', but this is a number: 7 @ 7"),
  ])
  func aProblemNamesThePlaceAndTheWayOut(_ text: String, _ problem: String) throws {
    #expect(try problems(text) == [problem])
  }

  @Test func unknownKeywordsAreWarnings() throws {
    let (schema, problems) = Schema.parse(try node(#"{"typ": "string", "x-note": 1}"#))
    #expect(schema != nil)
    #expect(problems.map(\.severity) == [.warning])
  }

  @Test func allProblemsAreToldInTheOrderOfTheText() throws {
    let found = try problems(
      #"{"properties": {"a": {"minimum": "1"}, "b": {"pattern": "("}}, "maxItems": 1.5}"#)
    #expect(
      found.map { $0.prefix { $0 != ":" } } == ["schema-value", "schema-pattern", "schema-value"])
  }

  @Test func definitionsThatNothingRefersToAreJudged() throws {
    #expect(try problems(#"{"$defs": {"a": {"type": "strng"}}}"#).count == 1)
  }

  @Test func whatOnlyAnnotatesIsAccepted() throws {
    let text = #"""
      {"title": "t", "description": "d", "default": 1, "examples": [1], "deprecated": true,
       "readOnly": true, "writeOnly": false, "$comment": "c", "contentEncoding": "base64",
       "contentMediaType": "application/json", "contentSchema": {"type": "null"},
       "$schema": "https://json-schema.org/draft/2020-12/schema", "$id": "https://example.com/a"}
      """#
    #expect(try problems(text) == [])
    #expect(try messages(text, #""x""#) == [])
  }

  @Test func formatsMayBeAnnotations() throws {
    let (schema, problems) = Schema.parse(
      try node(#"{"format": "int64"}"#), formats: .annotation)
    #expect(problems == [])
    #expect(schema?.validate(try node(#""x""#)).isEmpty == true)
  }

  @Test func aReferenceLeadsThroughIDsAndAnchors() throws {
    let schema = try schema(
      ##"""
      {"$id": "https://example.com/root.json", "$ref": "user.json#name",
       "$defs": {"u": {"$id": "user.json", "$defs": {"n": {"$anchor": "name", "type": "string"}}}}}
      """##)
    #expect(schema.validate(try node(#""x""#)).isEmpty)
    #expect(!schema.validate(try node("1")).isEmpty)
  }
}
