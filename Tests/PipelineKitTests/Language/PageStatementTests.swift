import PipelineJSONText
import PipelineKit
import Testing

/// Pages, and where inputs come from (docs/language.md).
@Suite struct PageStatementTests {
  private static func pages(
    _ paginate: String, endpoint: String = "GET https://api.example/p", _ rest: String = ""
  ) -> String {
    #""steps": [{"id": "p", "endpoint": "\#(endpoint)", "paginate": \#(paginate), "extract": {"n": "$.n[*]", "first": {"body": "$.total", "optional": true}}\#(rest)}], "outputs": {"p": "{{p}}"}"#
  }

  static let pages: [Statement] = [
    Statement(
      "A relative URL resolves against the page's own, and query is not added again",
      pages(
        #"{"next": "$.next"}"#, endpoint: "GET https://api.example/a/b",
        #", "query": {"size": 2}"#), gives: #"{"p":{"n":[1,2,3],"first":3}}"#,
      sends: ["GET | /a/b?size=2", "GET | /a/c?x=1", "GET | /a/c?y=2"]),
    Statement(
      "Pages may count from 0, and a count in a text is a number",
      pages(#"{"page": "page", "from": 0, "pages": "$.pages"}"#),
      gives: #"{"p":{"n":[0,1]}}"#, sends: ["GET | /p?page=0", "GET | /p?page=1"]),
    Statement(
      "A parameter that is there already is set",
      pages(
        #"{"offset": "from", "by": 2, "total": "$.total"}"#,
        endpoint: "GET https://api.example/q?from=9&k=1"),
      gives: #"{"p":{"n":[0],"first":1}}"#, sends: ["GET | /q?k=1&from=0"]),
    Statement(
      "A cursor goes into a body, and into the variables of a GraphQL operation",
      pages(
        #"{"cursor": "$.c", "param": "after", "in": "body"}"#,
        endpoint: "POST https://api.example/g",
        #", "body": {"graphql": {"query": "{ a }", "variables": {"n": 5}}}"#),
      gives: #"!the pages repeat: 'https://api.example/g' was fetched before"#,
      sends: [
        #"POST | /g | Content-Type: application/json | {"query":"{ a }","variables":{"n":5}}"#,
        #"POST | /g | Content-Type: application/json | {"query":"{ a }","variables":{"n":5,"after":"x"}}"#,
      ]),
    Statement(
      "Reaching maxPages is an error, also where the count is known",
      pages(#"{"page": "page", "pages": "$.many", "maxPages": 3}"#),
      gives: "!there are more than 3 pages; 'maxPages' sets how many are fetched"),
    Statement(
      "Where the count is not there the step fails",
      pages(#"{"page": "page", "pages": "$.none"}"#),
      gives: "!'$.none' found no number of pages or records"),
    Statement(
      "while ends pages with the first answer for which it does not hold",
      pages(
        #"{"cursor": "$.c", "param": "c", "while": "@.body.more == true"}"#,
        endpoint: "GET https://api.example/w"),
      gives: #"{"p":{"n":[1,2]}}"#, sends: ["GET | /w", "GET | /w?c=x"]),
    Statement(
      "also numbered ones, which need nothing else to end",
      pages(
        #"{"page": "page", "while": "@.body.more == true"}"#, endpoint: "GET https://api.example/v"),
      gives: #"{"p":{"n":[1,2]}}"#, sends: ["GET | /v?page=1", "GET | /v?page=2"]),
    Statement(
      "and so does a page without records",
      pages(
        #"{"offset": "o", "by": 1, "while": "@.status < 300"}"#,
        endpoint: "GET https://api.example/o"),
      gives: #"{"p":{"n":[1]}}"#, sends: ["GET | /o?o=0", "GET | /o?o=1"]),
    Statement(
      "by beside page: a short page is the last",
      pages(
        #"{"page": "page", "by": 2, "items": "$.n"}"#, endpoint: "GET https://api.example/s"),
      gives: #"{"p":{"n":[1,2,3]}}"#, sends: ["GET | /s?page=1", "GET | /s?page=2"]),
    Statement(
      "An empty page ends what is counted",
      pages(#"{"page": "page", "from": 5, "items": "$.n"}"#), gives: #"{"p":{"n":[]}}"#,
      sends: ["GET | /p?page=5"]),
  ]

  @Test(arguments: pages) func aStatementHolds(_ statement: Statement) async throws {
    try await statement.check([
      "/a/b?size=2": .json(["n": [1], "total": 3, "next": "c?x=1"]),
      "/a/c?x=1": .json(["n": [2], "total": 4, "next": "?y=2"]),
      "/a/c?y=2": .json(["n": [3]]),
      "/p?page=0": .json(["n": [0], "pages": "2"]), "/p?page=1": .json(["n": [1], "many": 4]),
      "/p?page=5": .json(["n": []]),
      "/q?k=1&from=0": .json(["n": [0], "total": 1]),
      "/g": .json(["n": [1], "c": "x"]),
      "/w": .json(["n": [1], "c": "x", "more": true]),
      "/w?c=x": .json(["n": [2], "c": "y", "more": false]),
      "/v?page=1": .json(["n": [1], "more": true]), "/v?page=2": .json(["n": [2]]),
      "/o?o=0": .json(["n": [1]]), "/o?o=1": .status(204),
      "/s?page=1": .json(["n": [1, 2]]), "/s?page=2": .json(["n": [3]]),
    ])
  }

  @Test(arguments: [#""x": 1"#, #""next": null"#, #""next": """#, #""next": false"#])
  func nothingNullEmptyAndFalseEndACursorAndANextPage(_ end: String) async throws {
    for form in [#"{"cursor": "$.next", "param": "c"}"#, #"{"next": "$.next"}"#] {
      let plan = try plan("{\(Self.pages(form))}")
      let transport = ScriptedTransport { _ in
        .text("{\"n\": [1], \(end)}", type: "application/json")
      }
      let result = try await Pipeline(plan, transport: transport).run().result
      #expect(result.outputs.text == #"{"p":{"n":[1]}}"#)
      #expect(transport.requests.count == 1)
    }
  }

  /// `env` and `environments` act in the file that is run, not in files that it calls.
  @Test func variablesAndEnvironmentsAreOfTheFileThatIsRun() async throws {
    let file = """
      "inputs": {"a": {"type": "string", "env": "A", "default": "default"}, "b": {"default": "default"}},
      "environments": {"live": {"b": "live"}}, "defaultEnvironment": "live",
      """
    let plan = try plan(files: [
      "main.json": """
      {\(file) "steps": [{"id": "c", "workflow": "called.json"}],
       "outputs": {"own": ["{{inputs.a}}", "{{inputs.b}}"], "called": "{{c.v}}"}}
      """,
      "called.json": """
      {\(file) "steps": [{"id": "v", "values": {"v": ["{{inputs.a}}", "{{inputs.b}}"]}}],
       "outputs": {"v": "{{v.v}}"}}
      """,
    ])
    var options = RunOptions()
    options.variables = ["A": "variable"]
    let pipeline = Pipeline(plan, transport: ScriptedTransport([:]), options: options)
    let result = try await pipeline.run().result
    #expect(
      result.outputs.text == #"{"own":["variable","live"],"called":["default","default"]}"#)
    // What is given outranks both.
    let given = try await pipeline.run(inputs: ["a": "given", "b": "given"]).result
    #expect(given.outputs["own"]?.text == #"["given","given"]"#)
  }
}
