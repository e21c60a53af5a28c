import PipelineJSONText
import PipelineTemplates
import Testing

struct DataFormTests {
  @Test(arguments: [
    (#"{"$literal": {"a": "{{id}}", "$merge": 1}}"#, #"{"a":"{{id}}","$merge":1}"#),
    (#"{"$literal": "$.id"}"#, #""$.id""#), (#"{"a": {"$literal": "{{{{"}}"#, #"{"a":"{{{{"}"#),
    (#"{"$literal": {"$literal": 1}}"#, #"{"$literal":1}"#),
    (#"{"$json": {"a": ["{{id}}", "x"]}}"#, #""{\"a\":[7,\"x\"]}""#),
    (#"{"$json": "{{user}}"}"#, #""{\"id\":9,\"first-name\":\"Ada\",\"tags\":[\"x\",\"y\"]}""#),
    (#"{"$json": "{{none}}"}"#, #""null""#), (#"{"$json": "$.list[*]"}"#, #""[1,\"b\",null]""#),
    (#"{"$base64": ""}"#, #""""#), (#"{"$base64": "f"}"#, #""Zg==""#),
    (#"{"$base64": "fo"}"#, #""Zm8=""#), (#"{"$base64": "foo"}"#, #""Zm9v""#),
    (#"{"$base64": "foob"}"#, #""Zm9vYg==""#), (#"{"$base64": "fooba"}"#, #""Zm9vYmE=""#),
    (#"{"$base64": "foobar"}"#, #""Zm9vYmFy""#),
    (#"{"$base64": "\u00ff\u00fe?>"}"#, #""w7/Dvj8+""#),
    (#"{"$base64": "{{id}}:{{name}}"}"#, #""NzpBZGEgTG92ZWxhY2U=""#),
    (#"{"$base64": "{{id}}"}"#, #""Nw==""#), (#"{"$base64": {"$json": [1]}}"#, #""WzFd""#),
    (#"{"$base64": "{{list}}"}"#, "error: dataForm"),
    (#"{"$base64": "{{none}}"}"#, "error: dataForm"),
    (#"{"a": {"$file": "x.json"}}"#, #"{"a":{"b":"{{id}}"}}"#),
    (#"{"$file": "{{dot}}/x.json"}"#, "error: dataForm"),
    (#"{"$file": "{{gone}}"}"#, "error: absent"),
    (#"{"$file": "gone.json"}"#, "error: dataForm"), (#"{"$file": "n{{id}}.json"}"#, "[7]"),
  ])
  func aFormStandsForItsValue(json: String, text: String) throws {
    let files = ["x.json": #"{ "b": "{{id}}" }"#, "n7.json": "[7]"]
    #expect(try DataFixture.written(json, files: files) == text)
  }

  /// RFC 7396, Appendix A: the whole table.
  @Test(arguments: [
    (#"{"a":"b"}"#, #"{"a":"c"}"#, #"{"a":"c"}"#),
    (#"{"a":"b"}"#, #"{"b":"c"}"#, #"{"a":"b","b":"c"}"#),
    (#"{"a":"b"}"#, #"{"a":null}"#, "{}"), (#"{"a":"b","b":"c"}"#, #"{"a":null}"#, #"{"b":"c"}"#),
    (#"{"a":["b"]}"#, #"{"a":"c"}"#, #"{"a":"c"}"#),
    (#"{"a":"c"}"#, #"{"a":["b"]}"#, #"{"a":["b"]}"#),
    (#"{"a":{"b":"c"}}"#, #"{"a":{"b":"d","c":null}}"#, #"{"a":{"b":"d"}}"#),
    (#"{"a":[{"b":"c"}]}"#, #"{"a":[1]}"#, #"{"a":[1]}"#),
    (#"["a","b"]"#, #"["c","d"]"#, #"["c","d"]"#),
    (#"{"a":"b"}"#, #"["c"]"#, #"["c"]"#), (#"{"a":"foo"}"#, "null", "null"),
    (#"{"a":"foo"}"#, #""bar""#, #""bar""#), (#"{"e":null}"#, #"{"a":1}"#, #"{"e":null,"a":1}"#),
    ("[1,2]", #"{"a":"b","c":null}"#, #"{"a":"b"}"#),
    ("{}", #"{"a":{"bb":{"ccc":null}}}"#, #"{"a":{"bb":{}}}"#),
  ])
  func mergingFollowsTheStandard(target: String, patch: String, result: String) throws {
    #expect(try DataFixture.written("{\"$merge\": [\(target), \(patch)]}") == result)
  }

  /// Many are merged at once, and give what they give one after another.
  @Test func manyAreMergedAsTwoAndTwoAre() throws {
    let values = [
      "1", "[1]", "{}", #"{"a": 1, "b": {"x": 1, "y": null}}"#, #"{"b": {"y": 2, "x": null}}"#,
      #"{"a": null, "c": null}"#, #"{"c": {"d": null, "e": {"f": null, "g": 1}}, "a": 2}"#,
      #"{"b": null}"#, #"{"b": 3, "b": 4}"#, #"{"c": {"e": 5}}"#,
    ]
    for first in values {
      for second in values {
        for third in values {
          let pair = "{\"$merge\": [\(first), \(second)]}"
          #expect(
            try DataFixture.written("{\"$merge\": [\(first), \(second), \(third)]}")
              == DataFixture.written("{\"$merge\": [\(pair), \(third)]}"),
            "\(first) \(second) \(third)")
        }
      }
    }
  }

  @Test(arguments: [
    (#"{"$merge": ["{{user}}", {"id": "{{id}}", "tags": null}]}"#, #"{"id":7,"first-name":"Ada"}"#),
    (#"{"$merge": [{"a": 1}, {"b": 2}, {"a": null, "c": {"$json": 3}}]}"#, #"{"b":2,"c":"3"}"#),
    (#"{"$merge": ["{{gone}}", {"a": 1}, "{{gone}}"]}"#, #"{"a":1}"#),
    (#"{"a": {"$merge": ["{{gone}}", "{{gone}}"]}}"#, "{}"),
    (#"{"$merge": [{"a": 1, "b": 2}, {"b": 3, "a": 4}]}"#, #"{"a":4,"b":3}"#),
  ])
  func partsOfAMergeAreData(json: String, text: String) throws {
    #expect(try DataFixture.written(json) == text)
  }

  @Test func namesAreMergedByScalars() throws {
    let json = "{\"$merge\": [{\"\u{E9}\": 1}, {\"e\u{301}\": 2}]}"
    #expect(try DataFixture.written(json) == "{\"\u{E9}\":1,\"e\u{301}\":2}")
  }

  @Test(arguments: [
    (#"{"$jsn": 1}"#, "did you mean '$json'?", #""$jsn""#),
    (##"{"$ref": "#/x"}"##, "$literal", #""$ref""#),
    (#"{"$base64": 5}"#, "takes a text", "5"), (#"{"$base64": ["x"]}"#, "takes a text", #"["x"]"#),
    (#"{"$file": null}"#, "takes a path", "null"), (#"{"$merge": {}}"#, "takes a list", "{}"),
    (#"{"$merge": [{}]}"#, "two objects", "[{}]"),
    (#"{"$json": 1, "b": 2}"#, "only member", #""b""#),
    (#"{"a": {"b": 2, "$merge": []}}"#, "only member", #""$merge""#),
  ])
  func aFormThatIsNoneIsAProblem(json: String, words: String, at: String) throws {
    let problem = try #require(try DataFixture.parse(json).problems.first)
    #expect(problem.code == .dataForm)
    #expect(problem.message.contains(words))
    #expect(String(decoding: Array(json.utf8)[problem.range], as: UTF8.self) == at)
  }

  @Test func aMisspelledFormHasItsFix() throws {
    #expect(try DataFixture.parse(#"{"$Json": 1}"#).problems.first?.fix == #""$json""#)
  }

  @Test(arguments: DataForms.tables.map(\.title.name))
  func theExampleOfAFormIsOne(_ name: String) throws {
    let table = try #require(DataForms.tables.first { $0.title.name == name })
    #expect(try DataFixture.parse(table.title.example).problems == [])
    #expect("{\"\(name)\": \(table.title.valueExample)}" == table.title.example)
    #expect(!table.title.meaning.hasSuffix("."))
    for option in table.options { #expect(option.meaning.hasSuffix(".")) }
  }

  @Test func aFunctionOfAnotherToolMeansAForm() {
    #expect(Set(ForeignFunctions.forms).isSubset(of: DataForms.tables.map(\.title.name)))
    #expect(ForeignFunctions.form(of: "toLower") == "$lower")
    #expect(ForeignFunctions.form(of: "lowerAll") == nil)
  }

  @Test func dollarsAmongOthersAreData() throws {
    let json = #"{"$gt":5,"$lt":"{{id}}"}"#
    #expect(try DataFixture.written(json) == #"{"$gt":5,"$lt":7}"#)
  }

  @Test func whatALiteralHoldsIsNotRead() throws {
    let (data, problems) = try DataFixture.parse(#"{"$literal": "{{a b}} {{id}}"}"#)
    #expect(problems == [])
    #expect(data.uses.isEmpty)
  }
}
