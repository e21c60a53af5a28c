import PipelineJSONText
import PipelineTemplates
import Testing

/// The forms that make a value of a list or an object.
struct ListFormTests {
  @Test(arguments: [
    (#"{"$first": ["{{gone}}", "{{id}}", "{{name}}"]}"#, "7"),
    (#"{"$first": ["{{gone}}", "{{none}}", 1]}"#, "null"),
    (#"{"$first": ["x{{gone}}", {"a": "y{{gone}}"}, "z"]}"#, #""z""#),
    (#"{"$first": ["x{{list}}", 1]}"#, "error: list"), (#"{"$first": ["{{gone}}"]}"#, "absent"),
    (#"{"a": {"$first": []}}"#, "{}"), (#"{"$first": "$.list[*]"}"#, "1"),
    (#"{"$first": "{{list}}"}"#, "1"), (#"{"$first": "{{gone}}"}"#, "absent"),
    (#"{"$first": ["$.list[5]", "$.list[-2]"]}"#, #""b""#),
  ])
  func theFirstIsWhatIsThere(json: String, text: String) throws {
    #expect(try DataFixture.written(json) == text)
  }

  @Test(arguments: [
    (
      #"{"$concat": ["$.user.tags[*]", "{{list}}", ["{{id}}", "{{gone}}"]]}"#,
      #"["x","y",1,"b",null,7]"#
    ),
    (#"{"$concat": []}"#, "[]"), (#"{"$concat": ["{{gone}}", [1]]}"#, "[1]"),
    (#"{"$concat": ["{{id}}"]}"#, "error: dataForm"),
    (#"{"$concat": ["{{none}}"]}"#, "error: dataForm"),
    (#"{"$concat": {"$json": 1}}"#, "problem: '$concat' takes a list of lists"),
    (#"{"$count": "$.list[*]"}"#, "3"), (#"{"$count": "{{list}}"}"#, "3"),
    (#"{"$count": "{{user}}"}"#, "3"), (#"{"$count": []}"#, "0"),
    (#"{"$count": "{{name}}"}"#, "error: dataForm"), (#"{"a": {"$count": "{{gone}}"}}"#, "{}"),
    (#"{"$count": "abc"}"#, "problem: '$count' takes a list or an object"),
    (
      #"{"$unique": [1, 1.0, "1", {"a": 1, "b": 2}, {"b": 2, "a": 1.0}]}"#,
      #"[1,"1",{"a":1,"b":2}]"#
    ),
    (#"{"$unique": "$.list[*]"}"#, #"[1,"b",null]"#),
  ])
  func listsAreJoinedAndCounted(json: String, text: String) throws {
    #expect(try DataFixture.written(json) == text)
  }

  @Test(arguments: [
    (#"{"$sum": [0.1, "{{id}}", "{{ratio}}", "{{gone}}"]}"#, "8.60"), (#"{"$sum": []}"#, "0"),
    (#"{"$sum": ["{{big}}", 1]}"#, "12345678901234567891"),
    (#"{"$sum": "{{list}}"}"#, "error: dataForm"), (#"{"$sum": [null]}"#, "error: dataForm"),
    (#"{"$sum": [1e999999, 1]}"#, "error: dataForm"), (#"{"$sum": "{{gone}}"}"#, "absent"),
    (#"{"$min": [3, 1.0, 1, 2]}"#, "1.0"), (#"{"$max": [3, 1, 3.0, 1e-400]}"#, "3"),
    (#"{"$max": [1e400, 1e401, -1e402]}"#, "1e401"),
    (#"{"$min": ["b", "a", "\u00e4"]}"#, #""a""#),
    (#"{"$max": ["b", "\ud83d\ude00", "\uff5e"]}"#, "\"\\ud83d\\ude00\""),
    (#"{"$min": []}"#, "absent"), (#"{"$max": "$.gone[*]"}"#, "absent"),
    (#"{"$max": [1, "2"]}"#, "error: dataForm"), (#"{"$min": [true]}"#, "error: dataForm"),
    (#"{"$min": [null, 1]}"#, "error: dataForm"),
    (
      #"{"$min": ["2026-01-01T00:30:00+02:00", "2025-12-31T23:00:00Z"]}"#,
      #""2026-01-01T00:30:00+02:00""#
    ),
    (
      #"{"$max": ["2026-01-01T00:00:00.5Z", "2026-01-01T00:00:00.50Z", "2026-01-01T00:00:00.499Z"]}"#,
      #""2026-01-01T00:00:00.5Z""#
    ),
    (#"{"$max": ["2026-01-31", "2026-02-01", "2025-12-31"]}"#, #""2026-02-01""#),
  ])
  func numbersTextsAndMomentsAreCompared(json: String, text: String) throws {
    #expect(try DataFixture.written(json) == text)
  }

  @Test(arguments: [
    (#"{"$join": [["a", "{{id}}", true, "{{gone}}"], ", "]}"#, #""a, 7, true""#),
    (#"{"$join": ["$.user.tags[*]", "{{name}}"]}"#, #""xAda Lovelacey""#),
    (#"{"$join": [[], ","]}"#, #""""#), (#"{"$join": ["{{gone}}", ","]}"#, "absent"),
    (#"{"$join": [["a"], "{{gone}}"]}"#, "error: absent"),
    (#"{"$join": ["{{list}}", ","]}"#, "error: dataForm"),
    (
      #"{"$join": [["a"]]}"#,
      #"problem: '$join' takes a list of a list and a text, as in ["$.list.names[*]", ", "]"#
    ),
    (
      #"{"$join": ["a", ","]}"#,
      #"problem: '$join' takes a list of texts and the text between them; write {"$join": [["a", ","], ""]}"#
    ),
    (
      #"{"$join": ["sha256=", {"$upper": "a"}]}"#,
      #"problem: '$join' takes a list of texts and the text between them; write {"$join": [["sha256=", {"$upper": "a"}], ""]}"#
    ),
    (
      #"{"$join": [["a"], 1]}"#,
      #"problem: '$join' takes a list of a list and a text, as in ["$.list.names[*]", ", "]"#
    ),
  ])
  func textsAreJoined(json: String, text: String) throws {
    #expect(try DataFixture.written(json) == text)
  }

  @Test(arguments: [
    (
      #"{"$entries": "{{user}}"}"#,
      #"[{"key":"id","value":9},{"key":"first-name","value":"Ada"},{"key":"tags","value":["x","y"]}]"#
    ),
    (#"{"$entries": {"b": "{{id}}", "a": "{{gone}}"}}"#, #"[{"key":"b","value":7}]"#),
    (#"{"$entries": {}}"#, "[]"), (#"{"$entries": "{{list}}"}"#, "error: dataForm"),
    (#"{"$entries": [1]}"#, "problem: '$entries' takes an object"),
    (#"{"$object": {"$entries": "{{user}}"}}"#, #"{"id":9,"first-name":"Ada","tags":["x","y"]}"#),
    (
      #"{"$object": [{"key": "{{name}}", "value": 1}, {"key": 7, "value": 2}, {"key": "gone", "value": "{{gone}}"}]}"#,
      #"{"Ada Lovelace":1,"7":2}"#
    ),
    (
      #"{"$object": [{"key": "a", "value": 1}, {"key": "b", "value": 2}, {"key": "a", "value": 3}]}"#,
      #"{"a":3,"b":2}"#
    ),
    (#"{"$object": [{"value": 1}]}"#, "error: dataForm"), (#"{"$object": []}"#, "{}"),
    (#"{"$object": [1]}"#, "error: dataForm"),
  ])
  func objectsAreTakenApartAndPutTogether(json: String, text: String) throws {
    #expect(try DataFixture.written(json) == text)
  }

  @Test func queriesAreReadInAFormWhereverItStands() throws {
    #expect(
      try DataFixture.written(#"{"a": {"$count": "$.list[*]"}, "b": "$.id"}"#, .literal)
        == #"{"a":3,"b":"$.id"}"#)
  }

  @Test func whatAFirstReadsMayBeMissing() throws {
    let (data, _) = try DataFixture.parse(#"{"a": {"$first": ["{{id}}"]}, "b": "{{id}}"}"#)
    #expect(data.uses.map(\.mayBeMissing) == [true, false])
  }

  @Test(arguments: [
    (#"{"$file": "a.png", "as": "base64"}"#, #""base64 of A""#),
    (#"{"as": "text", "$file": "a.png"}"#, #""text of A""#),
    (#"{"$file": "b.json", "as": "json"}"#, "[1]"),
    (
      #"{"$file": "a.png", "as": "bas64"}"#,
      #"problem: 'as' must be one of "json", "text", "base64", "size", "csv", "tsv", "#
        + #""ndjson", "xml"; "#
        + #"did you mean "base64"?"#
    ),
    (
      #"{"$file": "a.png", "is": "text"}"#,
      "problem: '$file' is alone in its object, or beside 'as'"
    ),
    (#"{"$files": "*.png"}"#, #"["a.png"]"#),
    (#"{"$files": "{{star}}.png"}"#, "error: dataForm"),
    (#"{"$files": 7}"#, #"problem: '$files' takes a pattern of paths such as "photos/*.png""#),
    (#"{"$file": "{{+folder}}/x.json"}"#, "[2]"),
    (#"{"$file": "{{folder}}/x.json"}"#, "error: dataForm"),
    (#"{"$file": "{{+up}}/x.json"}"#, "error: dataForm"),
  ])
  func filesAreReadInSeveralWays(json: String, text: String) throws {
    let (data, problems) = try DataFixture.parse(json)
    if let problem = problems.first {
      #expect("problem: " + problem.message == text)
      return
    }
    let source = DataFixture(
      scope: try Scope(#"{"star": "a*", "folder": "c/d", "up": "c/../.."}"#),
      files: ["a.png": "A", "b.json": "[1]", "c/d/x.json": "[2]"])
    do {
      var writer = JSONWriter(style: .compact)
      _ = try data.write(to: &writer, from: source)
      #expect(String(decoding: writer.bytes, as: UTF8.self) == text)
    } catch {
      #expect("error: \(error.reason)" == text)
    }
  }

  @Test func anErrorNamesTheElementAndTheWayOut() throws {
    let (data, _) = try DataFixture.parse(#"{"$sum": [1, "{{name}}"]}"#)
    let source = DataFixture(scope: try Scope.sample())
    #expect {
      try data.value(from: source)
    } throws: { error in
      let error = error as? DataError
      return error?.range == 9..<24
        && error?.message
          == "'$sum' takes a list of numbers, but element 2 is a text; 'type' of its extractor, or"
          + " 'columns' of its table, makes it a number"
    }
  }
}
