import PipelineJSONText
import Testing

@testable import PipelineImports

struct HurlReaderTests {
  private func workflow(_ text: String) throws -> (root: JSONNode, report: ImportReport) {
    var importer = Importer(isRelaxed: false)
    let value = try importer.workflow(of: [.init(name: "a.hurl", bytes: Array(text.utf8))])
    return (value.node, importer.report)
  }

  private static let flow = #"""
    # Log in, and read orders
    POST {{host}}/login
    X-Trace: a#b   # a comment
    [Options]
    variable: host=https://shop.example
    location: true
    {
      "user": "ann",
      "password": "{{password}}"
    }
    HTTP 200
    Content-Type: application/json
    [Captures]
    token: jsonpath "$.token"
    sid: cookie "sid"
    year: jsonpath "$.date" regex "([0-9]{4})"
    [Asserts]
    jsonpath "$.user.name" == "ann"
    jsonpath "$.roles" count == 2
    jsonpath "$.email" contains "@"
    header "X-Id" exists
    duration < 1500

    GET {{host}}/orders/{{year}}
    Authorization: Bearer {{token}}
    [Query]
    state: open
    [Cookies]
    sid: {{sid}}
    HTTP *

    GET {{host}}/export
    [Options]
    retry: 10
    retry-interval: 500ms
    HTTP 200
    [Asserts]
    jsonpath "$.state" == "done"

    POST {{host}}/upload
    [Multipart]
    note: hello
    photo: file,photo.png; image/png
    HTTP/2 201

    PUT {{host}}/raw
    ```xml
    <a>{{newUuid}}</a>
    ```
    """#

  @Test func capturesAndAssertionsAreExtractorsAndExpectations() throws {
    let (root, report) = try workflow(Self.flow)
    #expect(report.refused.isEmpty)
    #expect(report.approximated.map(\.line) == [48])
    let steps = try #require(root["steps"])
    #expect(
      steps.elements.map { $0["id"]?.string } == ["login", "orders", "export", "upload", "raw"])
    #expect(root["defaults"]?["baseURL"]?.string == "{{inputs.host}}")
    #expect(root["inputs"]?["host"]?["default"]?.string == "https://shop.example")
    #expect(steps[0]?["headers"]?["X-Trace"]?.string == "a#b")
    #expect(steps[0]?["redirects"] == nil)
    #expect(steps[0]?["expect"]?["status"]?.text == "200")
    #expect(
      steps[0]?["expect"]?["where"]?.elements.map { $0.string } == [
        "@.headers['content-type'] == 'application/json'", "@.body.user.name == 'ann'",
        "length(@.body.roles) == 2", "(search(@.body.email, '@') || @.body.email[?@ == '@'])",
        "@.headers['x-id']",
        "@.elapsed < 1.5",
      ])
    #expect(steps[0]?["extract"]?["year"]?["regex"]?.string == "([0-9]{4})")
    #expect(steps[0]?["body"]?["json"]?["password"]?.string == "{{inputs.password}}")
    #expect(steps[1]?["endpoint"]?.string == "GET /orders/{{login.year}}")
    #expect(steps[1]?["auth"]?["bearer"]?.string == "{{login.token}}")
    #expect(steps[1]?["cookies"]?["sid"]?.string == "{{login.sid}}")
    #expect(steps[1]?["expect"]?["status"]?.count == 4)
    #expect(steps[1]?["redirects"]?.text == "0")
    #expect(steps[2]?["poll"]?["until"]?.string == "@.body.state == 'done'")
    #expect(steps[2]?["poll"]?["attempts"]?.text == "11")
    #expect(steps[3]?["body"]?["multipart"]?[1]?["file"]?.string == "photo.png")
    #expect(steps[4]?["body"]?["text"]?.string == "<a>{{inputs.newUuid}}</a>\n")
  }

  /// Also without a response, which makes a file one of Hurl by its name alone.
  @Test(arguments: [
    ("```\na\n\nGET b\n```", "a\n\nGET b\n"), ("```a {{x}}```", "a {{inputs.x}}"),
    ("```\na\nb```", "a\nb"), ("`a {{x}}`", "a {{inputs.x}}"),
    ("base64,aGVs\nbG8=;", "hello"), ("hex,68 65 6c6c6f;", "hello"),
    ("```base64\naGVsbG8=\n```", "hello"), ("```hex\n68656c\n6c6f\n```", "hello"),
    ("<a>\n  <b/>\n</a>", "<a>\n  <b/>\n</a>"),
  ])
  func aBodyIsTheTextThatHurlSends(body: String, text: String) throws {
    let (root, report) = try workflow("POST https://a.example/x\n\(body)\n")
    #expect(report.refused.isEmpty, "\(report.refused)")
    #expect(root["steps"]?[0]?["body"]?["text"]?.string == text)
  }

  @Test(arguments: ["\"a b\"", "true", "null", "-1.5", "[1,2]", "{\"a\":1}"])
  func anyJSONIsABody(json: String) throws {
    let (root, report) = try workflow("POST https://a.example/x\n\(json)\n")
    #expect(report.refused.isEmpty, "\(report.refused)")
    #expect(root["steps"]?[0]?["body"]?["json"]?.text == json)
  }

  @Test func whatCannotBeSaidIsNamedWithItsLine() throws {
    let (_, report) = try workflow(
      #"""
      GET https://a.example/x
      HTTP 200
      [Captures]
      a: xpath "string(//a)"
      b: jsonpath "$.b" count
      [Asserts]
      certificate "Subject" == "x"
      sha256 == hex,00;
      {"a": 1}
      GET https://a.example/y
      [Options]
      retry: 3
      output: x.html
      base64,/w==;
      """#)
    #expect(report.refused.map(\.line) == [4, 5, 7, 8, 13, 14, 10])
  }

  @Test func assertionsReadVariablesCookiesAndLists() throws {
    let (root, report) = try workflow(
      #"""
      GET https://a.example/x
      [Options]
      variable: least=3
      insecure: false
      HTTP 200
      [Captures]
      id: jsonpath "$.id"
      last: jsonpath "$.list" last
      code: header "X-Code" regex /c=([0-9]+)/
      [Asserts]
      jsonpath "$.count" > {{least}}
      jsonpath "$.other" == "{{id}}"
      variable "id" == "a"
      cookie "sid" exists
      cookie "sid[Value]" == "b"
      jsonpath "$.ok" isBoolean
      jsonpath "$.list[*].id" contains "c"
      jsonpath "$..id" count == 4
      jsonpath "$.list" not isEmpty
      jsonpath "$.text" == `say "x"`
      jsonpath "$.text" matches /^say/
      {"id": "a", "list": [{"id": "c"}]}

      GET https://a.example/y
      HTTP 200
      [Asserts]
      jsonpath "$.id" == {{id}}
      """#)
    #expect(report.refused.isEmpty, "\(report.refused)")
    #expect(
      root["steps"]?[0]?["expect"]?["where"]?.elements.map { $0.string } == [
        "@.body.other == @.body.id", "@.body.id == 'a'", "@.cookies['sid']",
        "@.cookies['sid'] == 'b'", "(@.body.ok == true || @.body.ok == false)",
        "@.body.list[?@.id == 'c']", "count(@.body..id) == 4", "!(length(@.body.list) == 0)",
        "@.body.text == 'say \"x\"'", "search(@.body.text, '^say')", "length(@.body.list) == 1",
        "@.body.list[0].id == 'c'", "@.body.count > {{inputs.least}}",
      ])
    #expect(root["steps"]?[0]?["extract"]?["id"]?.string == "$.id")
    #expect(root["outputs"]?["last"] != nil)
    #expect(
      root["steps"]?[1]?["expect"]?["where"]?[0]?.string == "@.body.id == {{x.id}}")
  }

  /// Half a file, and deep nesting, end.
  @Test(arguments: [
    "GET https://a.example\n{\"a\": [", "GET https://a.example\n```json\n{",
    "GET https://a.example\nHTTP 200\n[Captures]\nx\n", "GET https://a.example\nbase64,aaaa",
    "GET https://a.example\nHTTP 200\n" + String(repeating: "[", count: 50_000),
  ]) func brokenFilesEnd(_ text: String) throws {
    _ = try workflow(text)
  }

  @Test func charactersOfNamesMayBeEscaped() throws {
    let (root, report) = try workflow(
      ##"""
      POST https://a.example/x
      [Form]
      values\u{5b}0\u{5d}: 0
      a\:b: c\#d
      HTTP 200
      [Asserts]
      jsonpath "$.tags[*]" includes "rust"
      """##)
    #expect(report.refused.isEmpty, "\(report.refused)")
    let form = root["steps"]?[0]?["body"]?["form"]
    #expect(form?["values[0]"]?.string == "0" && form?["a:b"]?.string == "c#d", "\(root.text)")
    #expect(root["steps"]?[0]?["expect"]?["where"]?[0]?.string == "@.body.tags[?@ == 'rust']")
  }
}
