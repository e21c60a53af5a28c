import PipelineJSONText
import PipelineKit
import PipelineLanguage
import PipelineTesting
import Synchronization
import Testing

/// `repeat`: rounds of a block that carry values on.
@Suite(.timeLimit(.minutes(5))) struct RoundsTests {
  /// A server that takes a file in parts and tells what it has: at most four letters at once.
  private final class Store: Sendable {
    struct State {
      var text = ""
      var parts = 0
      var notes: [String] = []
    }
    let state = Mutex(State())
    let whole = "abcdefghij"

    var transport: ScriptedTransport {
      ScriptedTransport { [self] request in
        state.withLock { state in
          if request.method == "POST" {
            state.notes.append(request.url.split(separator: "/").last.map(String.init) ?? "")
            return .json(["noted": true])
          }
          let offset = request.url.split(separator: "/").last.flatMap { Int($0) } ?? 0
          state.parts += 1
          state.text = String(whole.prefix(offset)) + whole.dropFirst(offset).prefix(4)
          return .json([
            "end": JSONValue(state.text.count), "isWhole": .boolean(state.text == whole),
          ])
        }
      }
    }
  }

  private static func upload(
    _ repetition: String = "", step: String = "", first: String = "0", sum: String = "{{part.end}}"
  ) -> String {
    """
    {"steps": [{"id": "upload",
      "repeat": {"carry": {"offset": {"default": \(first), "next": "\(sum)"}},
                 "until": "@.isWhole == true", "maxRounds": 10\(repetition)},
      "steps": [
        {"id": "part", "endpoint": "PUT https://api.example/parts/{{offset}}",
         "extract": {"end": {"body": "$.end", "type": "integer"},
                     "isWhole": {"body": "$.isWhole", "type": "boolean"}}},
        {"id": "note", "endpoint": "POST https://api.example/notes/{{part.end}}"}],
      "outputs": {"end": "{{part.end}}", "isWhole": "{{part.isWhole}}"}\(step)}],
     "outputs": {"ends": "$.upload[*].end", "last": "{{upload[-1].end}}"}}
    """
  }

  private func run(
    _ text: String, _ transport: any Transport, _ options: RunOptions = RunOptions(),
    clock: VirtualClock = VirtualClock()
  ) async throws -> RunReport {
    var options = options
    options.clock = clock
    return try await Pipeline(try plan(text), transport: transport, options: options)
      .run().result.report
  }

  private func computed(
    _ repetition: String, _ step: String = "", values: String = #""n": "{{n}}""#,
    output: String = "$.count[*].n"
  ) async throws -> RunReport {
    try await run(
      """
      {"inputs": {"any": {"default": "a text"}},
       "steps": [{"id": "count", "repeat": {\(repetition)},
        "steps": [{"id": "one", "values": {\(values)}}],
        "outputs": {"n": "{{one.n}}"}\(step)}],
       "outputs": {"rows": "\(output)"}}
      """, ScriptedTransport([:]))
  }

  private static let counting = #""carry": {"n": {"default": 1, "next": {"$sum": ["{{n}}", 1]}}}"#

  @Test func aRoundBeginsWithWhatTheOneBeforeCarries() async throws {
    let store = Store()
    let report = try await run(Self.upload(), store.transport)
    #expect(report.status == .succeeded)
    #expect(report.outputs.text == #"{"ends":[4,8,10],"last":10}"#)
    #expect(store.state.withLock { $0.text } == store.whole)
    #expect(report.counts.items == 3)
  }

  @Test func aValueWithoutDefaultIsAbsentInTheFirstRound() async throws {
    let report = try await computed(
      #""carry": {"last": "{{one.n}}"}, "until": "@.n == 'aab'", "maxRounds": 5"#,
      values: #""n": {"$join": [["a", {"$first": ["{{last}}", "b"]}], ""]}"#)
    #expect(report.outputs.text == #"{"rows":["ab","aab"]}"#)
  }

  /// A value that is absent after a round does not fall back to its default.
  @Test func aValueThatIsNotThereBecomesAbsent() async throws {
    let report = try await computed(
      """
      "carry": {"n": {"default": 1, "next": "{{one.nothing}}"},
                "k": {"default": 0, "next": {"$sum": ["{{k}}", 1]}}},
      "until": "{{k}} == 2", "maxRounds": 5
      """,
      values: #""n": {"$first": ["{{n}}", "none"]}, "nothing": {"$first": []}"#)
    #expect(report.outputs.text == #"{"rows":[1,"none","none"]}"#)
  }

  @Test func aConditionMayReadACarriedValue() async throws {
    let report = try await computed(Self.counting + #", "until": "{{n}} >= 3", "maxRounds": 9"#)
    #expect(report.outputs.text == #"{"rows":[1,2,3]}"#)
  }

  /// The next values are computed only if there is a next round.
  @Test func theLastRoundCarriesNothing() async throws {
    let report = try await computed(
      """
      "carry": {"n": {"default": "1", "next": {"$text": {"$number": "x{{one.n}}"}}}},
      "until": "@.n == '1'", "maxRounds": 9
      """)
    #expect(report.status == .succeeded)
    #expect(report.outputs.text == #"{"rows":["1"]}"#)
  }

  @Test func aRoundBeyondTheMaximumFails() async throws {
    let report = try await computed(Self.counting + #", "until": "@.n > 9", "maxRounds": 3"#)
    let failure = try #require(report.failures.first)
    #expect(failure.failure.kind == .limit && failure.item == 3)
    #expect(failure.failure.message.contains("'until' does not hold after 3 rounds"))
  }

  @Test func underRecoverTheFinishedRoundsStay() async throws {
    let report = try await computed(
      Self.counting + #", "until": "@.n > 9", "maxRounds": 2"#,
      #", "onError": "recover", "otherwise": {"n": "{{error.kind}}"}"#.replacing(
        "{{error.kind}}", with: "no more"))
    #expect(report.status == .succeeded)
    #expect(report.outputs.text == #"{"rows":[1,2,"no more"]}"#)
  }

  @Test func afterARoundThatFailsNoneFollows() async throws {
    let transport = ScriptedTransport([
      "GET https://api.example/1": [.json(["n": 1])], "GET https://api.example/2": [.status(500)],
    ])
    let text = """
      {"steps": [{"id": "count", "repeat": {\(Self.counting), "until": "@.get.n > 9", "maxRounds": 9},
        "steps": [{"id": "get", "endpoint": "GET https://api.example/{{n}}",
                   "extract": {"n": "$.n"}}]%}],
       "outputs": {"rows": "$.count[*]"}}
      """
    let failed = try await run(text.replacing("%", with: ""), transport)
    #expect(failed.failures.map(\.step) == ["count.get"])
    let recovered = try await run(
      text.replacing("%", with: #", "onError": "recover", "otherwise": {"get": {"n": 0}}"#),
      ScriptedTransport([
        "GET https://api.example/1": [.json(["n": 1])],
        "GET https://api.example/2": [.status(500)],
      ]))
    #expect(recovered.status == .succeeded)
    #expect(
      recovered.outputs.text
        == #"{"rows":[{"get":{"n":1}},{"get":{"n":0},"error":{"kind":"status","status":500,"message":"answered 500 Internal Server Error"}}]}"#
    )
  }

  @Test func aCarriedValueHasItsType() async throws {
    let report = try await computed(
      """
      "carry": {"n": {"type": "integer", "default": 1, "next": "{{inputs.any}}"}},
      "until": "@.n == 'x'", "maxRounds": 9
      """)
    #expect(report.status == .failed)
    #expect(
      report.failures.first?.failure.message
        == "the carried value 'n' must be a whole number, but it is a text")
  }

  // MARK: Time

  @Test func roundsKeepTheirDistance() async throws {
    let clock = VirtualClock()
    let store = Store()
    let report = try await run(
      Self.upload(#", "every": "20s""#), store.transport, clock: clock)
    #expect(report.status == .succeeded)
    #expect(clock.elapsed == .seconds(40))
  }

  @Test func theDistanceMayBeCarried() async throws {
    let clock = VirtualClock()
    let report = try await run(
      """
      {"steps": [{"id": "ask",
        "repeat": {"carry": {"pause": {"default": 5, "next": {"$sum": ["{{pause}}", "{{get.more}}"]}}},
                   "until": "@.get.more == 0", "maxRounds": 9, "every": "{{pause}}s"},
        "steps": [{"id": "get", "endpoint": "GET https://api.example/",
                   "extract": {"more": {"body": "$.more", "type": "integer"}}}]}]}
      """,
      ScriptedTransport(steps: [
        "ask.get": [.json(["more": 1]), .json(["more": 2]), .json(["more": 0])]
      ]), clock: clock)
    #expect(report.status == .succeeded)
    #expect(clock.elapsed == .seconds(6 + 8))
  }

  @Test func aDistanceThatIsNoneFails() async throws {
    let report = try await computed(
      Self.counting + #", "until": "@.n > 2", "maxRounds": 9, "every": "{{n}} sheep""#)
    #expect(
      report.failures.first?.failure.message
        == "'every' must be a duration such as \"5s\", and it comes to \"2 sheep\"")
  }

  @Test func aRunThatStopsDoesNotWaitForARound() async throws {
    let clock = ManualClock()
    var options = RunOptions()
    options.clock = clock
    let store = Store()
    let text = Self.upload(#", "every": "1h""#, step: "").replacing(
      #""outputs": {"end""#,
      with:
        #""finally": [{"id": "bye", "endpoint": "POST https://api.example/notes/bye"}], "outputs": {"end""#
    )
    let run = Pipeline(try plan(text), transport: store.transport, options: options).run()
    let result = Task { try await run.result }
    while store.state.withLock({ $0.notes }) != ["4", "bye"] { await Task.yield() }
    run.cancel()
    let report = try await result.value.report
    #expect(report.status == .cancelled)
    // The round that had not begun has nothing to clean up.
    #expect(store.state.withLock { $0.notes } == ["4", "bye"])
    #expect(clock.elapsed == .zero)
  }

  // MARK: Nesting

  @Test func roundsMayBeInsideItemsAndRounds() async throws {
    let report = try await run(
      """
      {"steps": [{"id": "each", "forEach": [10, 20], "as": "base", "steps": [
        {"id": "outer", "repeat": {"carry": {"a": {"default": 0, "next": "{{inner[-1].sum}}"}},
                                   "until": "@.a >= 2", "maxRounds": 9},
         "steps": [
           {"id": "inner", "repeat": {"carry": {"b": {"default": "{{a}}", "next": {"$sum": ["{{b}}", 1]}}},
                                      "until": "@.sum > {{a}}", "maxRounds": 9},
            "steps": [{"id": "v", "values": {"sum": {"$sum": ["{{b}}", 0]}}}],
            "outputs": {"sum": "{{v.sum}}"}},
           {"id": "end", "values": {"sum": {"$sum": ["{{base}}", "{{a}}"]}}}],
         "outputs": {"a": "{{inner[-1].sum}}", "end": "{{end.sum}}"}}],
        "outputs": {"ends": "$.outer[*].end"}}],
       "outputs": {"all": "$.each[*].ends"}}
      """, ScriptedTransport([:]))
    #expect(report.outputs.text == #"{"all":[[10,11],[20,21]]}"#)
  }

  // MARK: Secrets

  @Test func aCarriedSecretStaysSecret() async throws {
    let report = try await run(
      """
      {"steps": [{"id": "walk",
        "repeat": {"carry": {"token": "{{get.token}}", "mark": {"$hash": "{{get.token}}"}},
                   "until": "@.get.isLast == true", "maxRounds": 9},
        "steps": [{"id": "get", "endpoint": "GET https://api.example/",
                   "headers": {"X-Token": "{{token}}", "X-Mark": "{{mark}}"},
                   "extract": {"token": {"body": "$.token", "secret": true},
                               "isLast": {"body": "$.isLast", "type": "boolean"}}},
                  {"id": "keep", "values": {"old": {"$first": ["{{token}}", "none"]}}}]}],
       "outputs": {"old": "$.walk[*].keep.old"}}
      """,
      ScriptedTransport(steps: [
        "walk.get": [
          .json(["token": "hush-hush-1", "isLast": false]),
          .json(["token": "hush-hush-2", "isLast": true]),
        ]
      ]))
    #expect(report.status == .succeeded)
    #expect(!report.outputs.text.contains("hush"))
  }

  // MARK: Resume

  /// Wherever a process ends, recorded rounds send nothing, and every note is written once.
  @Test func noPrefixOfAJournalNotesTwice() async throws {
    let journal = MemoryJournal()
    var options = RunOptions()
    options.journal = journal
    _ = try await run(Self.upload(#", "every": "1s""#), Store().transport, options)
    for count in 0...journal.entries.count {
      let store = Store()
      let before = journal.prefix(count)
      // What the server has done by then.
      for case .sending(let sending) in before.entries {
        store.state.withLock {
          $0.notes.append(sending.url.split(separator: "/").last.map(String.init) ?? "")
        }
      }
      let isInDoubt = try before.history().sendings.contains(where: \.isInDoubt)
      options.journal = before
      do {
        let report = try await run(Self.upload(#", "every": "1s""#), store.transport, options)
        #expect(report.status == .succeeded, "entry \(count)")
        #expect(report.outputs.text == #"{"ends":[4,8,10],"last":10}"#, "entry \(count)")
        #expect(!isInDoubt)
        #expect(store.state.withLock { $0.notes } == ["4", "8", "10"], "entry \(count)")
      } catch let error as RunInDoubt {
        #expect(isInDoubt, "entry \(count): \(error)")
      }
    }
  }

  @Test func recordedRoundsSendAndWaitForNothing() async throws {
    let journal = MemoryJournal()
    var options = RunOptions()
    options.journal = journal
    _ = try await run(Self.upload(#", "every": "1m""#), Store().transport, options)
    let clock = VirtualClock()
    let store = Store()
    let report = try await run(
      Self.upload(#", "every": "1m""#), store.transport, options, clock: clock)
    #expect(report.outputs.text == #"{"ends":[4,8,10],"last":10}"#)
    #expect(store.state.withLock { $0.parts + $0.notes.count } == 0)
    #expect(clock.elapsed == .zero)
  }
}
