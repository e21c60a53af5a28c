import PipelineJSONText
import PipelineKit
import PipelineSourceText
import Synchronization
import Testing

@testable import PipelineCommand
@testable import PipelineEngine
@testable import PipelineTesting

/// A clock that is turned by hand.
final class ManualClock: RunClock {
  private let now = Mutex(Duration.zero)

  var elapsed: Duration {
    get { now.withLock { $0 } }
    set { now.withLock { $0 = newValue } }
  }
  var wallTime: Double { elapsed.seconds }

  func sleep(for duration: Duration) async throws { throw CancellationError() }
}

struct RunPrinterTests {
  private let source = SourceFile(
    name: "w.json", bytes: Array("{ \"endpoint\": \"GET /users/{{id}}\" }".utf8))

  private func failure(_ step: String, item: Int? = nil) -> StepFailure {
    StepFailure(
      step: step, path: [], item: item,
      failure: FailureReason(
        .status, "status 404 is not expected", at: 14..<33,
        request: .init(method: "GET", url: "http://127.0.0.1/users/1", attempts: 3), status: 404,
        excerpt: "{\"error\":\u{1B}1}", hints: ["expect a 404 with \"status\": 404"]),
      stepRange: 0..<35, source: source)
  }

  private func event(_ milliseconds: Int, _ kind: RunEvent.Kind) -> RunEvent {
    RunEvent(time: .milliseconds(milliseconds), kind: kind)
  }

  private func report(_ status: RunReport.Status, _ failures: [StepFailure]) throws -> RunReport {
    RunReport(
      runID: "r", status: status, failures: failures, stopReason: nil, counts: .init(),
      duration: .milliseconds(90), outputs: Outputs())
  }

  private var start: RunEvent {
    event(
      0,
      .runStarted(
        .init(
          runID: "r", workflow: "users",
          steps: ["list", "user"].map { .init(id: $0, isCollection: false, isFinally: false) })))
  }

  private func events() throws -> [RunEvent] {
    let failed = failure("user", item: 1)
    return [
      start,
      event(1, .stepStarted(.init(step: "list", path: [], items: nil))),
      event(
        9,
        .requestFinished(
          .init(
            step: "list", path: [], item: nil, attempt: 1, method: "GET",
            url: "http://127.0.0.1/users", requests: 1, status: 200, error: nil, bytesReceived: 340,
            timings: Timings(), retryAfter: nil))),
      event(
        10,
        .stepFinished(
          .init(
            step: "list", path: [], outcome: .succeeded, duration: .milliseconds(9), items: nil,
            failedItems: 0))),
      event(10, .stepStarted(.init(step: "user", path: [], items: 2))),
      event(
        30,
        .itemFinished(
          .init(step: "user", path: [], item: 1, outcome: .failed(failed), done: 1, total: 2))),
      event(30, .note(.init(step: "user", message: "the origin asks to wait 2 s"))),
      event(
        40,
        .stepFinished(
          .init(
            step: "user", path: [], outcome: .failed(failed), duration: .milliseconds(30),
            items: 2, failedItems: 1))),
      event(90, .runFinished(try report(.failed, [failed]))),
    ]
  }

  private func print(
    _ events: [RunEvent], detail: RunPrinter.Detail, live: Bool = false
  ) async -> String {
    let stream = CapturedStream(terminal: live ? TerminalSize(width: 80, height: 24) : nil)
    let clock = ManualClock()
    let printer = RunPrinter(
      stream: TextStream(stream, environment: [:]), detail: detail, isLive: live,
      renderer: DiagnosticRenderer(), clock: clock)
    for event in events {
      clock.elapsed = event.time
      printer.receive(event)
      printer.redraw()
    }
    for event in events {
      if case .runFinished(let report) = event.kind { printer.finish(report) }
    }
    return stream.text
  }

  @Test func elsewhereThanOnATerminalAStepIsALine() async throws {
    #expect(
      await print(try events(), detail: .steps) == """
        ✓ list  1 request · 9 ms
        w.json:1:15: error: step 'user', item 1: status 404 is not expected [status]
            1 | { "endpoint": "GET /users/{{id}}" }
              |               ^^^^^^^^^^^^^^^^^^^
              = request: GET http://127.0.0.1/users/1 (3 attempts)
              = body: {"error":␛1}
              = expect a 404 with "status": 404
        note: step 'user': the origin asks to wait 2 s
        ✗ user  1 of 2 items · 1 failed · 30 ms
        ✗ users failed  1 of 2 steps done · 1 failed · 1 request · 90 ms

        """)
  }

  @Test func itemsThatWereCutOffAreNotDone() async throws {
    let failed = failure("user", item: 1)
    let outcomes: [RunEvent.Outcome] = [.succeeded, .failed(failed), .cancelled, .cancelled]
    let items = outcomes.enumerated().map { item, outcome in
      event(
        5,
        .itemFinished(
          .init(step: "user", path: [], item: item, outcome: outcome, done: 2, total: 9)))
    }
    let finished = event(
      7,
      .stepFinished(
        .init(
          step: "user", path: [], outcome: .failed(failed), duration: .milliseconds(6), items: 2,
          failedItems: 1)))
    let text = await print(
      [start, event(1, .stepStarted(.init(step: "user", path: [], items: 9)))] + items + [finished],
      detail: .steps)
    #expect(text.contains("✗ user  2 of 9 items · 1 failed · 6 ms\n"))
  }

  @Test func quietPrintsFailuresOnlyAndVerboseEveryRequest() async throws {
    let quiet = await print(try events(), detail: .failuresOnly)
    #expect(quiet.hasPrefix("w.json:1:15: error:"))
    #expect(quiet.hasSuffix("      = expect a 404 with \"status\": 404\n"))
    let verbose = await print(try events(), detail: .requests)
    #expect(verbose.hasPrefix("  list  GET http://127.0.0.1/users  200  0.0 ms · 340 B\n✓ list"))
  }

  @Test func verboseNamesThePlaceOfARequestAndItsCause() async throws {
    var poll = RunEvent.RequestFinished(
      step: "done", method: "GET", url: "http://127.0.0.1/jobs/1", status: 200)
    (poll.poll, poll.cause) = (2, .poll)
    var token = RunEvent.RequestFinished(
      step: "list", path: [1], item: 3, method: "POST", url: "http://127.0.0.1/token", status: 200)
    (token.isForToken, token.cause) = (true, .refusedToken)
    let text = await print(
      [start, event(1, .requestFinished(poll)), event(2, .requestFinished(token))],
      detail: .requests)
    #expect(
      text == """
          done  poll 2  GET http://127.0.0.1/jobs/1  200  0.0 ms · 0 B
          list  item 1.3, token, after a refused token  POST http://127.0.0.1/token  200  0.0 ms · 0 B

        """)
  }

  @Test func onATerminalTheLiveAreaIsDrawnAnewBelowWhatStays() async throws {
    let text = await print(try events(), detail: .steps, live: true)
    #expect(
      text.hasPrefix(
        "  0 of 2 steps · 0 requests · 0.0 s · waiting: list, user\n\u{1B}[1A\r\u{1B}[J"))
    #expect(
      text.hasSuffix(
        "\u{1B}[1A\r\u{1B}[J✗ users failed  1 of 2 steps done · 1 failed · 1 request · 90 ms\n"))
    #expect(text.contains("/2"))
    #expect(text.split(separator: "status 404 is not expected").count == 2)
  }

  @Test func failuresThatSayTheSameArePrintedOnce() async throws {
    let text = try await printed([Int](0..<1200).map { failure("user", item: $0) })
    #expect(text.split(separator: "error: step 'user'").count == 2)
    #expect(
      text.contains(
        "\n  'user' failed in the same way in 1,200 items (0, 1, 2, 3, 4 and 1,195 more):"
          + " status 404 is not expected\n"))
    #expect(!text.contains("further failures"))
  }

  @Test func timesMakeNoDifferenceAndStatusesDo() async throws {
    let messages: [(FailureReason.Kind, String)] = [
      (.timeout, "no response within 2 s (connected after 12 ms)"), (.status, "answered 500"),
      (.timeout, "no response within 2 s (connected after 7 ms)"), (.status, "answered 502"),
    ]
    let failures = messages.enumerated().map { item, said in
      failure("user", item: item).saying(FailureReason(said.0, said.1))
    }
    let text = try await printed(failures)
    #expect(text.split(separator: "error: step 'user'").count == 4)
    #expect(
      text.contains(
        "\n  'user' failed in the same way in 2 items (0, 2): no response within 2 s (connected after 12 ms)\n"
      ))
  }

  @Test func endlessFailuresAreCut() async throws {
    let text = try await printed(
      (0..<50).map { (item: Int) in
        failure("user", item: item).saying(FailureReason(.status, "status 404 of \(item)"))
      })
    #expect(text.split(separator: "status 404 of").count == 11)
    #expect(text.contains("further failures of 'user' are not shown"))
  }

  /// What is printed of a collection whose items failed so.
  private func printed(_ failures: [StepFailure]) async throws -> String {
    let items = failures.map { failure in
      event(
        1,
        .itemFinished(
          .init(
            step: "user", path: [], item: failure.item ?? 0, outcome: .failed(failure), done: 1,
            total: 50)))
    }
    return await print(
      [start] + items + [event(2, .runFinished(try report(.failed, failures)))], detail: .steps)
  }

  @Test func eventsAreJSONLines() throws {
    let lines = try events().map { event in
      var writer = JSONWriter()
      event.write(to: &writer)
      return String(decoding: writer.bytes, as: UTF8.self)
    }
    for line in lines { _ = try JSONDocument.parse(Array(line.utf8)) }
    expectSnapshot(lines.joined(separator: "\n") + "\n", "events.jsonl")
  }
}
