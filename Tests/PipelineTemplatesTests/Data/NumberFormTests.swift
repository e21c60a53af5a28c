import PipelineTemplates
import Testing

/// The forms that calculate, and those that put a list in order.
struct NumberFormTests {
  @Test(arguments: [
    (#"{"$difference": [20.00, "{{ratio}}"]}"#, "18.50"), (#"{"$difference": [1, 1]}"#, "0"),
    (#"{"$difference": [0.1, 0.3]}"#, "-0.2"),
    (#"{"$difference": ["{{gone}}", 1]}"#, "absent"),
    (#"{"$difference": ["{{id}}", "{{name}}"]}"#, "error: dataForm"),
    (#"{"$difference": [1]}"#, "problem: '$difference' takes a list of two numbers"),
    (#"{"$difference": "$.list[*]"}"#, "error: dataForm"),
    (#"{"$difference": "$.list[0:2]"}"#, "error: dataForm"),
    (#"{"$product": ["{{ratio}}", 2.0]}"#, "3.000"), (#"{"$product": []}"#, "1"),
    (#"{"$product": [3, "{{gone}}", -2]}"#, "-6"), (#"{"$product": "{{gone}}"}"#, "absent"),
    (#"{"$product": [1e6000, 1e6000]}"#, "error: dataForm"),
    (#"{"$quotient": {"of": ["{{id}}", 2], "places": 0}}"#, "4"),
    (#"{"$quotient": {"of": [-7, 2], "places": 0}}"#, "-4"),
    (#"{"$quotient": {"of": [2, 3], "places": 4}}"#, "0.6667"),
    (#"{"$quotient": {"of": [100, 100], "places": 2}}"#, "1.00"),
    (#"{"$quotient": {"of": [1, 1000], "places": 2}}"#, "0.00"),
    (#"{"$quotient": {"of": [1, 0], "places": 2}}"#, "error: dataForm"),
    (#"{"$quotient": {"of": ["{{gone}}", 0], "places": 2}}"#, "absent"),
    (
      #"{"$quotient": {"of": [1, 2], "places": 41}}"#,
      "problem: 'places' of '$quotient' takes a whole number, 0 to 40"
    ),
    (
      #"{"$quotient": [1, 2]}"#,
      #"problem: '$quotient' needs 'places'; write {"$quotient": {"of": [1, 2], "places": 2}}"#
    ),
  ])
  func numbersAreCalculatedExactly(json: String, text: String) throws {
    #expect(try DataFixture.written(json) == text)
  }

  @Test(arguments: [
    (#"{"$sort": [3, 1.0, 2, 1]}"#, "[1.0,1,2,3]"), (#"{"$sort": []}"#, "[]"),
    (#"{"$sort": {"of": [1, 3.0, 3, 2], "descending": true}}"#, "[3.0,3,2,1]"),
    ("{\"$sort\": [\"b\", \"\u{E4}\", \"a\", \"B\"]}", "[\"B\",\"a\",\"b\",\"\u{E4}\"]"),
    (
      #"{"$sort": ["2026-01-01T00:30:00+02:00", "2025-12-31T22:00:00Z"]}"#,
      #"["2025-12-31T22:00:00Z","2026-01-01T00:30:00+02:00"]"#
    ),
    (
      #"{"$sort": {"of": [{"n": 2, "k": "a"}, {"k": "b"}, {"n": 1}, {"n": 2, "k": "c"}], "by": "@.n"}}"#,
      #"[{"n":1},{"n":2,"k":"a"},{"n":2,"k":"c"},{"k":"b"}]"#
    ),
    (
      #"{"$sort": {"of": [{"k": "b"}, {"n": 1}, {"n": 2}], "by": "@.n", "descending": true}}"#,
      #"[{"n":2},{"n":1},{"k":"b"}]"#
    ),
    (#"{"$sort": {"of": "$.user.tags[*]", "descending": true}}"#, #"["y","x"]"#),
    (#"{"$sort": [1, "a"]}"#, "error: dataForm"), (#"{"$sort": [null, 1]}"#, "error: dataForm"),
    (#"{"$sort": [true]}"#, "error: dataForm"), (#"{"$sort": "{{gone}}"}"#, "absent"),
    (#"{"$sort": "{{user}}"}"#, "error: dataForm"),
    (
      #"{"$sort": {"of": "{{list}}", "by": "created"}}"#,
      #"problem: 'by' of '$sort' takes a query of one value in the element, as in "@.created""#
    ),
    (
      #"{"$sort": {"of": "{{list}}", "descending": "yes"}}"#,
      "problem: 'descending' of '$sort' takes true or false"
    ),
  ])
  func listsArePutInOrder(json: String, text: String) throws {
    #expect(try DataFixture.written(json) == text)
  }

  @Test(arguments: [
    (#"{"$first": {"of": "$.gone[*]", "default": "none"}}"#, #""none""#),
    (#"{"$first": {"of": "$.list[*]", "default": "none"}}"#, "1"),
    (#"{"$first": {"of": ["{{gone}}", "x{{gone}}"], "default": {"a": "{{id}}"}}}"#, #"{"a":7}"#),
    (#"{"$min": {"of": [], "default": 0}}"#, "0"),
    (#"{"$max": {"of": [1, 2], "default": 9}}"#, "2"),
    (#"{"$max": {"of": "{{gone}}", "default": "{{gone}}"}}"#, "absent"),
  ])
  func aDefaultIsTakenForWhatIsAbsent(json: String, text: String) throws {
    #expect(try DataFixture.written(json) == text)
  }
}
