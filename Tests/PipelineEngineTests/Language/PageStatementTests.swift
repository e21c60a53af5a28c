import PipelineJSONText
import PipelineKit
import PipelineTesting
import Testing

/// Pages, and where inputs come from (docs/language.md).
@Suite struct PageStatementTests {
  @Test(arguments: try Statement.all("Pages")) func aStatementHolds(_ statement: Statement)
    async throws
  {
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
      "/d": .json(["n": [1], "early": "e", "c": "x"]),
      "/d?c=x": .json(["n": [2], "c": "y"]), "/d?c=y": .json(["n": [3], "delta": "d"]),
      "/s?page=1": .json(["n": [1, 2]]), "/s?page=2": .json(["n": [3]]),
      "/h": answer(["n": [1]], "X-Next", "a b"), "/h?c=a%20b": .json(["n": [2]]),
      "/t?page=1": answer(["n": [1]], "X-Pages", "1 of 2"), "/t?page=2": .json(["n": [2]]),
      "/x": .json(["n": [1], "more": "see ?2"]), "/x?2": .json(["n": [2]]),
      "/w?page=1": .json(["n": [1]]),
      "/c/start": answer(["n": [1], "place": "two", "key": ["id": 1]], "X-Next", "x"),
      "/c/two?a=x": .json(["n": [2], "place": "three", "key": nil]),
      "/c/three": .json(["n": [3], "place": false]), "/circle": .json(["n": [1], "c": "x"]),
    ])
  }

  private func answer(
    _ body: JSONValue, _ header: String, _ value: String
  ) -> ScriptedTransport.Answer {
    .response(
      TransportResponse(
        status: 200, headers: [HeaderField(header, value)], body: Array(body.description.utf8)))
  }

  @Test(arguments: [#""x": 1"#, #""next": null"#, #""next": """#, #""next": false"#])
  func nothingNullEmptyAndFalseEndACursorAndANextPage(_ end: String) async throws {
    for form in [#"{"cursor": "$.next", "param": "c"}"#, #"{"next": "$.next"}"#] {
      let plan = try plan(
        """
        {
          "steps": [
            {
              "id": "p",
              "endpoint": "GET https://api.example/p",
              "paginate": \(form),
              "extract": { "n": "$.n[*]" }
            }
          ],
          "outputs": { "p": "{{p}}" }
        }
        """)
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
