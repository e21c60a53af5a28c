import PipelineJSONText
import Testing

@testable import PipelineImports

struct ForeignKindTests {
  private func kind(_ text: String) throws -> ForeignKind {
    try Importer.content(of: .init(name: "x", bytes: Array(text.utf8))).kind
  }

  @Test(arguments: [
    ("{\"log\": {\"entries\": []}}", ForeignKind.har),
    ("{\"entries\": [{\"request\": {}}]}", .har),
    ("{\"info\": {}, \"item\": []}", .postmanCollection),
    ("{\"requests\": [], \"order\": []}", .postmanCollection),
    ("{\"name\": \"e\", \"values\": []}", .postmanEnvironment),
    ("$kind: http-request\nurl: https://a.example\n", .postmanFolder),
    ("meta {\n  name: a\n}\n", .bruno), ("vars:secret [\n  a\n]\n", .bruno),
    ("opencollection: 1.0.0\n", .openCollection),
    ("info:\n  name: a\nhttp:\n  method: GET\n", .openCollection),
    ("info:\n  name: a\n  seq: 1\n", .openCollection),
    ("name: dev\nvariables:\n  - name: a\n", .openCollectionEnvironment),
    ("{\"_type\": \"export\", \"resources\": []}", .insomnia4),
    ("{_type: export, __export_format: 4, resources: []}", .insomnia4),
    ("type: collection.insomnia.rest/5.0\n", .insomnia5),
    ("# a\nGET https://a.example\nHTTP 200\n", .hurl),
    ("GET https://a.example\n[Asserts]\nstatus == 200\n", .hurl),
    ("GET https://a.example\nPOST https://b.example\n", .hurl),
    ("arazzo: 1.0.1\n", .arazzo), ("{\"arazzo\": \"1.0.1\"}", .arazzo),
    ("GET https://a.example HTTP/1.1\nHost: a\n", .http),
    ("@a = 1\n###\nGET {{host}}/x\n", .http), ("https://a.example/x\n", .http),
    ("{\"dev\": {\"host\": \"a\"}}", .httpEnvironments),
    ("curl https://a.example", .curl), ("\n# b\n$ curl 'https://a.example'\n", .curl),
    ("{\"openapi\": \"3.1.0\"}", .apiDescription), ("{\"steps\": []}", .workflow),
  ]) func theContentDecides(_ text: String, _ expected: ForeignKind) throws {
    #expect(try kind(text) == expected)
  }

  @Test(arguments: [
    ("", "it is of no kind that import knows"),
    ("Dear Ann,\nhow are you?\n", "it is of no kind that import knows"),
    ("# Notes\n### To do\nGET well soon\n", "it is of no kind that import knows"),
    ("{\"a\": 1}", "it is of no kind that import knows"), ("[1]", "it is of no kind"),
    ("a: [1\nb: 2\n", "it is not valid YAML: line 2: "), ("{\"a\": ", "it is not valid JSON"),
  ]) func whatIsNotKnownIsRefused(_ text: String, _ reason: String) {
    let problem = #expect(throws: Importer.Problem.self) { _ = try kind(text) }
    #expect(problem?.message.hasPrefix(reason) == true, "\(problem?.message ?? "")")
  }

  @Test(arguments: [
    (
      "{\"log\": {\"entries\": []}}",
      "it is a HAR recording; import it alone, or with a second recording of the same"
    ),
    (
      "{\"requests\": [], \"order\": []}",
      "it is a Postman collection of version 1; export it as version 2.1"
    ),
    ("curl https://a.example", "it is a curl command; import it alone"),
    ("{\"steps\": []}", "it is a workflow already"),
    (
      "{\"name\": \"e\", \"values\": []}",
      "it has only the values of variables; name the file with the requests, too"
    ),
  ]) func aKindThatIsNotReadHereIsNamed(_ text: String, _ reason: String) {
    var importer = Importer(isRelaxed: false)
    let problem = #expect(throws: Importer.Problem.self) {
      _ = try importer.workflow(of: [.init(name: "x", bytes: Array(text.utf8))])
    }
    #expect(problem?.message == reason)
  }

  /// Bytes that are no text end in a message, too.
  @Test func bytesThatAreNoTextAreRefused() {
    #expect(throws: Importer.Problem.self) {
      _ = try Importer.content(of: .init(name: "x", bytes: [0xFF, 0xFE, 0x00]))
    }
  }
}
