import PipelineJSONText
import PipelineLanguage
import PipelineLint
import PipelinePlanning
import PipelineSourceText
import Testing

@Suite struct DecodingTests {
  @Test func theExampleOfTheLanguageIsRead() throws {
    let file = SourceFile(name: "workflows/users.json", bytes: Array(Samples.users.utf8))
    let (workflow, diagnostics) = Workflow.decode(file)
    #expect(diagnostics == [])
    let read = try #require(workflow)
    #expect(read.name == "users")
    #expect(read.inputs.map(\.name) == ["api", "page"])
    #expect(read.inputs[1].type == .integer)
    #expect(read.environments.map(\.name.value) == ["live"])
    #expect(read.baseURL != nil)
    #expect(read.block.steps.map(\.id.value) == ["list", "user"])
    guard case .request(let list) = read.block.steps[0].action else {
      Issue.record("'list' is no request")
      return
    }
    #expect(list.method == "GET")
    #expect(list.query.map(\.name) == ["page"])
    #expect(list.extract.map(\.name) == ["ids", "total"])
    #expect(read.block.steps[1].forEach?.itemName == "id")
    #expect(read.block.outputs?.map(\.name) == ["total", "users"])
  }

  @Test func theExampleOfTheLanguageHasNoFindings() {
    let linted = Linter().lint(
      SourceFile(name: "workflows/users.json", bytes: Array(Samples.users.utf8)))
    #expect(linted.diagnostics == [])
  }

  @Test(arguments: ["endpont", "url"])
  func theOtherKeysOfAStepAreCheckedThoughItsActionIsUnknown(_ key: String) {
    let linted = Linter().lint(
      SourceFile(
        name: "a.json",
        bytes: Array(
          """
          {"steps": [{"id": "a", "\(key)": "GET https://a.example/{id}",
            "extract": {"b": "$.data["}, "retry": "often"}],
           "outputs": {"b": "{{a.b}}"}}
          """.utf8)))
    let codes = linted.diagnostics.map(\.code)
    #expect(codes.contains("unknown-key"))
    #expect(codes.contains("query-syntax"))
    #expect(codes.contains("wrong-type"))
    #expect(codes.contains("foreign-template") == (key == "endpont"))
  }

  @Test func aPathWithoutABaseIsToldOnce() {
    let steps =
      #""steps": [{"id": "a", "endpoint": "GET /a"}, {"id": "b", "endpoint": "GET /b"}]"#
    let codes = { (text: String) in
      Linter().lint(SourceFile(name: "a.json", bytes: Array(text.utf8))).diagnostics
        .filter { $0.severity == .error }.map(\.code)
    }
    #expect(codes("{" + steps + "}") == ["missing-key"])
    #expect(codes(#"{"defaults": {"baseUrl": "https://a.example"}, \#(steps)}"#) == ["unknown-key"])
    #expect(codes(#"{"defaults": {"baseURL": 1}, \#(steps)}"#) == ["wrong-type"])
    #expect(codes(#"{"defaults": 1, \#(steps)}"#) == ["wrong-type"])
  }

  @Test func dataThatStandsInABodyItselfIsOneFinding() {
    let linted = Linter().lint(
      SourceFile(
        name: "a.json",
        bytes: Array(
          #"""
          {"steps": [{"id": "a", "endpoint": "POST https://a.example",
            "body": {"email": "a", "password": "b"}}]}
          """#.utf8)))
    #expect(linted.diagnostics.map(\.code) == ["missing-key"])
    #expect(linted.diagnostics[0].message.contains("write {\"json\": {…}} around it"))
  }

  @Test func defaultsMergeByName() throws {
    let workflow = try #require(
      Samples.decode(
        """
        {
          "defaults": {
            "baseURL": "https://a.example", "timeout": "10s", "retry": 3,
            "headers": {"Accept": "application/json", "X-One": "1"},
            "auth": {"bearer": "t"}
          },
          "steps": [
            {"id": "a", "endpoint": "GET /", "headers": {"accept": "text/plain", "x-one": null}},
            {"id": "b", "endpoint": "GET /", "auth": null, "timeout": null}
          ]
        }
        """))
    guard case .request(let a) = workflow.block.steps[0].action,
      case .request(let b) = workflow.block.steps[1].action
    else {
      Issue.record("no requests")
      return
    }
    #expect(a.headers.map(\.name) == ["accept"])
    #expect(a.headers[0].isInherited == false)
    #expect(a.auth?.isInherited == true)
    #expect(a.retry.attempts == 3)
    #expect(a.timeout?.total?.value == .seconds(10))
    #expect(b.headers.map(\.name) == ["Accept", "X-One"])
    #expect(b.auth == nil)
    #expect(b.timeout == nil)
  }
}

enum Samples {
  static func decode(_ text: String) -> Workflow? {
    let (workflow, diagnostics) = Workflow.decode(
      SourceFile(name: "test.json", bytes: Array(text.utf8)))
    #expect(diagnostics == [])
    return workflow
  }

  static let users = """
    {
      "format": 1,
      "name": "users",
      "description": "List the users, then fetch each one's full record.",
      "inputs": {
        "api": { "type": "string", "default": "sandbox:/reqres" },
        "page": { "type": "integer", "default": 1 }
      },
      "environments": { "live": { "api": "https://reqres.in/api" } },
      "defaults": { "baseURL": "{{inputs.api}}" },
      "steps": [
        {
          "id": "list",
          "endpoint": "GET /users",
          "query": { "page": "{{inputs.page}}" },
          "extract": { "ids": "$.data[*].id", "total": "$.total" }
        },
        {
          "id": "user",
          "forEach": "$.list.ids",
          "as": "id",
          "endpoint": "GET /users/{{id}}",
          "extract": { "email": "$.data.email", "name": "$.data.first_name" }
        }
      ],
      "outputs": { "total": "{{list.total}}", "users": "{{user}}" }
    }
    """
}
