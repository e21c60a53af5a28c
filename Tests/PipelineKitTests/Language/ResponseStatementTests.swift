import PipelineJSONText
import PipelineKit
import Testing

/// Extractors, expectations and conditions (docs/language.md).
@Suite struct ResponseStatementTests {
  /// One GET, and its values as the output.
  private static func get(_ path: String, _ rest: String) -> String {
    #""steps": [{"id": "a", "endpoint": "GET https://api.example\#(path)", \#(rest)}], "outputs": {"a": "{{a}}"}"#
  }

  private static func extract(_ path: String, _ members: String) -> String {
    get(path, "\"extract\": {\(members)}")
  }

  private static let answers: [String: ScriptedTransport.Answer] = [
    "/full": .response(
      TransportResponse(
        status: 201,
        headers: [
          HeaderField("Content-Type", "application/vnd.x+json; charset=utf-8"),
          HeaderField("X-Tag", "one"), HeaderField("x-tag", "two"), HeaderField("X-Count", " 12 "),
          HeaderField("Location", "../users/7?code=a%20b%2B&z=1"),
          HeaderField("Set-Cookie", "session=\"abc\"; Path=/; HttpOnly"),
          HeaderField("Set-Cookie", "theme=dark"),
        ],
        body: Array(
          #"{"id": 7, "tags": ["x", "y"], "token": "eyJhIjoxfQ==", "doc": "{\"k\":[1]}", "nil": null, "when": "2026-02-29"}"#
            .utf8))),
    "/text": .text("id=42; id=43"),
    "/untyped": .response(TransportResponse(status: 200, body: Array(" [1, 2]".utf8))),
    "/broken": .text("{nope", type: "application/json"),
    "/sneaky": .text("{nope", type: "text/html"),
    "/number": .text("42"),
    "/204": .status(204),
    "/404": .text("none", status: 404),
  ]

  static let extractors: [Statement] = [
    Statement(
      "A query for one value and one for many, also of none",
      extract("/full", #""id": "$.id", "tags": "$.tags[*]", "none": "$.nothing[*]""#),
      gives: #"{"a":{"id":7,"tags":["x","y"],"none":[]}}"#),
    Statement(
      "A query for one value that finds nothing fails the step", extract("/full", #""x": "$.idd""#),
      gives: "!extractor 'x' found nothing at '$.idd'; did you mean 'id'?"),
    Statement(
      "unless it is optional or has a default; null is something",
      extract(
        "/full",
        #""x": {"body": "$.x", "optional": true}, "y": {"body": "$.y", "default": [1]}, "n": {"body": "$.nil", "default": 5}"#
      ), gives: #"{"a":{"y":[1],"n":null}}"#),
    Statement(
      "Headers without regard to case, repeated ones joined or all as a list",
      extract(
        "/full",
        #""j": {"header": "X-TAG"}, "l": {"header": "x-tag", "all": true}, "n": {"header": "X-Count", "type": "integer"}"#
      ), gives: #"{"a":{"j":"one, two","l":["one","two"],"n":12}}"#),
    Statement(
      "A header that is not there names those that are",
      extract("/text", #""x": {"header": "X-Tag"}"#),
      gives: "!extractor 'x' found no header 'X-Tag'"),
    Statement(
      "Cookies, status, url and text",
      extract(
        "/full",
        #""c": {"cookie": "session"}, "s": {"status": true}, "u": {"url": true}, "t": {"cookie": "theme"}"#
      ),
      gives: #"{"a":{"c":"abc","s":201,"u":"https://api.example/full","t":"dark"}}"#),
    Statement(
      "text is the body as it came; regex gives its first group, of the first match, or all of it",
      extract(
        "/text",
        #""t": {"text": true}, "r": {"regex": "id=([0-9]+)", "type": "integer"}, "w": {"regex": "id=4[0-9]"}, "g": {"regex": "(i)(d)"}"#
      ),
      gives: #"{"a":{"t":"id=42; id=43","r":42,"w":"id=42","g":"i"}}"#),
    Statement(
      "value carries any template into the row",
      #""steps": [{"id": "a", "forEach": [5, 6], "endpoint": "GET https://api.example/full", "extract": {"n": {"value": {"i": "{{item}}"}}, "id": "$.id"}}], "outputs": {"a": "{{a}}"}"#,
      gives: #"{"a":[{"n":{"i":5},"id":7},{"n":{"i":6},"id":7}]}"#),
    Statement(
      "take makes a list single",
      extract(
        "/full",
        #""f": {"body": "$.tags[*]", "take": "first"}, "l": {"body": "$.tags[*]", "take": "last"}, "o": {"body": "$.tags[?@ == 'x']", "take": "one"}"#
      ), gives: #"{"a":{"f":"x","l":"y","o":"x"}}"#),
    Statement(
      "take one fails where there are several",
      extract("/full", #""o": {"body": "$.tags[*]", "take": "one"}"#),
      gives: "!extractor 'o' takes one value and the query selects 2"),
    Statement(
      "and where there is none", extract("/full", #""o": {"body": "$.no[*]", "take": "one"}"#),
      gives: "!extractor 'o' found nothing: the query selects no node"),
    Statement(
      "type checks a JSON value, of a list each element",
      extract("/full", #""t": {"body": "$.tags[*]", "type": "integer"}"#),
      gives: #"!extractor 't' must be a whole number, but found a text: "x""#),
    Statement(
      "A date must be one of the calendar",
      extract("/full", #""t": {"body": "$.when", "type": "date"}"#),
      gives: #"!extractor 't' must be a date (2026-01-31), but found a text: "2026-02-29""#),
    Statement(
      "A whole URL is made of a relative one, and a parameter of it is decoded",
      extract(
        "/full",
        #""u": {"header": "Location", "type": "url"}, "c": {"header": "Location", "param": "code"}, "d": {"header": "Location", "param": "z", "type": "integer"}"#
      ), gives: #"{"a":{"u":"https://api.example/users/7?code=a%20b%2B&z=1","c":"a b+","d":1}}"#),
    Statement(
      "A parameter that is not there may have a default",
      extract("/full", #""c": {"header": "Location", "param": "no", "default": "-"}"#),
      gives: #"{"a":{"c":"-"}}"#),
    Statement(
      "base64 and JSON are decoded",
      extract(
        "/full",
        #""b": {"body": "$.token", "decode": "base64"}, "j": {"body": "$.doc", "decode": "json"}"#),
      gives: #"{"a":{"b":"{\"a\":1}","j":{"k":[1]}}}"#),
    Statement(
      "All headers are an object, names in lower case, repeated ones joined",
      extract("/full", #""h": {"headers": true}"#),
      gives:
        #"{"a":{"h":{"content-type":"application/vnd.x+json; charset=utf-8","x-tag":"one, two","x-count":" 12 ","location":"../users/7?code=a%20b%2B&z=1","set-cookie":"session=\"abc\"; Path=/; HttpOnly, theme=dark"}}}"#
    ),
    Statement(
      "base64url takes only the alphabet that is safe in URLs",
      #""steps": [{"id": "a", "endpoint": "GET https://api.example/full", "extract": {"u": {"value": "w7_Dvj8-", "decode": "base64url"}, "p": {"value": "Zg==", "decode": "base64url"}}}], "outputs": {"a": "{{a}}"}"#,
      gives: #"{"a":{"u":"ÿþ?>","p":"f"}}"#),
    Statement(
      "and refuses another",
      #""steps": [{"id": "a", "endpoint": "GET https://api.example/full", "extract": {"u": {"value": "w7/Dvj8+", "decode": "base64url"}}}]"#,
      gives: "!extractor 'u' found a text that is not base64url"),
    Statement(
      "A body query on no JSON fails the step", extract("/text", #""x": "$.id""#),
      gives: "!extractor 'x' cannot query the body: the body is 'text/plain', not JSON"),
    Statement(
      "unless it is optional or has a default",
      extract(
        "/text", #""x": {"body": "$.id", "optional": true}, "y": {"body": "$.a[*]", "default": 0}"#),
      gives: #"{"a":{"y":0}}"#),
    Statement(
      "A text without a JSON type that parses as a list or an object is JSON",
      extract("/untyped", #""x": "$[1]""#), gives: #"{"a":{"x":2}}"#),
    Statement(
      "a number is not", extract("/number", #""x": "$""#),
      gives: "!extractor 'x' cannot query the body: the body is 'text/plain', not JSON"),
    Statement(
      "What is said to be JSON and is not fails",
      extract("/broken", #""x": "$.id""#),
      gives:
        #"!extractor 'x' cannot query the body: the body of type 'application/json' is not valid JSON: 'nope' is not a member; a member is a name in double quotes, ':' and a value (byte 1)"#
    ),
    Statement(
      "A 204 has no body", extract("/204", #""x": "$.id""#),
      gives: "!extractor 'x' cannot query the body: the response has no body"),
  ]

  static let expectations: [Statement] = [
    Statement(
      "Without expect a status of 200 to 299 passes", get("/404", #""retry": 1"#),
      gives: "!answered 404 Not Found"),
    Statement(
      "A list of statuses, of which one passes",
      get("/404", #""expect": {"status": [200, "4xx"]}, "extract": {"s": {"status": true}}"#),
      gives: #"{"a":{"s":404}}"#),
    Statement(
      "and none does", get("/full", #""expect": {"status": [200, "4xx"]}"#),
      gives: "!answered 201 Created, but the step expects 200 or 4xx"),
    Statement(
      "where sees status, headers, body, text, cookies, url, elapsed and values",
      get(
        "/full",
        #""expect": {"where": ["@.status == 201", "@.headers['x-tag'] == 'one, two'", "@.body.id == 7", "search(@.text, 'tags')", "@.cookies.session == 'abc'", "@.url == 'https://api.example/full'", "@.elapsed < 1", "@.values.id == 7", "$.a2.x == 1"]}, "extract": {"id": "$.id"}}, {"id": "a2", "values": {"x": 1}"#
      ), gives: #"{"a":{"id":7}}"#),
    Statement(
      "What is extracted is asked for only by @.values, whatever else is called so",
      get(
        "/full",
        #""expect": {"where": ["@.body.values == 1"]}, "extract": {"x": "$.nothing"}"#),
      gives: "!the condition '@.body.values == 1' does not hold"),
    Statement(
      "A condition that does not hold is told as it was written",
      get("/full", #""expect": {"where": ["@.body.id > 7"]}"#),
      gives: "!the condition '@.body.id > 7' does not hold"),
    Statement(
      "or with words of its own",
      #""inputs": {"p": {"default": 3}}, "#
        + get(
          "/full",
          #""expect": {"where": [{"that": "@.body.id > 7", "message": "no users on page {{inputs.p}}"}]}"#
        ),
      gives: "!no users on page 3"),
    Statement(
      "A bare query of a boolean that is false fails the step, naming == true",
      #""inputs": {"x": {"optional": true}}, "steps": [{"id": "v", "when": "$.inputs.x", "values": {"x": 1}}]"#,
      inputs: ["x": false],
      gives:
        "!'$.inputs.x' tests whether there is a value, but found false; write '$.inputs.x == true'"),
    Statement(
      "contentType is compared without parameters",
      get(
        "/full", #""expect": {"contentType": "application/vnd.x+json"}, "extract": {"i": "$.id"}"#),
      gives: #"{"a":{"i":7}}"#),
    Statement(
      "and another one fails", get("/text", #""expect": {"contentType": "application/json"}"#),
      gives: "!the body is 'text/plain', but the step expects 'application/json'"),
    Statement(
      "A schema must be satisfied",
      get("/full", #""expect": {"schema": {"properties": {"id": {"maximum": 5}}}}"#),
      gives: "!'$.id' must be at most 5, but is 7"),
    Statement(
      "Beside values @ is the step's values",
      #""steps": [{"id": "v", "values": {"n": 1}, "expect": {"where": ["@.n == 2"]}}]"#,
      gives: "!the condition '@.n == 2' does not hold"),
    Statement(
      "Two values that are both absent are equal; length and count",
      #""steps": [{"id": "l", "values": {"t": "äb", "a": [1, 2, 3]}}, {"id": "v", "when": "$.l.a[7] == $.l.a[8] && length($.l.t) == 2 && length($.l.a) == 3 && count($.l.a[?@ > 1]) == 2 && !($.l.t == 'x' || $.l.a[5])", "values": {"ok": 1}}], "outputs": {"v": "{{v}}"}"#,
      gives: #"{"v":{"ok":1}}"#),
    Statement(
      "^ and $ are the ends of the text, also for an extractor",
      get(
        "/text",
        #""expect": {"where": ["search(@.text, '^id')", "!search(@.text, '^42')", "search(@.text, '43$')", "match(@.text, '^id.*$')"]}, "extract": {"f": {"regex": "^([a-z]+)"}, "l": {"regex": "([0-9]+)$"}}"#
      ), gives: #"{"a":{"f":"id","l":"43"}}"#),
    Statement(
      "match compares the whole text, search looks for a part",
      #""steps": [{"id": "l", "values": {"t": "abc"}}, {"id": "v", "when": "match($.l.t, 'a.c') && !match($.l.t, 'b') && search($.l.t, 'b')", "values": {"ok": 1}}], "outputs": {"v": "{{v}}"}"#,
      gives: #"{"v":{"ok":1}}"#),
  ]

  @Test(arguments: extractors) func anExtractorDoesWhatIsSaid(_ statement: Statement) async throws {
    try await statement.check(Self.answers)
  }

  @Test(arguments: expectations) func anExpectationDoesWhatIsSaid(
    _ statement: Statement
  ) async throws {
    try await statement.check(Self.answers)
  }
}
