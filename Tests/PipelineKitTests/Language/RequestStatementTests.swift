import PipelineJSONText
import PipelineKit
import Testing

/// What requests are made of (docs/language.md).
@Suite struct RequestStatementTests {
  private static func post(_ rest: String, _ before: String = "") -> String {
    before + #""steps": [{"id": "a", "endpoint": "POST https://api.example/a", \#(rest)}]"#
  }

  private struct Files: FileAccess {
    func read(_ path: String) throws(FileError) -> [UInt8] { Array(#"{"from": "\#(path)"}"#.utf8) }
    func resolve(_ path: String) throws(FileError) -> String { "/w/" + path }
    func save(_ bytes: [UInt8], to path: String) throws(FileError) {}
  }

  private static let json = "Content-Type: application/json"

  static let requests: [Statement] = [
    Statement(
      "A list as a parameter repeats it, and the styles are OpenAPI's",
      post(
        #""query": {"r": [1, 2], "c": {"value": [1, 2], "explode": false}, "s": {"value": ["a b", 2], "style": "spaceDelimited", "explode": false}, "p": {"value": [1, 2], "style": "pipeDelimited", "explode": false}, "d": {"value": {"x": 1, "y": "z"}, "style": "deepObject"}, "o": {"value": {"k": 1, "l": 2}}, "n": {"value": {"k": 1, "l": 2}, "explode": false}}"#
      ), gives: "{}",
      sends: [
        "POST | /a?r=1&r=2&c=1,2&s=a%20b%202&p=1%7C2&d%5Bx%5D=1&d%5By%5D=z&k=1&l=2&n=k,1,l,2"
      ]),
    Statement(
      "Headers and cookies, a list of which repeats",
      post(#""headers": {"X-A": ["1", 2], "Accept": "text/*"}, "cookies": {"a": "1", "b": true}"#),
      gives: "{}", sends: ["POST | /a | X-A: 1 | X-A: 2 | Accept: text/* | Cookie: a=1; b=true"]),
    Statement(
      "A step's headers, query and cookies are merged with the defaults by name; null drops one",
      #""defaults": {"baseURL": "https://api.example/v1/", "headers": {"Accept": "a", "X-D": "d", "X-N": "n"}, "query": {"q": 1, "r": 2}, "cookies": {"c": "d", "e": "f"}, "timeout": "5s"}, "steps": [{"id": "a", "endpoint": "GET /a", "headers": {"accept": "b", "X-N": null}, "query": {"q": 5, "r": null, "s": 3}, "cookies": {"c": "x"}}, {"id": "b", "endpoint": "GET b", "dependsOn": ["a"]}]"#,
      gives: "{}",
      sends: [
        "GET | /v1/a?q=5&s=3 | X-D: d | accept: b | Cookie: e=f; c=x",
        "GET | /v1/b?q=1&r=2 | Accept: a | X-D: d | X-N: n | Cookie: c=d; e=f",
      ]),
    Statement(
      "A step that says null does not inherit",
      #""defaults": {"baseURL": "https://api.example", "auth": {"bearer": "{{login.token}}"}, "body": {"json": {"d": 1}}}, "steps": [{"id": "login", "endpoint": "POST /login", "auth": null, "body": null, "extract": {"token": {"value": "t0ken-of-login"}}}, {"id": "b", "endpoint": "PUT /b"}]"#,
      gives: "{}",
      sends: [
        "POST | /login", "PUT | /b | \(json) | Authorization: Bearer t0ken-of-login | {\"d\":1}",
      ]),
    Statement(
      "A body of JSON, with a type of the author's own",
      post(
        #""headers": {"Content-Type": "application/merge-patch+json"}, "body": {"json": {"a": [1, null]}}"#
      ),
      gives: "{}",
      sends: [#"POST | /a | Content-Type: application/merge-patch+json | {"a":[1,null]}"#]),
    Statement(
      "A form, in which a list repeats",
      post(#""body": {"form": {"a b": "c&d é", "l": [1, 2]}}"#), gives: "{}",
      sends: [
        "POST | /a | Content-Type: application/x-www-form-urlencoded | a+b=c%26d+%C3%A9&l=1&l=2"
      ]),
    Statement(
      "Parts of any type",
      post(
        #""body": {"multipart": [{"name": "t", "value": "x"}, {"name": "j", "value": {"a": 1}, "contentType": "application/json"}, {"name": "f", "file": "c.png", "filename": "d.png"}]}"#
      ), gives: "{}",
      sends: [#"POST | /a | t=x | j={"a":1} (application/json) | f=</w/c.png> (d.png)"#]),
    Statement(
      "A file's content", post(#""body": {"file": "./report.pdf"}"#), gives: "{}",
      sends: ["POST | /a | Content-Type: application/octet-stream | </w/./report.pdf>"]),
    Statement(
      "A GraphQL operation, its lines in a list",
      post(
        #""body": {"graphql": {"query": ["query A($n: Int) {", "  a(n: $n)", "}"], "variables": {"n": 3}, "operationName": "A"}}"#
      ), gives: "{}",
      sends: [
        #"POST | /a | \#(json) | {"query":"query A($n: Int) {\n  a(n: $n)\n}","variables":{"n":3},"operationName":"A"}"#
      ]),
    Statement(
      "The JSON in a file", post(#""body": {"json": {"$file": "x.json"}}"#), gives: "{}",
      sends: [#"POST | /a | \#(json) | {"from":"x.json"}"#]),
    Statement(
      "A user and a password",
      post(
        #""auth": {"basic": {"user": "u", "password": "{{inputs.p}}"}}"#,
        #""inputs": {"p": {"default": "s:é", "secret": true}}, "#),
      gives: "{}", sends: ["POST | /a | Authorization: Basic dTpzOsOp"]),
    Statement(
      "Methods that are not idempotent are repeated where that is safe, with one key",
      #""steps": [{"id": "a", "endpoint": "POST https://api.example/503", "headers": {"Idempotency-Key": "k"}, "retry": {"attempts": 3, "unsafe": true}, "onError": "recover"}, {"id": "b", "dependsOn": ["a"], "endpoint": "PATCH https://api.example/503", "retry": 3, "onError": "recover"}, {"id": "c", "dependsOn": ["b"], "endpoint": "PUT https://api.example/503", "retry": {"attempts": 2, "on": [500]}, "onError": "recover"}]"#,
      gives: "{}",
      sends: Array(repeating: "POST | /503 | Idempotency-Key: k", count: 3) + [
        "PATCH | /503", "PUT | /503",
      ]),
    Statement(
      "A 404 or 410 on a DELETE that is repeated counts as done, on the first it does not",
      #""steps": [{"id": "a", "endpoint": "DELETE https://api.example/gone", "onError": "recover"}], "outputs": {"k": "{{a.error.status}}"}"#,
      gives: #"{"k":410}"#),
    Statement(
      "retry.when asks again by what the answer says, and expect judges the last",
      #""steps": [{"id": "a", "endpoint": "GET https://api.example/busy", "retry": {"attempts": 3, "when": "@.body.code == 'BUSY'"}, "extract": {"c": "$.code"}}], "outputs": {"c": "{{a.c}}"}"#,
      gives: #"{"c":"BUSY"}"#, sends: ["GET | /busy", "GET | /busy", "GET | /busy"]),
    Statement(
      "but not a POST, unless it is unsafe",
      #""order": "listed", "steps": [{"id": "a", "endpoint": "POST https://api.example/busy", "retry": {"attempts": 2, "when": "@.status == 200"}}, {"id": "b", "endpoint": "GET https://api.example/a", "retry": {"attempts": 2, "when": "@.body.code == 'BUSY'"}}]"#,
      gives: "{}", sends: ["POST | /busy", "GET | /a"]),
    Statement(
      "An absent value leaves auth out",
      #""inputs": {"t": {"optional": true}}, "order": "listed", "steps": [{"id": "a", "endpoint": "GET https://api.example/a", "auth": {"bearer": "{{inputs.t}}"}}, {"id": "b", "endpoint": "GET https://api.example/a", "auth": {"basic": {"user": "u", "password": "x{{inputs.t}}"}}}, {"id": "c", "endpoint": "GET https://api.example/a", "auth": {"oauth2": {"tokenURL": "https://id.example/t", "clientId": "c", "clientSecret": "{{inputs.t}}"}}}]"#,
      gives: "{}", sends: ["GET | /a", "GET | /a", "GET | /a"]),
    Statement(
      "A list as the value or the file of a part repeats the part",
      post(
        #""body": {"multipart": [{"name": "t", "value": ["a", null, 1, {"b": 2}]}, {"name": "f", "file": "{{+v.files}}", "contentType": "image/png"}, {"name": "j", "value": {"$json": [1]}}, {"name": "n", "value": []}]}}, {"id": "v", "values": {"files": ["x/a.png", "b.png"]}"#
      ), gives: "{}",
      sends: [
        "POST | /a | t=a | t=1 | t={\"b\":2} | f=</w/x/a.png> (image/png) | f=</w/b.png> (image/png) | j=[1]"
      ]),
    Statement(
      "A value in a path fills one segment, also in a list",
      post(
        #""body": {"multipart": [{"name": "f", "file": "{{v.files}}"}]}}, {"id": "v", "values": {"files": ["x/a.png"]}"#
      ),
      gives:
        "!'v.files' fills one segment of a path, so it cannot be empty, '.' or '..' or hold a '/'; {{+v.files}} takes several segments",
      sends: []),
    Statement(
      "save gives the path and the size of the file",
      #""steps": [{"id": "a", "endpoint": "GET https://api.example/text", "save": "x/{{v.n}}.txt", "extract": {"size": {"status": true}}}, {"id": "b", "endpoint": "GET https://api.example/text", "save": "b.txt"}, {"id": "v", "values": {"n": "a"}}], "outputs": {"a": "{{a}}", "b": "{{b}}"}"#,
      gives: #"{"a":{"size":200,"path":"x/a.txt"},"b":{"path":"b.txt","size":5}}"#),
    Statement(
      "steps may be empty if there are outputs, of the file and of a block",
      #""inputs": {"x": {"default": 2}}, "steps": [], "outputs": {"y": {"$sum": ["{{inputs.x}}", 1]}}"#,
      gives: #"{"y":3}"#, sends: []),
    Statement(
      "a block without steps only computes",
      #""steps": [{"id": "b", "forEach": [1, 2], "steps": [], "outputs": {"n": "{{item}}"}}], "outputs": {"b": "$.b[*].n"}"#,
      gives: #"{"b":[1,2]}"#, sends: []),
    Statement(
      "redirects 0 hands back the 3xx",
      #""steps": [{"id": "a", "endpoint": "GET https://api.example/302", "redirects": 0, "expect": {"status": 302}, "extract": {"to": {"header": "Location"}}}], "outputs": {"to": "{{a.to}}"}"#,
      gives: #"{"to":"/a"}"#, sends: ["GET | /302"]),
    Statement(
      "301 and 302 after a POST, and 303, become GET; 307 and 308 keep the method",
      #""order": "listed", "steps": [{"id": "a", "endpoint": "POST https://api.example/302", "body": {"text": "x"}}, {"id": "b", "endpoint": "PUT https://api.example/303", "body": {"text": "x"}}, {"id": "c", "endpoint": "PUT https://api.example/302", "body": {"text": "x"}}, {"id": "d", "endpoint": "POST https://api.example/308", "body": {"text": "x"}}]"#,
      gives: "{}",
      sends: [
        "POST | /302 | \(text) | x", "GET | /a", "PUT | /303 | \(text) | x", "GET | /a",
        "PUT | /302 | \(text) | x", "PUT | /a | \(text) | x", "POST | /308 | \(text) | x",
        "POST | /a | \(text) | x",
      ]),
  ]

  private static let text = "Content-Type: text/plain; charset=utf-8"

  @Test(arguments: requests) func aRequestIsWhatIsSaid(_ statement: Statement) async throws {
    var answers: [String: ScriptedTransport.Answer] = [
      "/503": .status(503), "/gone": .status(410), "/busy": .json(["code": "BUSY"]),
      "/text": .text("hello", type: "text/plain"),
    ]
    for status in [302, 303, 308] {
      answers["/\(status)"] = .status(status, headers: [HeaderField("Location", "/a")])
    }
    try await statement.check(answers, files: Files())
  }
}
