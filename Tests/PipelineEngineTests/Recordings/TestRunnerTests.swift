import PipelineJSONText
import PipelineKit
import PipelineLanguage
import PipelineLint
import PipelineSourceText
import PipelineTestSupport
import Testing

@testable import PipelineEngine
@testable import PipelineTesting

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

@Suite struct TestRunnerTests {
  private struct Files: FileLoader {
    let text: String

    func load(_ path: String, relativeTo file: String) -> Result<SourceFile, FileLoadError> {
      .success(SourceFile(name: path, bytes: Array(text.utf8)))
    }
  }

  /// What the tests of a workflow come to: the messages of each.
  private func run(
    _ workflow: String, _ tests: String, orders: Int = 1
  ) async throws -> (results: [TestResult], linted: LintedTests) {
    let text = "{\"workflow\": \"./a.json\", \"tests\": [\(tests)]}"
    let file = SourceFile(name: "a.test.json", bytes: Array(text.utf8))
    let linted = Linter(loader: Files(text: workflow)).lintTests(WorkflowText(file))
    try #require(linted.diagnostics.map(\.message) == [])
    let plan = try #require(linted.workflow?.plan)
    var runner = TestRunner(plan)
    runner.orders = orders
    var results: [TestResult] = []
    for test in linted.tests?.tests ?? [] { results.append(await runner.run(test)) }
    return (results, linted)
  }

  private func messages(
    _ workflow: String, _ tests: String, orders: Int = 1
  ) async throws -> [String] {
    try await run(workflow, tests, orders: orders).results.flatMap { $0.problems.map(\.message) }
  }

  private static let users = """
    {"inputs": {"page": {"default": 1}, "key": {"secret": true}},
      "limits": {"deadline": "1d"}, "steps": [
      {"id": "list", "endpoint": "GET https://x.test/users?page={{inputs.page}}",
        "auth": {"bearer": "{{inputs.key}}"},
        "extract": {"ids": "$.data[*].id", "total": "$.total"},
        "retry": {"attempts": 3, "delay": "1m"}},
      {"id": "user", "forEach": "$.list.ids", "endpoint": "GET https://x.test/users/{{item}}",
        "retry": {"attempts": 4, "delay": "1h", "factor": 2}, "extract": {"name": "$.name"}},
      {"id": "pause", "wait": "3h", "dependsOn": ["user"]}
    ], "outputs": {"total": "{{list.total}}", "names": "$.user[*].name"}}
    """

  @Test func answersByStepTimeAndOutputs() async throws {
    let test = """
      {"name": "two users", "inputs": {"page": 2}, "respond": {
        "list": {"json": {"total": 2, "data": [{"id": 7}, {"id": 8}]}, "after": "10s"},
        "user": {"items": [[{"status": 503}, {"json": {"name": "A"}}], {"json": {"name": "B"}}]}},
        "expect": {"outputs": {"total": 2, "names": ["A", "B"]}, "exactly": true, "where": [
          "count($.requests.user[*]) == 3", "$.steps.user.items == 2",
          "$.requests.list[0].url == 'https://x.test/users?page=2'",
          "$.requests.user[0].at >= 10", "$.elapsed > 10800", "$.elapsed < 20000"]}}
      """
    #expect(try await messages(Self.users, test) == [])
    #expect(try await messages(Self.users, test, orders: 20) == [])
  }

  @Test(arguments: [
    ("refused", "network"), ("reset", "network"), ("timeout", "timeout"), ("truncated", "network"),
    ("dns", "network"), ("tls", "network"),
  ])
  func aFaultIsAFailure(_ fault: String, _ kind: String) async throws {
    let test = """
      {"name": "down", "respond": {"list": {"fault": "\(fault)"}},
        "expect": {"status": "failed", "failures": [{"step": "list", "kind": "\(kind)"}]}}
      """
    #expect(try await messages(Self.users, test) == [])
  }

  @Test func aDifferenceIsShownByPath() async throws {
    let test = """
      {"name": "a", "respond": {
        "list": {"json": {"total": 1, "data": [{"id": 7}]}}, "user": {"json": {"name": "A"}}},
        "expect": {"outputs": {"total": 2, "names": ["A", "B"]},
          "where": ["count($.requests.user[*]) == 3"]}}
      """
    #expect(
      try await messages(Self.users, test) == [
        "output 'total' is 1; expected 2", "output 'names[1]' is absent; expected \"B\"",
        "'count($.requests.user[*]) == 3' does not hold",
      ])
  }

  @Test func whatIsNotAnsweredFailsTheTestAndSaysWhatToWrite() async throws {
    let answers = #""list": {"json": {"total": 0, "data": [{"id": 1}, {"id": 2}]}}"#
    #expect(
      try await messages(
        Self.users,
        #"{"name": "a", "respond": {\#(answers)}, "expect": {"outputs": {"total": 5}}}"#)
        == ["nothing answers step 'user'; write \"user\": {\"json\": …} into 'respond'"])
    #expect(
      try await messages(Self.users, #"{"name": "a"}"#)
        == ["nothing answers step 'list'; write \"respond\": {\"list\": {\"json\": …}}"])
    #expect(
      try await messages(
        Self.users,
        #"{"name": "a", "respond": {"list": [{"status": 503}]}, "expect": {"status": "failed"}}"#)
        == [
          "step 'list', attempt 2 is request 2, and the list has 1 answer; add one, or write one"
            + " answer for all"
        ])
  }

  @Test func valuesTakeThePlaceOfRequestsAndWaits() async throws {
    let test = """
      {"name": "a", "respond": {"list": {"values": {"ids": [1], "total": 1}},
        "user": {"items": [{"values": {"name": "A"}}]}, "pause": {"values": {}}},
        "expect": {"outputs": {"names": ["A"]},
          "where": ["$.elapsed == 0", "!$.requests.list", "!$.requests.user"]}}
      """
    #expect(try await messages(Self.users, test) == [])
  }

  @Test func aDeadlineOfHoursTakesNoTimeAndIsExact() async throws {
    let workflow = """
      {"limits": {"deadline": "5h"}, "steps": [{"id": "a", "endpoint": "GET https://x.test/",
        "poll": {"until": "@.body.done == true", "every": "10m", "within": "9h"}}]}
      """
    let test = """
      {"name": "a", "respond": {"a": {"json": {"done": false}, "after": "1s"}},
        "expect": {"status": "failed", "where": ["$.elapsed == 18000"]}}
      """
    for _ in 0..<20 { #expect(try await messages(workflow, test) == []) }
  }

  @Test func gapsOfCoverageAreNamed() async throws {
    let workflow = """
      {"steps": [
        {"id": "a", "endpoint": "GET https://x.test/a", "extract": {"n": "$.n"},
          "retry": {"attempts": 2, "delay": "1s"}},
        {"id": "b", "when": "$.a.n > 1", "endpoint": "GET https://x.test/b",
          "onError": "recover", "otherwise": {"ok": false}, "extract": {"ok": "$.ok"}},
        {"id": "c", "when": "$.a.n > 5", "endpoint": "GET https://x.test/c"}
      ], "outputs": {"b": "{{b.ok}}"}}
      """
    let (results, linted) = try await run(
      workflow,
      #"{"name": "x", "respond": {"a": {"json": {"n": 2}}, "b": {"json": {"ok": true}}}}"#)
    let workflowLinted = try #require(linted.workflow)
    let (count, gaps) = results[0].coverage.gaps(in: workflowLinted)
    #expect(count == 7)
    #expect(
      gaps == [
        "step 'a': its 'retry' never sent a request again", "step 'b': its 'when' always held",
        "step 'b': its 'otherwise' was never taken", "step 'c': never ran",
      ])
  }

  // MARK: Orders

  /// Workflows whose outcome, or whose effect on the server, depends on who comes first.
  private static let races: [(workflow: String, test: String, message: String)] = [
    // Two writers of one thing.
    (
      """
      {"steps": [
        {"id": "a", "endpoint": "PUT https://x.test/n", "body": {"json": {"n": 1}}},
        {"id": "b", "endpoint": "PUT https://x.test/n", "body": {"json": {"n": 2}}}]}
      """, #"{"name": "x", "respond": {"a": {"status": 204}, "b": {"status": 204}}}"#,
      "dependsOn"
    ),
    // A reader that does not wait for the writer.
    (
      """
      {"steps": [
        {"id": "a", "endpoint": "POST https://x.test/n", "body": {"json": {"n": 1}}},
        {"id": "b", "endpoint": "GET https://x.test/n?all=1", "extract": {"n": "$.n"}}],
        "outputs": {"n": "{{b.n}}"}}
      """, #"{"name": "x", "respond": {"a": {"status": 204}, "b": {"json": {"n": 1}}}}"#,
      "dependsOn"
    ),
    // A reader that takes the first of two.
    (
      """
      {"steps": [
        {"id": "a", "endpoint": "GET https://x.test/next", "extract": {"n": "$.n"}},
        {"id": "b", "endpoint": "GET https://x.test/next", "extract": {"n": "$.n"}}],
        "outputs": {"n": "{{a.n}}"}}
      """, #"{"name": "x", "respond": {"a, b": [{"json": {"n": 1}}, {"json": {"n": 2}}]}}"#,
      "the order of answers decides"
    ),
    // Items that write one thing.
    (
      """
      {"steps": [{"id": "a", "forEach": [1, 2, 3], "endpoint": "PATCH https://x.test/n",
        "body": {"json": {"n": "{{item}}"}}}]}
      """, #"{"name": "x", "respond": {"a": {"status": 204}}}"#, "\"concurrency\": 1"
    ),
    // What is deleted while another step reads it.
    (
      """
      {"steps": [
        {"id": "a", "endpoint": "GET https://x.test/n/1", "extract": {"n": "$.n"}},
        {"id": "b", "endpoint": "DELETE https://x.test/n/1"}], "outputs": {"n": "{{a.n}}"}}
      """, #"{"name": "x", "respond": {"a": {"json": {"n": 1}}, "b": {"status": 204}}}"#,
      "dependsOn"
    ),
  ]

  @Test(arguments: 0..<5)
  func ordersFindARace(_ number: Int) async throws {
    let race = Self.races[number]
    #expect(try await messages(race.workflow, race.test) == [])
    let found = try await run(race.workflow, race.test, orders: 20).results[0]
    let problem = try #require(found.problems.first)
    #expect(problem.message.contains(race.message), "\(problem.message)")
    #expect(problem.details.contains { $0.hasPrefix("one order: ") })
    #expect(problem.details.last?.hasPrefix("seed ") == true)
    // The same seed finds the same.
    let again = try await run(race.workflow, race.test, orders: 20).results[0]
    #expect(again.problems == found.problems)
  }

  /// With `LONG_TESTS=1` a thousand.
  private static let manyOrders = LongTests.count(50, long: 1000)

  @Test func aSoundWorkflowSurvivesManyOrders() async throws {
    let test = """
      {"name": "two users", "orders": \(Self.manyOrders), "respond": {
        "list": {"json": {"total": 2, "data": [{"id": 7}, {"id": 8}]}},
        "user": {"items": [[{"status": 503}, {"json": {"name": "A"}}], {"json": {"name": "B"}}]}}}
      """
    let (results, _) = try await run(Self.users, test)
    #expect(results[0].problems == [])
    #expect(results[0].runCount == Self.manyOrders)
  }

  @Test func noSecretIsInWhatConditionsSee() async throws {
    let (results, _) = try await run(
      Self.users,
      """
      {"name": "a", "inputs": {"key": "Sesame-open-77"},
        "respond": {"list": {"json": {"total": 0, "data": []}}}}
      """)
    let outcome = try #require(results[0].outcome)
    #expect(!outcome.node.text.contains("Sesame"))
    #expect(outcome.node.text.contains("{{secret:inputs.key}}"))
  }

  // MARK: Pages

  private static func pages(_ paginate: String) -> String {
    """
    {"steps": [{"id": "p", "endpoint": "GET https://x.test/p", "paginate": \(paginate),
       "retry": {"attempts": 3}, "extract": {"ids": "$.ids[*]"}}],
     "outputs": {"ids": "{{p.ids}}"}}
    """
  }

  private static func page(_ ids: String, _ more: String = "") -> String {
    #"{"json": {"ids": [\#(ids)], "pages": 3, "total": 5, "next": \#(more.isEmpty ? "null" : more)}}"#
  }

  /// A list answers page 1, 2, 3, in whatever order they are asked for.
  @Test(arguments: [
    #"{"page": "page", "pages": "$.pages"}"#,
    #"{"offset": "from", "by": 2, "total": "$.total"}"#,
    #"{"cursor": "$.next", "param": "page"}"#,
  ])
  func aListAnswersPagesInTheirOrder(paginate: String) async throws {
    let answers = [Self.page("1, 2", "2"), Self.page("3, 4", "3"), Self.page("5")]
    let expected = #""expect": {"outputs": {"ids": [1, 2, 3, 4, 5]}}"#
    let plain =
      #"{"name": "a", "respond": {"p": [\#(answers.joined(separator: ", "))]}, \#(expected)}"#
    #expect(try await messages(Self.pages(paginate), plain, orders: 100) == [])
    // Each page has its retries.
    let busy = [#"{"status": 503}"#, #"{"fault": "reset"}"#]
    let retried = [answers[0], busy[0], answers[1], busy[1], busy[0], answers[2]]
    let test =
      #"{"name": "a", "respond": {"p": [\#(retried.joined(separator: ", "))]}, \#(expected)}"#
    #expect(try await messages(Self.pages(paginate), test, orders: 100) == [])
  }

  private static func roundsOfPages(_ paginate: String, _ more: String = "") -> String {
    """
    {"steps": [{"id": "each", "repeat": {"carry": {"n": {"default": 1, "next": {"$sum": ["{{n}}", 1]}}},
        "until": "{{n}} >= 3", "maxRounds": 5},
       "steps": [{"id": "p", "endpoint": "GET https://x.test/p/{{n}}", "paginate": \(paginate),
         "retry": {"attempts": 3}, "extract": {"ids": "$.ids[*]"}}\(more)],
       "outputs": {"ids": "{{p.ids}}"}}],
     "outputs": {"ids": "$.each[*].ids"}}
    """
  }

  /// The pages of a round are answered by what the rounds before left of the list.
  @Test(arguments: [
    #"{"page": "page", "pages": "$.pages"}"#,
    #"{"offset": "from", "by": 2, "total": "$.total"}"#,
    #"{"cursor": "$.next", "param": "page"}"#,
  ])
  func pagesGoOnFromRoundToRound(paginate: String) async throws {
    let busy = [#"{"status": 503}"#, #"{"fault": "reset"}"#]
    var answers: [String] = []
    for round in 0..<3 {
      answers += [
        Self.page("\(round * 10 + 1), \(round * 10 + 2)", "2"), busy[0],
        Self.page("\(round * 10 + 3), \(round * 10 + 4)", "3"), busy[1], busy[0],
        Self.page("\(round * 10 + 5)"),
      ]
    }
    let list = answers.joined(separator: ", ")
    let test = """
      {"name": "a", "respond": {"each.p": [\(list)]}, "expect": {"outputs": {"ids": [
        [1, 2, 3, 4, 5], [11, 12, 13, 14, 15], [21, 22, 23, 24, 25]]},
        "where": ["count($.requests['each.p'][*]) == 18"]}}
      """
    #expect(try await messages(Self.roundsOfPages(paginate), test, orders: 100) == [])
    let short = test.replacing(list, with: answers.dropLast(3).joined(separator: ", "))
    let found = try await messages(Self.roundsOfPages(paginate), short)
    #expect(
      found.contains {
        $0.contains(paginate.contains("cursor") ? "is request" : "asks for page 3,")
      },
      "\(found)")
  }

  /// Rounds may have different numbers of pages, and a page that fails ends its pass.
  @Test func attemptsOfABlockGoOnInTheListOfPages() async throws {
    let workflow = """
      {"steps": [{"id": "each", "retry": {"attempts": 3, "on": ["status"], "delay": "1s"},
         "steps": [{"id": "p", "endpoint": "GET https://x.test/p",
           "paginate": {"page": "page", "pages": "$.pages"}, "extract": {"ids": "$.ids[*]"}}],
         "outputs": {"ids": "{{p.ids}}"}}],
       "outputs": {"ids": "{{each.ids}}"}}
      """
    func page(_ ids: String, of pages: Int) -> String {
      #"{"json": {"ids": [\#(ids)], "pages": \#(pages)}}"#
    }
    let answers = [
      page("1", of: 2), #"{"status": 400}"#, #"{"status": 404}"#, page("2", of: 2),
      page("3", of: 2),
    ]
    let test = """
      {"name": "a", "respond": {"each.p": [\(answers.joined(separator: ", "))]},
       "expect": {"outputs": {"ids": [2, 3]}}}
      """
    #expect(try await messages(workflow, test, orders: 20) == [])
  }

  @Test func aPageWithoutAnAnswerIsSaid() async throws {
    let test =
      #"{"name": "a", "respond": {"p": [\#(Self.page("1")), \#(Self.page("2"))]}}"#
    let found = try await messages(Self.pages(#"{"page": "page", "pages": "$.pages"}"#), test)
    #expect(
      found.count == 1 && found[0].hasSuffix("asks for page 3, and the list has answers for 2"))
  }

  // MARK: What a run leaves

  private static let leaving = """
    {"state": {"newest": {"type": "string", "default": "0", "next": "{{list.newest}}"}}, "steps": [
      {"id": "list", "endpoint": "GET https://x.test/list", "extract": {"newest": "$.newest"}},
      {"id": "get", "forEach": [1, 2], "endpoint": "GET https://x.test/{{item}}",
       "save": "files/{{item}}.json"}]}
    """

  private static func leaving(_ expect: String) -> String {
    """
    {"name": "a", "respond": {"list": {"json": {"newest": "2026-01-31"}},
      "get": {"items": [{"json": {"id": 1, "n": [1]}}, {"text": "plain"}]}}, "expect": \(expect)}
    """
  }

  @Test func theStateAndTheFilesThatARunLeavesCanBeExpected() async throws {
    let good = Self.leaving(
      """
      {"state": {"newest": "2026-01-31"},
       "files": {"files/1.json": {"id": 1}, "files/2.json": "plain"},
       "where": ["$.state.newest == '2026-01-31'", "$.files['files/1.json'].json.n[0] == 1",
         "$.files['files/2.json'].text == 'plain'", "$.files['files/2.json'].size == 5",
         "count($.files[*]) == 2"]}
      """)
    #expect(try await messages(Self.leaving, good, orders: 5) == [])
  }

  @Test(arguments: [
    (
      #"{"state": {"newest": "2026-02-01"}}"#,
      #"state 'newest' is "2026-01-31"; expected "2026-02-01""#
    ),
    (
      #"{"files": {"files/3.json": {}}}"#,
      "the run saved no file 'files/3.json'; it saved 'files/1.json', 'files/2.json'"
    ),
    (
      #"{"files": {"files/1.json": {"id": 2}}}"#,
      "file 'files/1.json': value 'id' is 1; expected 2"
    ),
    (#"{"files": {"files/2.json": {"id": 2}}}"#, "file 'files/2.json' is not JSON"),
    (
      #"{"files": {"files/2.json": "plan"}}"#,
      "file 'files/2.json' is not as expected; it has: plain"
    ),
  ])
  func whatARunLeavesIsJudged(_ expect: String, _ message: String) async throws {
    #expect(try await messages(Self.leaving, Self.leaving(expect)) == [message])
  }

  @Test func aHeaderFieldWithCapitalsIsSaidToBeLowerCase() async throws {
    let result = try await run(
      #"{"steps": [{"id": "a", "endpoint": "GET https://x.test/a", "headers": {"X-Key": "k"}}]}"#,
      """
      {"name": "a", "respond": {"a": {"json": {}}},
       "expect": {"where": ["$.requests.a[0].headers['X-Key'] == 'k'"]}}
      """)
    let problem = try #require(result.results.first?.problems.first)
    #expect(
      problem.details.first?.hasSuffix("names of header fields are lower-case: 'x-key'") == true,
      "\(problem.details)")
  }

  // MARK: Writes that nothing orders

  private func two(_ first: String, _ second: String, _ more: String = "") -> String {
    """
    {"steps": [{"id": "a", "endpoint": "\(first)"}, {"id": "b", "endpoint": "\(second)"\(more)}]}
    """
  }

  private static let answered = #"{"name": "a", "respond": {"a": {"json": {}}, "b": {"json": {}}}}"#

  @Test(arguments: [
    ("POST https://x.test/pay", "POST https://x.test/orders", true),
    ("POST https://x.test/pay", "DELETE https://x.test/a/b/c", true),
    ("POST https://x.test/pay", "POST https://y.test/orders", false),
    ("GET https://x.test/pay", "POST https://x.test/orders", false),
    ("DELETE https://x.test/things/7", "GET https://x.test/things", true),
    ("GET https://x.test/things?page=1", "PUT https://x.test/things/7", true),
    ("GET https://x.test/things/7/photos", "PUT https://x.test/things/7", false),
  ])
  func requestsToOneServerThatNothingOrdersAreNoted(
    _ first: String, _ second: String, isNoted: Bool
  ) async throws {
    let result = try await run(two(first, second), Self.answered, orders: 50).results[0]
    #expect(result.problems.map(\.message) == [])
    #expect(result.notes.count == (isNoted ? 1 : 0))
    if let note = result.notes.first {
      #expect(
        note.message.contains("of step 'a' and ")
          && note.message.contains("of step 'b' arrive in either order"))
      #expect(note.message.contains(#"write "dependsOn": ["a"] at step 'b'"#))
    }
    let ordered = two(first, second, #", "dependsOn": ["a"]"#)
    #expect(try await run(ordered, Self.answered, orders: 50).results[0].notes.isEmpty)
  }
}
