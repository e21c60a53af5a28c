import PipelineJSONText
import PipelineKit
import Testing

/// Values, templates and data forms (docs/language.md).
@Suite struct ValueStatementTests {
  private static let optional =
    #""inputs": {"none": {"type": "string", "optional": true}, "nil": {"default": null}}, "#
  private static let base = #""defaults": {"baseURL": "https://api.example"}, "#

  static let values: [Statement] = [
    Statement(
      "What is absent is left out of data, and null is kept",
      optional
        + #""steps": [{"id": "v", "values": {"a": "{{inputs.none}}", "b": "{{inputs.nil}}", "c": ["{{inputs.none}}", "{{inputs.nil}}", 1]}}], "outputs": {"v": "{{v}}", "o": "{{inputs.none}}"}"#,
      gives: #"{"v":{"b":null,"c":[null,1]}}"#),
    Statement(
      "In a query, a form, a header and a cookie both are left out",
      optional + base
        + #""steps": [{"id": "a", "endpoint": "POST /a", "query": {"q": "{{inputs.none}}", "r": "{{inputs.nil}}", "s": 1}, "headers": {"X-A": "{{inputs.none}}", "X-B": "{{inputs.nil}}", "X-C": "c"}, "cookies": {"k": "{{inputs.nil}}", "l": "1"}, "body": {"form": {"f": "{{inputs.none}}", "g": "{{inputs.nil}}", "h": "h"}}}]"#,
      gives: "{}",
      sends: [
        "POST | /a?s=1 | X-C: c | Content-Type: application/x-www-form-urlencoded | Cookie: l=1 | h=h"
      ]),
    Statement(
      "An absent part of a text is an error, before anything is sent",
      optional + base
        + #""steps": [{"id": "a", "endpoint": "GET /a", "headers": {"X-A": "a {{inputs.none}}"}}]"#,
      gives:
        "!'inputs.none' is absent, but a text needs a value; give its source a 'default'",
      sends: []),
    Statement(
      "An absent part of a path is an error, and so is null",
      optional + base + #""steps": [{"id": "a", "endpoint": "GET /a/{{inputs.nil}}"}]"#,
      gives:
        "!'inputs.nil' is null, but a URL path needs a value; skip the step with 'when', or name a value that is never null",
      sends: []),
    Statement(
      "Numbers keep their digits",
      #""inputs": {"n": {"default": 9007199254740993}, "d": {"default": 1.10}}, "steps": [{"id": "v", "values": {"n": "{{inputs.n}}", "t": "{{inputs.d}}!"}}], "outputs": {"v": "{{v}}"}"#,
      gives: #"{"v":{"n":9007199254740993,"t":"1.10!"}}"#),
    Statement(
      "Objects keep the order of their members",
      #""steps": [{"id": "v", "values": {"o": {"z": 1, "a": {"y": 1, "b": 2}}}}], "outputs": {"o": "{{v.o}}"}"#,
      gives: #"{"o":{"z":1,"a":{"y":1,"b":2}}}"#),
    Statement(
      "A literal {{ is written {{{{, three braces are one and a template, and }} is text",
      #""inputs": {"x": {"default": "v"}}, "steps": [{"id": "v", "values": {"a": "{{{{x}}", "b": "{{{inputs.x}}}", "c": "a }} b", "d": "{{{{{{inputs.x}}"}}], "outputs": {"v": "{{v}}"}"#,
      gives: #"{"v":{"a":"{{x}}","b":"{v}","c":"a }} b","d":"{{v"}}"#),
    Statement(
      "A list or an object is no part of a text",
      #""inputs": {"x": {"default": [1]}}, "steps": [{"id": "v", "values": {"a": "x{{inputs.x}}"}}]"#,
      gives:
        "!'inputs.x' is a list, but a text takes one value; run the step for each with 'forEach', or name one: '{{inputs.x[0]}}'"
    ),
    Statement(
      "Booleans and numbers are parts of texts",
      #""inputs": {"b": {"default": true}, "n": {"default": -1.5e3}}, "steps": [{"id": "v", "values": {"a": "{{ inputs.b }} {{inputs.n}}"}}], "outputs": {"a": "{{v.a}}"}"#,
      gives: #"{"a":"true -1.5e3"}"#),
    Statement(
      "A path percent-encodes all but unreserved characters; {{+x}} keeps slashes",
      base
        + #""inputs": {"x": {"default": "a/b c?ä~"}}, "steps": [{"id": "a", "endpoint": "GET /{{inputs.x}}/{{+inputs.x}}"}]"#,
      gives: "{}", sends: ["GET | /a%2Fb%20c%3F%C3%A4~/a/b%20c%3F%C3%A4~"]),
    Statement(
      "An empty segment of a path is an error",
      base
        + #""inputs": {"x": {"default": ""}}, "steps": [{"id": "a", "endpoint": "GET /u/{{inputs.x}}"}]"#,
      gives: "!'inputs.x' is an empty text, which would change the URL's path", sends: []),
    Statement(
      "A segment that comes out as .. is an error",
      base
        + #""inputs": {"x": {"default": "."}}, "steps": [{"id": "a", "endpoint": "GET /u/.{{inputs.x}}/x"}]"#,
      gives:
        "!'inputs.x' makes a segment '.' or '..' in the URL's path, which would lead to another resource",
      sends: []),
    Statement(
      "The author's own text is never encoded again; a query part is",
      base
        + #""inputs": {"x": {"default": "a&b c"}}, "steps": [{"id": "a", "endpoint": "GET /a%2Fb?q=1+2&r={{inputs.x}}", "query": {"s": "{{inputs.x}}"}}]"#,
      gives: "{}", sends: ["GET | /a%2Fb?q=1+2&r=a%26b%20c&s=a%26b%20c"]),
    Statement(
      "The start of an endpoint is a whole URL, used byte for byte",
      #""inputs": {"x": {"default": "https://api.example/a%2f?b=%C3"}}, "steps": [{"id": "a", "endpoint": "GET {{inputs.x}}"}]"#,
      gives: "{}", sends: ["GET | /a%2f?b=%C3"]),
    Statement(
      "It holds no spaces",
      #""inputs": {"x": {"default": "https://api.example/a b"}}, "steps": [{"id": "a", "endpoint": "GET {{inputs.x}}"}]"#,
      gives: "!'inputs.x' has characters that a URL must percent-encode", sends: []),
    Statement(
      "{{+x}} encodes a value's %, too: it is data",
      base
        + #""inputs": {"x": {"default": "a%20b/c%2Fd"}}, "steps": [{"id": "a", "endpoint": "GET /{{+inputs.x}}"}]"#,
      gives: "{}", sends: ["GET | /a%2520b/c%252Fd"]),
    Statement(
      "A header takes tabs and all beyond ASCII between its ends",
      base
        + #""inputs": {"x": {"default": "a\t\u0085é"}}, "steps": [{"id": "a", "endpoint": "GET /a", "headers": {"X-A": "{{inputs.x}}"}, "auth": {"bearer": "{{inputs.x}}"}}]"#,
      gives: "{}",
      sends: ["GET | /a | X-A: a\t\u{85}é | Authorization: Bearer a\t\u{85}é"]),
    Statement(
      "A header takes no blank at an end",
      base
        + #""inputs": {"x": {"default": ""}}, "steps": [{"id": "a", "endpoint": "GET /a", "headers": {"X-A": "Token {{inputs.x}}"}}]"#,
      gives:
        "!the value of 'X-A' begins or ends with a blank, which every recipient removes; leave it out",
      sends: []),
    Statement(
      "A bearer token has none either",
      base
        + #""inputs": {"x": {"default": "a "}}, "steps": [{"id": "a", "endpoint": "GET /a", "auth": {"bearer": "{{inputs.x}}"}}]"#,
      gives:
        "!the 'bearer' token begins or ends with a blank, which every recipient removes; leave it out",
      sends: []),
    Statement(
      "An empty bearer token is an error",
      base
        + #""inputs": {"x": {"default": ""}}, "steps": [{"id": "a", "endpoint": "GET /a", "auth": {"bearer": "{{inputs.x}}"}}]"#,
      gives: "!the 'bearer' token is empty; give it a value, or leave 'auth' out", sends: []),
    Statement(
      "A query's names are compared by bytes",
      #""defaults": {"baseURL": "https://api.example", "query": {"\u00e9": "1"}}, "steps": [{"id": "a", "endpoint": "GET /a", "query": {"e\u0301": "2"}}]"#,
      gives: "{}", sends: ["GET | /a?%C3%A9=1&e%CC%81=2"]),
    Statement(
      "A header takes no line break",
      base
        + #""inputs": {"x": {"default": "a\nb"}}, "steps": [{"id": "a", "endpoint": "GET /a", "headers": {"X-A": "{{inputs.x}}"}}]"#,
      gives: "!the value of 'X-A' has a control character, which a header must not hold", sends: []),
    Statement(
      "A template in a query is a value, whatever quotes it holds",
      #""inputs": {"x": {"default": "' || true || '"}}, "steps": [{"id": "v", "values": {"rows": [{"n": "' || true || '", "i": 1}, {"n": "b", "i": 2}]}}, {"id": "w", "values": {"i": "$.v.rows[?@.n == {{inputs.x}}].i"}}], "outputs": {"i": "{{w.i}}"}"#,
      gives: #"{"i":[1]}"#),
    Statement(
      "A whole value, at any depth, is a query if it is $ or begins with $. or $[; else a text",
      #""steps": [{"id": "v", "values": {"a": [1, 2]}}, {"id": "w", "values": {"q": "$.v.a[*]", "r": "$['v'].a", "t": "$5", "u": "costs $.v", "n": ["$.v.a"]}}], "outputs": {"w": "{{w}}"}"#,
      gives: #"{"w":{"q":[1,2],"r":[1,2],"t":"$5","u":"costs $.v","n":[[1,2]]}}"#),
    Statement(
      "The data forms",
      #""inputs": {"x": {"default": "ü"}}, "steps": [{"id": "v", "values": {"l": {"$literal": {"t": "{{inputs.x}}", "$json": 1}}, "j": {"$json": {"a": "{{inputs.x}}"}}, "b": {"$base64": "<{{inputs.x}}>"}, "m": {"$merge": [{"a": 1, "b": {"c": 1, "d": 2}}, {"b": {"c": null, "e": "{{inputs.x}}"}}]}}}], "outputs": {"v": "{{v}}"}"#,
      gives:
        #"{"v":{"l":{"t":"{{inputs.x}}","$json":1},"j":"{\"a\":\"ü\"}","b":"PMO8Pg==","m":{"a":1,"b":{"d":2,"e":"ü"}}}}"#
    ),
    Statement(
      "$first joins branches: a step that was skipped does not skip the reader",
      #""inputs": {"x": {"default": 1}}, "steps": [{"id": "a", "when": "$.inputs.x == 2", "values": {"v": "a"}}, {"id": "b", "when": "$.inputs.x == 1", "values": {"v": "b"}}, {"id": "c", "values": {"v": {"$first": ["{{a.v}}", "{{b.v}}", "none"]}}}], "outputs": {"v": "{{c.v}}"}"#,
      gives: #"{"v":"b"}"#),
    Statement(
      "Sums are exact, lists are joined, and of nothing the least is absent",
      #""steps": [{"id": "a", "forEach": [{"p": 0.1, "n": "x"}, {"p": 20.00, "n": "y"}], "values": {"p": "{{item.p}}", "n": "{{item.n}}"}}], "outputs": {"sum": {"$sum": "$.a[*].p"}, "all": {"$concat": ["$.a[*].n", ["z"]]}, "names": {"$join": ["$.a[*].n", ", "]}, "count": {"$count": "{{a}}"}, "max": {"$max": "$.a[*].p"}, "least": {"$min": "$.a[5:].p"}}"#,
      gives:
        #"{"sum":20.10,"all":["x","y","z"],"names":"x, y","count":2,"max":20.00}"#),
    Statement(
      "A computed key is a name or an index by its type",
      #""inputs": {"k": {"default": "b"}, "i": {"default": -1}}, "steps": [{"id": "v", "values": {"map": {"a": 1, "b": 2}, "list": [5, 6]}}, {"id": "w", "forEach": ["a", "x"], "values": {"v": "$.v.map[{{item}}]"}}], "outputs": {"m": "$.v.map[{{inputs.k}}]", "l": "$.v.list[{{inputs.i}}]", "none": "$.v.map[{{inputs.i}}]", "w": "{{w}}"}"#,
      gives: #"{"m":2,"l":6,"w":[{"v":1},{}]}"#),
    Statement(
      "A form that is given what it does not take fails its step",
      #""inputs": {"x": {"default": ["1"]}}, "steps": [{"id": "v", "values": {"s": {"$sum": "{{inputs.x}}"}}}]"#,
      gives:
        #"!'$sum' takes a list of numbers, but element 1 is a text; its extractor makes it a number with "type": "number""#
    ),
    Statement(
      "now and now-30d are fixed when the run starts",
      #""inputs": {"a": {"type": "datetime", "default": "now"}, "b": {"type": "date", "default": "now-30d"}}, "steps": [{"id": "v", "values": {"a": "{{inputs.a}}", "s": "{{run.startedAt}}"}}], "outputs": {"v": "{{v}}", "b": "{{inputs.b}}"}"#,
      gives: #"{"v":{"a":"2026-01-01T00:00:00Z","s":"2026-01-01T00:00:00Z"},"b":"2025-12-02"}"#),
    Statement(
      "A member that a value lacks is left out, and the others keep their types and order",
      optional
        + #""steps": [{"id": "a", "values": {"none": "{{inputs.none}}", "aNameOfTwentyTwoBytes": 1.0, "b": [1, {"c": 2}], "n": null}}, {"id": "w", "values": {"x": "{{a.none}}", "y": "{{a.aNameOfTwentyTwoBytes}}", "z": "{{a.b}}", "k": {"c": [true]}, "n": "{{a.n}}", "t": "{{a.aNameOfTwentyTwoBytes}}!", "first": "{{a.b[0]}}"}}], "outputs": {"w": "{{w}}"}"#,
      gives: #"{"w":{"y":1.0,"z":[1,{"c":2}],"k":{"c":[true]},"n":null,"t":"1.0!","first":1}}"#),
    Statement(
      "A step that recovered has an error beside its values",
      #""steps": [{"id": "a", "values": {"v": 1}, "expect": {"where": ["@.v == 2"]}, "onError": "recover", "otherwise": {"v": 3}}, {"id": "w", "values": {"v": "{{a.v}}", "e": "{{a.error.kind}}"}}], "outputs": {"w": "{{w}}"}"#,
      gives: #"{"w":{"v":3,"e":"expect"}}"#),
    Statement(
      "Texts compare by Unicode scalars, and nothing is converted",
      #""steps": [{"id": "v", "values": {"a": "\u00e9", "b": "e\u0301", "n": 5, "t": "5", "big": 9007199254740993}}, {"id": "w", "when": "$.v.a != $.v.b && $.v.n != $.v.t && $.v.n == 5.0 && $.v.big > 9007199254740992", "values": {"ok": true}}], "outputs": {"ok": "{{w.ok}}"}"#,
      gives: #"{"ok":true}"#),
  ]

  @Test(arguments: values) func aStatementHolds(_ statement: Statement) async throws {
    try await statement.check()
  }
}
