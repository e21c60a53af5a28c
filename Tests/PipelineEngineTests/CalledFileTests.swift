import PipelineJSONText
import PipelineKit
import PipelineLanguage
import PipelineLint
import PipelinePlanning
import PipelineSourceText
import PipelineTesting
import Testing

/// Files in memory, by name.
struct MemoryLoader: FileLoader {
  let files: [String: String]

  func load(_ path: String, relativeTo file: String) -> Result<SourceFile, FileLoadError> {
    let name = path.hasPrefix("./") ? String(path.dropFirst(2)) : path
    guard let text = files[name] else {
      return .failure(FileLoadError("'\(path)' cannot be read: no such file"))
    }
    return .success(SourceFile(name: name, bytes: Array(text.utf8)))
  }
}

/// The plan of `main.json` and of the files that it runs.
func plan(
  files: [String: String], sourceLocation: Testing.SourceLocation = #_sourceLocation
) throws -> Plan {
  let source = SourceFile(name: "main.json", bytes: Array((files["main.json"] ?? "").utf8))
  let linted = Linter(loader: MemoryLoader(files: files)).lint(source)
  for diagnostic in linted.diagnostics where diagnostic.severity == .error {
    Issue.record(
      "\(DiagnosticRenderer().render(diagnostic, in: source))", sourceLocation: sourceLocation)
  }
  return try #require(linted.plan, sourceLocation: sourceLocation)
}

/// Steps that run other files.
@Suite struct CalledFileTests {
  private let api = "https://api.example"

  private func account(_ more: String = "", limits: String = "{}") -> String {
    """
    {"inputs": {"user": {"type": "integer"}, "currency": {"type": "string", "default": "EUR"}},
     "limits": \(limits), \(more)
     "steps": [{"id": "get", "endpoint": "GET \(api)/accounts/{{inputs.user}}",
                "extract": {"balance": "$.balance"}}],
     "outputs": {"text": "{{get.balance}} {{inputs.currency}}"}}
    """
  }

  private func transport() -> ScriptedTransport {
    ScriptedTransport { request in
      let number = request.url.split(separator: "/").last.map(String.init) ?? ""
      return .json(["balance": JSONValue(number: number + "0") ?? nil])
    }
  }

  private func run(
    _ files: [String: String], _ transport: any Transport, inputs: [String: JSONValue] = [:],
    _ options: RunOptions = RunOptions()
  ) async throws -> RunReport {
    try await Pipeline(try plan(files: files), transport: transport, options: options)
      .run(inputs: inputs).result.report
  }

  @Test func aCallReturnsTheOutputsOfItsFileForEachItem() async throws {
    let report = try await run(
      [
        "main.json": """
        {"steps": [{"id": "each", "forEach": [1, 2, 3], "workflow": "./account.json",
                    "inputs": {"user": "{{item}}"}}],
         "outputs": {"all": "$.each[*].text"}}
        """, "account.json": account(),
      ], transport())
    #expect(report.outputs.text == #"{"all":["10 EUR","20 EUR","30 EUR"]}"#)
  }

  @Test func aFileWithoutOutputsReturnsNothing() async throws {
    let report = try await run(
      [
        "main.json":
          #"{"steps": [{"id": "c", "workflow": "quiet.json"}], "outputs": {"c": "{{c}}"}}"#,
        "quiet.json": #"{"steps": [{"id": "v", "values": {"x": 1}}]}"#,
      ], transport())
    #expect(report.outputs.text == #"{"c":{}}"#)
  }

  @Test func aFailureInsidePointsIntoTheCalledFile() async throws {
    let report = try await run(
      [
        "main.json": """
        {"steps": [{"id": "c", "workflow": "account.json", "inputs": {"user": 1}}]}
        """, "account.json": account(),
      ], ScriptedTransport(["GET \(api)/accounts/1": [.status(404)]]))
    let failure = try #require(report.failures.first)
    #expect(failure.step == "c.get")
    #expect(failure.source.name == "account.json")
  }

  @Test func aCalleeThatWasNotLoadedFailsTheStep() async throws {
    let source = SourceFile(
      name: "m.json", bytes: Array(#"{"steps": [{"id": "c", "workflow": "x.json"}]}"#.utf8))
    let workflow = try #require(Linter().lint(source).workflow)
    let pipeline = Pipeline(try #require(Plan(workflow)), transport: transport())
    let report = try await pipeline.run().result.report
    #expect(report.failures.first?.failure.message == "'x.json' was not loaded with the workflow")
  }

  @Test func aSecretStaysSecretInAFileThatDoesNotCallItSo() async throws {
    let report = try await run(
      [
        "main.json": """
        {"inputs": {"key": {"type": "string", "secret": true}},
         "steps": [{"id": "c", "workflow": "echo.json", "inputs": {"word": "{{inputs.key}}"}},
                   {"id": "d", "workflow": "echo.json", "inputs": {"word": "plain"}}],
         "outputs": {"c": "{{c.word}}", "d": "{{d.word}}"}}
        """,
        "echo.json": """
        {"inputs": {"word": {"type": "string"}},
         "steps": [{"id": "v", "values": {"word": "{{inputs.word}}"}}],
         "outputs": {"word": "{{v.word}}"}}
        """,
      ], transport(), inputs: ["key": "abc"])
    #expect(report.outputs.text == #"{"c":"•••","d":"plain"}"#)
  }

  @Test func credentialsDoNotGoWhereAResponseSaysThroughAnInput() async throws {
    let files = [
      "main.json": """
      {"steps": [
        {"id": "where", "endpoint": "GET \(api)/where", "extract": {"url": "$.url"}},
        {"id": "c", "workflow": "fetch.json", "inputs": {"base": "{{where.url}}"}}]}
      """,
      "fetch.json": """
      {"inputs": {"base": {"type": "string"}},
       "steps": [{"id": "get", "endpoint": "GET {{inputs.base}}",
                  "auth": {"bearer": "secret-token"}, "$lint": {"ignore": {
                  "hard-coded-credential": "a test"}}}]}
      """,
    ]
    let transport = ScriptedTransport([
      "GET \(api)/where": [.json(["url": "https://evil.example/x"])],
      "GET https://evil.example/x": [.json([:])],
    ])
    let report = try await run(files, transport)
    #expect(report.status == .succeeded)
    #expect(transport.requests.count == 2)
    #expect(transport.requests.last?.headers == [])
    // The same address written as a literal is the author's own.
    var trusted = files
    trusted["main.json"] = """
      {"steps": [{"id": "c", "workflow": "fetch.json",
                  "inputs": {"base": "https://evil.example/x"}}]}
      """
    #expect(try await run(trusted, transport).status == .succeeded)
    #expect(transport.requests.last?.headers.contains { $0.name == "Authorization" } == true)
  }

  @Test func limitsOfAFileHoldForItAlone() async throws {
    let main = """
      {"steps": [{"id": "each", "forEach": [1, 2, 3], "workflow": "account.json",
                  "concurrency": 1, "inputs": {"user": "{{item}}"}, "onItemError": "collect"},
                 {"id": "own", "when": "count($.each[*]) == 3", "endpoint": "GET \(api)/accounts/9",
                  "extract": {"b": "$.balance"}}],
       "outputs": {"own": "{{own.b}}", "n": "$.each.error.items[*].index"}}
      """
    let report = try await run(
      ["main.json": main, "account.json": account(limits: #"{"requests": 2, "concurrency": 1}"#)],
      transport())
    #expect(report.failures.count == 1)
    #expect(report.failures.first?.failure.kind == .limit)
    #expect(report.outputs.text == #"{"own":90,"n":[2]}"#)
  }

  @Test func aFileWhoseTimeIsOverFailsAndTheRunGoesOn() async throws {
    let clock = ManualClock()
    var options = RunOptions()
    options.clock = clock
    let files = [
      "main.json": """
      {"steps": [{"id": "slow", "onError": "continue", "workflow": "slow.json"},
                 {"id": "other", "wait": "20s"}]}
      """,
      "slow.json": #"{"limits": {"deadline": "5s"}, "steps": [{"id": "w", "wait": "1h"}]}"#,
    ]
    let plan = try plan(files: files)
    let run = Pipeline(plan, transport: transport(), options: options).run()
    async let result = run.result
    // The run's deadline, the file's, and both waits.
    await clock.waitForSleepers(4)
    clock.advance(by: .seconds(6))
    await clock.waitForSleepers(2)
    clock.advance(by: .seconds(20))
    let report = try await result.report
    #expect(
      report.failures.map(\.failure.message) == [
        "'slow' took longer than 5s; its 'limits.deadline' sets how long it may"
      ])
    #expect(report.counts.succeeded == 1)
  }

  @Test func stepsExpectOfBlocksAndFiles() async throws {
    let files = [
      "main.json": """
      {"steps": [{"id": "each", "forEach": [1, 2], "as": "n", "workflow": "account.json",
                  "inputs": {"user": "{{n}}"}, "onItemError": "collect",
                  "expect": {"where": [{"that": "@.text != '20 EUR'", "message": "user {{n}}"}]}},
                 {"id": "block", "onError": "continue", "expect": {"where": ["@.v.x == 2"]},
                  "steps": [{"id": "v", "values": {"x": 1}}]}],
       "outputs": {"each": "{{each}}"}}
      """, "account.json": account(),
    ]
    let report = try await run(files, transport())
    #expect(
      report.failures.map(\.failure.message).sorted() == [
        "the condition '@.v.x == 2' does not hold", "user 2",
      ])
    #expect(report.outputs.text == #"{"each":[{"text":"10 EUR"},null]}"#)
  }

  @Test func errorsOfACollectionAreRead() async throws {
    let report = try await run(
      [
        "main.json": """
        {"steps": [
           {"id": "user", "forEach": [1, 2, 3, 4], "endpoint": "GET \(api)/users/{{item}}",
            "onItemError": "collect", "onError": "recover", "extract": {"n": "$.n"}},
           {"id": "all", "forEach": [1, 2], "endpoint": "GET \(api)/gone/{{item}}",
            "onError": "recover", "concurrency": 1}],
         "outputs": {"rows": "$.user[*].n", "error": "{{user.error}}",
                     "late": "$.user.error.items[?@.index > 1].status",
                     "all": "{{all.error.kind}}", "none": "{{all}}"}}
        """
      ],
      ScriptedTransport([
        "GET \(api)/users/1": [.json(["n": 1])], "GET \(api)/users/2": [.text("no", status: 404)],
        "GET \(api)/users/3": [.json(["n": 3])], "GET \(api)/users/4": [.status(410)],
        "GET \(api)/gone/1": [.status(410)],
      ]))
    #expect(report.status == .succeeded)
    #expect(
      report.outputs.text == """
        {"rows":[1,3],"error":{"kind":"status","status":404,"message":"answered 404 Not Found",\
        "body":"no","items":[{"index":1,"kind":"status","status":404,"message":\
        "answered 404 Not Found","body":"no"},{"index":3,"kind":"status","status":410,\
        "message":"answered 410 Gone"}]},"late":[410],"all":"status","none":[null,null]}
        """)
  }

  @Test func errorsInAGraphQLAnswerFailTheStep() async throws {
    let report = try await run(
      [
        "main.json": """
        {"steps": [{"id": "q", "endpoint": "POST \(api)/graphql",
                    "body": {"graphql": {"query": "{ me { name } }"}}}]}
        """
      ],
      ScriptedTransport([
        "POST \(api)/graphql": [
          .json(["errors": [["message": "no field 'me'"], ["message": "x"]], "data": nil])
        ]
      ]))
    #expect(
      report.failures.first?.failure.message
        == "the GraphQL response has an error: no field 'me' (and 1 more)")
    #expect(report.failures.first?.failure.kind == .expect)
  }

  @Test func finallyOfABlockSeesHowItWent() async throws {
    let report = try await run(
      [
        "main.json": """
        {"steps": [{"id": "b", "forEach": [1, 2], "onItemError": "collect", "onError": "recover",
           "steps": [{"id": "get", "endpoint": "GET \(api)/{{item}}"}],
           "finally": [{"id": "note", "endpoint": "PUT \(api)/ok/{{run.ok}}"}]}]}
        """
      ],
      ScriptedTransport { request in .status(request.url.hasSuffix("/2") ? 400 : 200) })
    #expect(report.status == .succeeded)
  }

  /// A file that says where it was looked for.
  private struct EchoFiles: FileAccess {
    var workflow = ""
    func read(_ path: String) throws(FileError) -> [UInt8] {
      Array("[\"\(workflow): \(path)\"]".utf8)
    }
    func resolve(_ path: String) throws(FileError) -> String { path }
    func save(_ bytes: [UInt8], to path: String) throws(FileError) {}
    func relative(to workflow: String) -> any FileAccess { EchoFiles(workflow: workflow) }
  }

  @Test func filesAreNamedFromWhereTheirWorkflowIs() async throws {
    var options = RunOptions()
    options.files = EchoFiles()
    let files = [
      "main.json": """
      {"inputs": {"n": {"type": "string"}},
       "steps": [{"id": "v", "values": {"f": {"$file": "a/{{inputs.n}}.json"}}},
                 {"id": "c", "workflow": "lib.json"}],
       "outputs": {"v": "{{v.f}}", "c": "{{c.f}}", "o": {"$file": "out.json"}}}
      """,
      "lib.json": """
      {"steps": [{"id": "v", "forEach": [{"$file": "b.json"}], "values": {"x": "{{item[0]}}"}}],
       "outputs": {"f": "$.v[*].x"}}
      """,
    ]
    let report = try await run(files, transport(), inputs: ["n": "x"], options)
    #expect(
      report.outputs.text
        == #"{"v":["main.json: a/x.json"],"c":["lib.json: b.json"],"o":["main.json: out.json"]}"#)
    for value in ["../x", "..", "", "a/b"] {
      let report = try await run(files, transport(), inputs: ["n": .string(value)], options)
      #expect(report.failures.first?.failure.message.contains("one segment of a path") == true)
    }
  }

  @Test func whatABaseFileSaysWrongIsPointedAtThere() async throws {
    let report = try await run(
      [
        "main.json":
          #"{"extends": "base.json", "steps": [{"id": "v", "endpoint": "GET /x"}]}"#,
        "base.json": """
        {"inputs": {"name": {"type": "array", "default": [1]}},
         "defaults": {"baseURL": "\(api)",
           "headers": {"X-Name": "a {{inputs.name[0]}} {{inputs.name[1]}}"}}}
        """,
      ], transport())
    let failure = try #require(report.failures.first)
    #expect(failure.source.name == "base.json")
    #expect(failure.failure.range.map { failure.source.text($0) }?.contains("name[1]") == true)
  }

  @Test func theFirstEventListsTheStepsOfFilesHoweverDeepTheyCallEachOther() async throws {
    var files = ["f31.json": #"{"steps": [{"id": "end", "values": {"a": 1}}]}"#]
    for number in 0..<31 {
      files[number == 0 ? "main.json" : "f\(number).json"] =
        #"{"steps": [{"id": "s\#(number)", "workflow": "f\#(number + 1).json"}]}"#
    }
    var steps = try await firstSteps(files)
    for number in 0..<31 {
      #expect(steps.map(\.id) == ["s\(number)"])
      steps = steps.first?.steps ?? []
    }
    #expect(steps.map(\.id) == ["end"])
    #expect(steps.first?.file == "f31.json")
  }

  @Test func theFirstEventListsAboutTwoThousandStepsTheOuterOnesFirst() async throws {
    // Each file calls the next one three times: 4,373 steps. None of them runs.
    var files = ["f7.json": #"{"steps": [{"id": "end", "values": {"a": 1}}]}"#]
    for number in 0..<7 {
      let calls = (0..<3).map {
        #"{"id": "s\#($0)", "dependsOn": ["no"], "workflow": "f\#(number + 1).json"}"#
      }
      files[number == 0 ? "main.json" : "f\(number).json"] =
        #"{"steps": [{"id": "no", "fail": "x"}, \#(calls.joined(separator: ", "))]}"#
    }
    let steps = try await firstSteps(files)
    func count(_ steps: [RunEvent.StepSummary]) -> Int {
      steps.reduce(steps.count) { $0 + count($1.steps) }
    }
    #expect((2_000..<2_010).contains(count(steps)))
    // What is nested equally deep is described alike, but for the last depth.
    #expect(steps.map(\.id) == ["no", "s0", "s1", "s2"])
    for step in steps.dropFirst() {
      #expect(step.steps.map(\.id) == ["no", "s0", "s1", "s2"])
      #expect(step.steps.dropFirst().allSatisfy { $0.steps.count == 4 })
    }
  }

  private func firstSteps(_ files: [String: String]) async throws -> [RunEvent.StepSummary] {
    let run = Pipeline(try plan(files: files), transport: transport()).run()
    for await event in run.events() {
      if case .runStarted(let started) = event.kind { return started.steps }
    }
    return []
  }
}
