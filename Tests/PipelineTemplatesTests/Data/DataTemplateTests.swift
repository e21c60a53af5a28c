import PipelineJSONPaths
import PipelineJSONText
import PipelineTemplates
import Testing

struct DataTemplateTests {
  @Test(arguments: [
    (#"{ "a" : [ 1.50, true, null, "x" ] }"#, #"{"a":[1.50,true,null,"x"]}"#),
    (#""{{id}}""#, "7"), (#""{{big}}""#, "12345678901234567890"), (#""{{ratio}}""#, "1.50"),
    (#""n{{id}}""#, #""n7""#), (#"{"a": "{{list}}"}"#, #"{"a":[1,"b",null]}"#),
    (#"{"a": {"b": ["{{user.id}}", "{{name}}!"]}}"#, #"{"a":{"b":[9,"Ada Lovelace!"]}}"#),
    (#""{{{{x}}""#, #""{{x}}""#), (#"{"a": ["{{{{"], "b": 1}"#, #"{"a":["{{"],"b":1}"#),
    (#""{{escaped}}""#, #""a\"b\\c\nd\u00e9""#), (#""{{escaped}}!""#, #""a\"b\\c\ndé!""#),
    ("12345678901234567890.10", "12345678901234567890.10"), (#"{}"#, "{}"), ("[]", "[]"),
    (#"{"a": {}, "b": []}"#, #"{"a":{},"b":[]}"#), (#""""#, #""""#),
  ])
  func aWholeStringKeepsItsType(json: String, text: String) throws {
    #expect(try DataFixture.written(json) == text)
  }

  @Test(arguments: [
    (#"{"a": "{{gone}}", "b": 1}"#, #"{"b":1}"#), (#"["{{gone}}", 1, "{{gone}}"]"#, "[1]"),
    (#"{"a": "{{none}}"}"#, #"{"a":null}"#), (#"["{{none}}"]"#, "[null]"),
    (#""{{gone}}""#, "absent"), (#""$.gone""#, "absent"), (#"{"a": "$.gone"}"#, "{}"),
    (#"{"a": {"b": "{{gone}}"}}"#, #"{"a":{}}"#), (#"{"a": "x{{gone}}"}"#, "error: absent"),
    (#"{"a": "x{{none}}"}"#, "error: null"), (#"{"a": "x{{list}}"}"#, "error: list"),
    (#"{"a": "x{{user}}"}"#, "error: object"), (#"{"a": {"$json": "{{gone}}"}}"#, "{}"),
    (#"{"a": {"$base64": "{{gone}}"}}"#, "{}"), (#"{"a": "$.gone[*]"}"#, #"{"a":[]}"#),
  ])
  func absentIsLeftOutAndNullIsKept(json: String, text: String) throws {
    #expect(try DataFixture.written(json) == text)
  }

  @Test func aValueNestsAsDeepAsItCanBeReadAgain() throws {
    let (data, _) = try DataFixture.parse(#"{"a": "{{list}}"}"#)
    func nested(_ depth: Int) throws -> DataFixture {
      let text = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
      return DataFixture(scope: try Scope(#"{"list": \#(text)}"#))
    }
    var writer = JSONWriter()
    #expect(try data.write(to: &writer, from: nested(999)))
    #expect(writer.document().root["a"]?.range.count == 2 * 999)
    #expect {
      var writer = JSONWriter()
      return try data.write(to: &writer, from: nested(1000))
    } throws: { error in
      let error = error as? DataError
      return error?.reason == .depth && error?.range == 0..<17
        && error?.message
          == "the value nests more than 1000 levels deep; insert only a part of it"
    }
  }

  @Test(arguments: [
    (#""$.id""#, "7"), (#""$['id']""#, "7"), (#""$.list[*]""#, #"[1,"b",null]"#),
    (#"{"a": {"b": "$.user.tags[*]"}}"#, #"{"a":{"b":["x","y"]}}"#),
    (#""$.list[?@ == {{id}}]""#, "[]"), (#""$.list""#, #"[1,"b",null]"#),
    (#"" $.id""#, #"" $.id""#), (#""$5""#, #""$5""#), (#""a$.id""#, #""a$.id""#),
  ])
  func aStringIsAQueryWhereQueriesAreRead(json: String, text: String) throws {
    #expect(try DataFixture.written(json, .allowed) == text)
  }

  @Test(arguments: [#""$.id""#, #""$""#, #"{"a":"$.list[*]"}"#])
  func aStringIsATextElsewhere(json: String) throws {
    #expect(try DataFixture.written(json, .literal) == json)
  }

  @Test func aQueryWhereNoneIsReadIsWarnedOf() throws {
    let data = try DataFixture.parse(#"{"a": "$.user.id", "b": "$.list[*]", "c": "$"}"#, .literal)
      .data
    #expect(data.warnings.map(\.code) == [.literalQuery, .literalQuery])
    #expect(data.warnings[0].message.contains("'{{user.id}}'"))
    #expect(data.warnings.map(\.range) == [6..<17, 24..<35])
  }

  @Test(arguments: [#""$""#, #""$..id""#, #""$[*]""#, #""$.a[?$[*]]""#, #""$.""#, #""$['a"""#])
  func aQueryBeginsWithAName(json: String) throws {
    let node = JSONDocument.parseRecovering(Array(json.utf8)).document.root
    let (_, problems) = DataTemplate.parse(node, allowsQueries: true)
    #expect(problems.map(\.code) == [.query])
  }

  @Test func membersAreWrittenUnderTheirNames() throws {
    let source = DataFixture(scope: try Scope.sample())
    var writer = JSONWriter(style: .compact)
    writer.beginObject()
    for (name, json) in [("a", #""{{id}}""#), ("b", #""{{gone}}""#), ("c", #"[ 1 ]"#)] {
      try DataFixture.parse(json).data.write(member: name, to: &writer, from: source)
    }
    writer.endObject()
    #expect(String(decoding: writer.bytes, as: UTF8.self) == #"{"a":7,"c":[1]}"#)
  }

  @Test func aLiteralIsWrittenInTheWritersStyle() throws {
    let source = DataFixture(scope: try Scope.sample())
    var writer = JSONWriter(style: .pretty)
    _ = try DataFixture.parse(#"{"a":[1],"b":"{{id}}"}"#).data.write(to: &writer, from: source)
    #expect(
      String(decoding: writer.bytes, as: UTF8.self) == """
        {
          "a": [
            1
          ],
          "b": 7
        }
        """)
  }

  @Test func whatIsReadIsKnownWithItsPlaces() throws {
    let json =
      #"{"a": "\u00e9{{user.id}}", "b": "$.list[?@ == $.user.id || @ == {{id}}]", "c": "{{name}}"}"#
    let (data, problems) = try DataFixture.parse(json)
    #expect(problems == [])
    let bytes = Array(json.utf8)
    let uses = data.uses.map { use in
      "\(use.query.text)|\(String(decoding: bytes[use.range], as: UTF8.self))"
        + "|\(use.isQuery)|\(use.isWhole)"
    }
    #expect(
      uses == [
        "user.id|{{user.id}}|false|false",
        "$.list[?@ == $.user.id || @ == {{id}}]|$.list[?@ == $.user.id || @ == {{id}}]|true|true",
        "$.user.id|$.user.id|true|false", "id|{{id}}|false|false", "name|{{name}}|false|true",
      ])
    #expect(data.queries.map(\.query.text) == ["$.list[?@ == $.user.id || @ == {{id}}]"])
  }

  @Test func whatIsReadAsAWholeIsKnown() throws {
    #expect(try DataFixture.parse(#""{{user.id}}""#).data.wholeReference?.text == "user.id")
    #expect(try DataFixture.parse(#""$.user.id""#).data.wholeReference?.text == "$.user.id")
    #expect(try DataFixture.parse(#""$.user.id""#).data.query?.text == "$.user.id")
    #expect(try DataFixture.parse(#""{{user.id}}""#).data.query == nil)
    #expect(try DataFixture.parse(#"["{{user.id}}"]"#).data.wholeReference == nil)
    #expect(try DataFixture.parse(#"{"a": 1}"#).data.literal?.text == #"{"a":1}"#)
    #expect(try DataFixture.parse(#"{"a": "{{x}}"}"#).data.literal == nil)
  }

  @Test func problemsPointIntoTheFileThroughEscapes() throws {
    let json = #"{"a": "\"\u00e9 {{.x['q']}}", "b": ["{{y"]}"#
    let (_, problems) = try DataFixture.parse(json)
    let bytes = Array(json.utf8)
    #expect(
      problems.map { String(decoding: bytes[$0.range], as: UTF8.self) } == ["{{.x['q']}}", "{{y"])
    #expect(problems.map(\.fix) == ["{{x['q']}}", "{{y}}"])
  }

  @Test func aFixIsEscapedForTheString() throws {
    let (_, problems) = try DataFixture.parse(#""{{.x[\"q\"]}}""#)
    #expect(problems.map(\.fix) == [#"{{x[\"q\"]}}"#])
  }

  @Test func anErrorPointsAtTheReference() throws {
    let json = #"{"a": {"b": "id {{list}}"}}"#
    let data = try DataFixture.parse(json).data
    let source = DataFixture(scope: try Scope.sample())
    do throws(DataError) {
      _ = try data.value(from: source)
      Issue.record("a list is no text")
    } catch {
      #expect(String(decoding: Array(json.utf8)[error.range], as: UTF8.self) == "{{list}}")
      #expect(error.reason == .list)
    }
  }

  @Test func templatesInKeysAndOfOtherToolsAreWarnedOf() throws {
    let data = try DataFixture.parse(#"{"{{id}}": 1, "b": "${x} {id}", "c": "{{id}} $5"}"#).data
    #expect(data.warnings.map(\.code) == [.templateInKey, .foreign])
    #expect(data.warnings.map(\.range) == [1..<9, 20..<24])
  }

  @Test func aFileWithErrorsIsReadWithoutATrap() {
    for json in [
      "{\"a\": [1 2, 'x', {b: }], \"$merge\"", "[01, .5, +1, NaN, {]", "{\"$json\": ", "\"{{",
    ] {
      let node = JSONDocument.parseRecovering(Array(json.utf8)).document.root
      _ = DataTemplate.parse(node, allowsQueries: true)
    }
  }

  @Test func aDeepValueIsRead() throws {
    let json =
      String(repeating: "[", count: 500) + "\"{{id}}\"" + String(repeating: "]", count: 500)
    #expect(try DataFixture.written(json).contains("[7]"))
  }
}
