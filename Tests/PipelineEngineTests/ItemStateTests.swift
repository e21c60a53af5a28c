import PipelineJSONText
import PipelineKit
import PipelinePlanning
import PipelineTesting
import Synchronization
import Testing

@testable import PipelineEngine

/// State by a key: what each item leaves to the next run (docs/language.md, State of items).
@Suite(.timeLimit(.minutes(5))) struct ItemStateTests {
  /// A workflow that asks for what is new in each account.
  private func export(
    by: String = "{{account}}", type: String = #""type": "integer", "#,
    next: String = "{{list.new}}",
    standard: String = #""default": 0, "#, accounts: String = "$.inputs.accounts",
    each: String = "", step: String = "", more: String = ""
  ) -> String {
    """
    {"inputs": {"accounts": {"type": "array", "default": ["a", "b"]}}, \(more)
     "steps": [{"id": "each", "forEach": "\(accounts)", "as": "account", "concurrency": 1,
       "state": {"seen": {"by": "\(by)", \(type)\(standard)"next": "\(next)"}}, \(each)
       "steps": [{"id": "list", "endpoint": "GET https://api.example/{{account}}",
                  "query": {"since": "{{state.seen}}"},
                  "extract": {"new": {"body": "$.new", "optional": true}}}\(step)],
       "outputs": {"new": "{{list.new}}"}}],
     "outputs": {"rows": "{{each}}"}}
    """
  }

  private func run(
    _ text: String, state: [String: JSONValue] = [:], inputs: [String: JSONValue] = [:],
    journal: MemoryJournal? = nil,
    _ answer: @escaping @Sendable (String) -> ScriptedTransport.Answer = { _ in .json(["new": 9]) }
  ) async throws -> (report: RunReport, sent: [String]) {
    let transport = ScriptedTransport { request in answer(request.url) }
    var options = RunOptions()
    options.clock = VirtualClock()
    options.state = state
    options.journal = journal
    let report = try await Pipeline(try plan(text), transport: transport, options: options)
      .run(inputs: inputs).result.report
    return (
      report, transport.requests.map { $0.url.replacing("https://api.example", with: "") }
    )
  }

  @Test func eachItemBeginsWhereItsLastRunEnded() async throws {
    let first = try await run(export()) { .json(["new": $0.contains("/a?") ? 3 : 5]) }
    #expect(first.sent.sorted() == ["/a?since=0", "/b?since=0"])
    #expect(first.report.state == ["seen": ["a": 3, "b": 5]])
    let second = try await run(
      export(), state: first.report.state, inputs: ["accounts": ["b", "c"]])
    #expect(second.sent.sorted() == ["/b?since=5", "/c?since=0"])
    // What does not occur stays.
    #expect(second.report.state == ["seen": ["a": 3, "b": 9, "c": 9]])
  }

  @Test func keysAreInTheOrderOfTheirBytes() async throws {
    let result = try await run(
      export(), state: ["seen": ["z": 1, "B": 1]], inputs: ["accounts": ["é", "a", "10", "9"]])
    #expect(
      result.report.state["seen"]?.node.text == #"{"10":9,"9":9,"B":1,"a":9,"z":1,"é":9}"#)
  }

  @Test func keysDifferByTheirBytes() async throws {
    let result = try await run(export(), inputs: ["accounts": ["\u{E9}", "e\u{301}"]])
    #expect(result.report.status == .succeeded)
    #expect(result.report.state["seen"]?.node.count == 2)
  }

  @Test func aNumberIsAKeyAsItIsWritten() async throws {
    let result = try await run(export(), inputs: ["accounts": [7, 12_345_678_901_234_567]])
    #expect(result.report.state == ["seen": ["12345678901234567": 9, "7": 9]])
  }

  @Test func aKeyMayBeMadeOfSeveralValues() async throws {
    let text = export(by: "{{account.id}}/{{account.region}}").replacing(
      "/{{account}}", with: "/{{account.id}}-{{account.region}}")
    let result = try await run(
      text,
      inputs: ["accounts": [["id": 1, "region": "eu"], ["id": 1, "region": "us"]]])
    #expect(result.report.state == ["seen": ["1/eu": 9, "1/us": 9]])
  }

  @Test func aRunThatFailsLeavesWhatItWasGiven() async throws {
    let given: [String: JSONValue] = ["seen": ["a": 1], "old": 2]
    let failed = try await run(export(), state: given) {
      $0.contains("/b?") ? .status(500) : .json(["new": 3])
    }
    #expect(failed.report.status == .failed)
    #expect(failed.report.state == given)
    let finally = try await run(
      export(more: #""finally": [{"id": "bye", "fail": "no"}],"#), state: given)
    #expect(finally.report.status == .failed)
    #expect(finally.report.state == given)
  }

  @Test func onlyItemsThatSucceededChange() async throws {
    let each = #""onError": "recover", "otherwise": {"new": null},"#
    let result = try await run(export(each: each), state: ["seen": ["b": 1]]) {
      $0.contains("/b?") ? .status(500) : .json(["new": 3])
    }
    #expect(result.report.status == .succeeded)
    #expect(result.report.state == ["seen": ["a": 3, "b": 1]])
  }

  @Test func whatIsInsideSomethingThatFailsLeavesNothing() async throws {
    // The export itself is an item of something that fails after it, and is recovered from.
    let text = """
      {"steps": [{"id": "outer", "forEach": ["x", "y"], "as": "region", "onError": "recover",
        "otherwise": {"rows": []}, "steps": [
         {"id": "each", "forEach": ["a"], "as": "account",
          "state": {"seen": {"by": "{{region}}/{{account}}", "default": 0, "next": "{{get.new}}"}},
          "steps": [{"id": "get", "endpoint": "GET https://api.example/{{region}}/{{account}}",
            "query": {"since": "{{state.seen}}"}, "extract": {"new": "$.new"}}]},
         {"id": "check", "dependsOn": ["each"], "endpoint": "GET https://api.example/{{region}}"}],
        "outputs": {"rows": "{{each}}"}}],
       "outputs": {"rows": "{{outer}}"}}
      """
    let result = try await run(text) {
      $0.hasSuffix("/y") ? .status(500) : .json(["new": 3])
    }
    #expect(result.report.status == .succeeded)
    #expect(result.report.state == ["seen": ["x/a": 3]])
  }

  @Test func anItemThatIsTriedAgainKeepsItsKeyAndLeavesItsLastValue() async throws {
    let each = #""retry": {"attempts": 3, "on": ["expect"], "delay": "1s"},"#
    let step =
      #", {"id": "judge", "values": {"n": "{{list.new}}"}, "expect": {"where": ["@.n > 2"]}}"#
    let counter = Counter()
    let result = try await run(
      export(each: each, step: step), inputs: ["accounts": ["a"]]
    ) { _ in .json(["new": JSONValue(counter.next())]) }
    #expect(result.report.status == .succeeded)
    #expect(result.sent == ["/a?since=0", "/a?since=0", "/a?since=0"])
    #expect(result.report.state == ["seen": ["a": 3]])
  }

  private final class Counter: Sendable {
    private let count = Mutex(0)

    func next() -> Int {
      count.withLock { count in
        count += 1
        return count
      }
    }
  }

  @Test func aSecondItemWithTheSameKeyFailsBeforeItSends() async throws {
    let result = try await run(export(), inputs: ["accounts": ["a", "b", "a"]])
    #expect(result.report.status == .failed)
    #expect(result.sent == ["/a?since=0", "/b?since=0"])
    let failure = try #require(result.report.failures.first)
    #expect(
      failure.failure.message
        == "item 0 has the key 'a' of state 'seen', too; 'by' must give each item a key of its own")
    #expect(failure.item == 2)
    #expect(result.report.state.isEmpty)
    // An item that is skipped takes no key.
    let skipping = try await run(
      export(each: #""indexAs": "n", "when": "$.n > 0","#), inputs: ["accounts": ["a", "a"]])
    #expect(skipping.report.status == .succeeded)
    #expect(skipping.report.state == ["seen": ["a": 9]])
  }

  @Test(arguments: [
    (["x": 1] as JSONValue, "the key of state 'seen' must be a text or a number, but"),
    (nil, "the key of state 'seen' must be a text or a number, but 'account' is null"),
    (true, "the key of state 'seen' must be a text or a number, but 'account' is a boolean"),
    ("", "the key of state 'seen' is empty"),
  ])
  func whatIsNoKeyFailsTheItem(_ account: JSONValue, _ message: String) async throws {
    let result = try await run(export(), inputs: ["accounts": .array([account])])
    #expect(result.sent.isEmpty)
    #expect(
      result.report.failures.first?.failure.message.hasPrefix(message) == true,
      "\(result.report.failures)")
  }

  @Test func anAbsentNextLeavesTheValueAsItWas() async throws {
    let result = try await run(export(), state: ["seen": ["a": 4]]) { _ in .json([:]) }
    #expect(result.report.status == .succeeded)
    #expect(result.report.state == ["seen": ["a": 4]])
    #expect(try await run(export()) { _ in .json([:]) }.report.state.isEmpty)
  }

  @Test func aNextOfTheWrongTypeFailsTheItem() async throws {
    let result = try await run(export(), inputs: ["accounts": ["a"]]) { _ in .json(["new": "x"]) }
    #expect(result.report.status == .failed)
    #expect(
      result.report.failures.map(\.failure.message) == [
        "the next value of state 'seen' must be a whole number, but is \"x\""
      ])
    #expect(result.report.failures.map(\.step) == ["each"])
  }

  @Test func defaultsMayBeMomentsOfTheRunAndMayBeMissing() async throws {
    let moments = try await run(
      export(type: #""type": "date", "#, next: "2026-01-02", standard: #""default": "now-1d", "#),
      inputs: ["accounts": ["a"]])
    #expect(moments.sent == ["/a?since=2025-12-31"])
    #expect(moments.report.state == ["seen": ["a": "2026-01-02"]])
    let none = try await run(export(standard: ""), inputs: ["accounts": ["a"]])
    #expect(none.sent == ["/a"])
  }

  @Test(
    arguments: [
      (["seen": 4], "state 'seen' must be an object with a value for each key, but is 4"),
      (["seen": ["a": "x"]], "state 'seen' of 'a' must be a whole number, but is \"x\""),
    ] as [([String: JSONValue], String)])
  func whatIsGivenMustFit(_ state: [String: JSONValue], _ message: String) async throws {
    await #expect {
      _ = try await run(export(), state: state)
    } throws: { error in
      (error as? InputError)?.problems.map(\.message) == [message]
    }
  }

  @Test func nextSeesTheStateOfItsItemAndOfTheFile() async throws {
    let text = """
      {"state": {"base": {"default": 10, "next": {"$sum": ["{{state.base}}", 1]}}},
       "steps": [{"id": "each", "forEach": ["a", "b"],
         "state": {"n": {"by": "{{item}}", "default": 1,
                         "next": {"$sum": ["{{state.n}}", "{{state.base}}", "{{one.x}}"]}}},
         "steps": [{"id": "one", "values": {"x": {"$sum": ["{{state.n}}", 100]}}}]}],
       "outputs": {"rows": "{{each}}"}}
      """
    let first = try await run(text)
    #expect(first.report.state == ["base": 11, "n": ["a": 112, "b": 112]])
    let second = try await run(text, state: ["base": 0, "n": ["b": 5]])
    #expect(second.report.state == ["base": 1, "n": ["a": 102, "b": 110]])
  }

  @Test func aSecretIsNeverLeft() async throws {
    let text = """
      {"inputs": {"token": {"type": "string", "secret": true}},
       "steps": [{"id": "each", "forEach": ["a"],
         "state": {"n": {"by": "{{item}}", "next": "{{get.n}}"}},
         "steps": [{"id": "get", "endpoint": "GET https://api.example/{{state.n}}",
                    "auth": {"bearer": "{{inputs.token}}"}, "extract": {"n": "$.n"}}]}],
       "outputs": {"rows": "{{each}}"}}
      """
    let result = try await run(text, inputs: ["token": "s3cret-token"]) { _ in
      .json(["n": "s3cret-token"])
    }
    #expect(result.report.status == .failed)
    #expect(result.report.state.isEmpty)
  }

  @Test func aKeyThatAResponseMakesASecretFails() async throws {
    let text = """
      {"inputs": {"token": {"type": "string", "secret": true}},
       "steps": [
        {"id": "list", "endpoint": "GET https://api.example/", "auth": {"bearer": "{{inputs.token}}"},
         "extract": {"ids": "$.ids[*]"}},
        {"id": "each", "forEach": "$.list.ids",
         "state": {"n": {"by": "{{item}}", "default": 1, "next": 2}},
         "steps": [{"id": "get", "endpoint": "GET https://api.example/{{state.n}}"}]}],
       "outputs": {"rows": "{{each}}"}}
      """
    let result = try await run(text, inputs: ["token": "s3cret-token"]) { _ in
      .json(["ids": ["s3cret-token"]])
    }
    #expect(result.sent.count == 1)
    #expect(
      result.report.failures.first?.failure.message.hasSuffix(
        "contains a secret, but state is written to a file") == true)
  }

  @Test func aResumedRunLeavesTheSame() async throws {
    let text = export(each: #""onError": "recover", "otherwise": {"new": null},"#)
    let journal = MemoryJournal()
    let given: [String: JSONValue] = ["seen": ["a": 1, "z": 2]]
    let whole = try await run(text, state: given, journal: journal) {
      .json(["new": $0.contains("/a?") ? 3 : 5])
    }
    #expect(whole.report.state == ["seen": ["a": 3, "b": 5, "z": 2]])
    for count in 0...journal.entries.count {
      let resumed = try await run(text, state: given, journal: journal.prefix(count)) {
        .json(["new": $0.contains("/a?") ? 3 : 5])
      }
      #expect(resumed.report.state == whole.report.state, "after \(count) entries")
    }
  }

  @Test func aRunThatEndsAtAStepLeavesNothing() async throws {
    let plan = try #require(try plan(export()).part(endingAt: "each"))
    var options = RunOptions()
    options.clock = VirtualClock()
    let report = try await Pipeline(
      plan, transport: ScriptedTransport { _ in .json(["new": 3]) }, options: options
    ).run().result.report
    #expect(report.status == .succeeded)
    #expect(report.state.isEmpty)
  }
}
