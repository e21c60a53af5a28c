import PipelineLanguage
import PipelineLint
import PipelinePlanning
import PipelineSourceText
import PipelineTestSupport
import Testing

@Suite struct LinterTests {
  @Test func nothingReadableIsFatal() {
    for text in ["", " ", "[", "{", "\"", "{\"steps\": [[[[", "{\"steps\": {\"a\": 1}}", "[1, 2]"] {
      #expect(!Fixtures.lint(text).isEmpty)
    }
  }

  @Test func anyBytesAreJudgedWithoutATrap() {
    let users = Array(Samples.users.utf8)
    for end in stride(from: 0, to: users.count, by: 7) {
      _ = Linter().lint(SourceFile(name: "cut.json", bytes: Array(users[..<end])))
    }
    for position in stride(from: 0, to: users.count, by: 11) {
      var bytes = users
      bytes[position] = 0xFF
      _ = Linter().lint(SourceFile(name: "broken.json", bytes: bytes))
      bytes[position] = UInt8(ascii: "{")
      _ = Linter().lint(SourceFile(name: "broken.json", bytes: bytes))
    }
  }

  @Test func everyFixedFileHasLostTheFinding() throws {
    for explanation in Explanation.all where !explanation.text.bad.isEmpty {
      let text = explanation.text
      let file = SourceFile(name: "bad.json", bytes: Array(text.bad.utf8))
      let linter = Linter(recorded: text.recordedAnswers, described: text.description)
      let fixes = linter.lint(file).diagnostics.compactMap(\.fix)
      if fixes.isEmpty { continue }
      let (bytes, applied) = file.applying(fixes)
      #expect(applied > 0)
      let again = linter.lint(SourceFile(name: "bad.json", bytes: bytes)).diagnostics
      #expect(
        !again.contains { $0.code == explanation.code },
        "\(explanation.code): \(String(decoding: bytes, as: UTF8.self))")
    }
  }

  /// What seems to be missing from a step may be in a part of it that could not be read.
  @Test(arguments: [
    #"{"id": "a", "endpoint": "GET https://api.example.com/a", "poll": {"until": "@.body.done == true", "witin": "3m"}}"#,
    #"{"id": "a", "endpoint": "GET https://api.example.com/a", "paginate": {"next": "$.next", "maxPage": 3}}"#,
    #"{"id": "a", "forEach": [1, 2], "endpoint": "GET https://api.example.com/a", "qery": {"n": "{{item}}"}}"#,
    #"{"id": "a", "endpoint": "GET https://api.example.com/a", "extract": {"n": "$.n"}, "expct": {"status": 200}}"#,
    #"{"id": "a", "values": {"n": 1}, "descripton": "x"}"#,
  ])
  func aStepThatIsNotReadWholeLacksNothing(_ step: String) {
    #expect(Fixtures.lint("{\"steps\": [\(step)]}").map(\.code) == ["unknown-key"])
  }

  /// Servers of searches and databases take a text `query`, too.
  @Test(arguments: [
    ("search", #"{"query": "{\"match\": {\"name\": \"Ada\"}}"}"#, false),
    ("search", #"{"query": "{name: 'Ada'}"}"#, false),
    ("graphql", #"{"query": "{{inputs.words}}"}"#, false),
    ("logs", #"{"query": "queryId = 7 | json {a}"}"#, false),
    ("logs", #"{"query": "query of the {a}"}"#, false),
    ("graphql", #"{"query": "{ viewer { login } }"}"#, true),
    ("api", #"{"query": "query { viewer { login } }"}"#, true),
    ("api", #"{"query": "mutation Add($n: Int!) { add(n: $n) }"}"#, true),
    ("api", #"{"query": "{ user(id: 7) { name } }", "variables": {}}"#, true),
  ])
  func anOperationOfGraphQLIsToldFromOtherQueries(
    _ path: String, _ body: String, _ isOperation: Bool
  ) {
    let text = """
      {"steps": [{"id": "a", "endpoint": "POST https://a.example/\(path)", "body": {"json": \(body)}}]}
      """
    #expect(Fixtures.lint(text).contains { $0.code == "graphql-variables" } == isOperation)
  }

  @Test func everySampleIsClean() throws {
    let folder = Conformance.packageRoot + "/workflows"
    for name in Fixtures.entries(of: folder)
    where name.hasSuffix(".json") && !name.hasSuffix(".test.json") {
      let bytes = try #require(readFile(folder + "/" + name))
      let linted = Linter(loader: SampleLoader(folder: folder))
        .lint(SourceFile(name: name, bytes: bytes))
      #expect(Fixtures.render(linted) == "")
    }
  }

  @Test func aFindingIsSilencedWhereItStands() {
    let text = """
      {
        "steps": [
          {
            "id": "a",
            "$lint": {"ignore": {"unused-extractor": "checked by its presence"}},
            "endpoint": "GET https://a.example/",
            "extract": {"x": "$.x"}
          },
          {"id": "b", "endpoint": "GET https://a.example/", "extract": {"y": "$.y"}}
        ]
      }
      """
    #expect(Fixtures.lint(text).map(\.message) == ["nothing reads 'y', which step 'b' extracts"])
  }

  @Test func anErrorCannotBeSilenced() {
    let text = """
      {
        "$lint": {"ignore": {"unknown-reference": "I know better"}},
        "steps": [{"id": "a", "endpoint": "GET https://a.example/{{b.x}}"}]
      }
      """
    #expect(Fixtures.lint(text).map(\.code) == ["unused-silencing", "unknown-reference"])
  }

  @Test func finallyStepsSeeWhatMayBeMissing() {
    let text = """
      {
        "steps": [
          {"id": "a", "endpoint": "GET https://a.example/", "extract": {"x": "$.x"}}
        ],
        "finally": [
          {"id": "b", "when": "$.a.x && $.run.ok == true",
           "endpoint": "DELETE https://a.example/{{a.x}}"}
        ]
      }
      """
    #expect(Fixtures.lint(text) == [])
  }

  @Test func nestedBlocksReadOutwards() {
    let text = """
      {
        "inputs": {"ids": {"type": "array"}},
        "steps": [
          {"id": "login", "endpoint": "POST https://a.example/", "extract": {"token": {"body": "$.t", "secret": true}}},
          {
            "id": "each", "forEach": "$.inputs.ids", "as": "id",
            "steps": [
              {"id": "get", "endpoint": "GET https://a.example/{{id}}",
               "auth": {"bearer": "{{login.token}}"}, "extract": {"name": "$.name"}},
              {"id": "put", "endpoint": "PUT https://a.example/{{id}}",
               "body": {"json": {"name": "{{get.name}}", "nick": "{{get.nick}}"}}}
            ]
          }
        ],
        "outputs": {"names": "$.each[*].get.name", "all": "$.each[*].gett.name"}
      }
      """
    #expect(
      Fixtures.lint(text).map(\.message) == [
        "step 'put' reads 'nick', which step 'get' does not extract; it has 'name'",
        "an output reads 'gett' of 'each[*]', which does not have it; did you mean 'get'?",
      ])
  }
}

/// Reads what the samples name, relative to the file that names it.
private struct SampleLoader: FileLoader {
  let folder: String

  func load(_ path: String, relativeTo file: String) -> Result<SourceFile, FileLoadError> {
    let name = (file.split(separator: "/").dropLast() + [path[...]]).joined(separator: "/")
    guard let bytes = readFile(folder + "/" + name) else {
      return .failure(FileLoadError("'\(path)' cannot be read"))
    }
    return .success(SourceFile(name: name, bytes: bytes))
  }
}
