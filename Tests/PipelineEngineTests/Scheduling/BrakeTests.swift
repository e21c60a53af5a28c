import PipelineByteText
import PipelineKit
import PipelineLanguage
import PipelineReports
import PipelineTesting
import Synchronization
import Testing

/// What a report says of a run with a known brake, against the same run without it.
@Suite(.timeLimit(.minutes(5))) struct BrakeTests {
  struct Brake: Sendable, CustomTestStringConvertible {
    let name: String
    /// The workflow with its brake, in which `text` stands for a number.
    let workflow: String
    /// The brake, without it, and with it doubled.
    let brake: String
    let none: String
    var doubled: String?
    /// What the sentence holds.
    let says: String
    /// The seconds that requests take, by the last part of their URLs; others take one.
    var seconds: [String: Double] = [:]
    /// Whether the workflow has no other limit.
    var isOnly = true

    var testDescription: String { name }
  }

  private static let items = #""forEach": {"from": 1, "to": 12}, "as": "i""#
  private static let get = #""endpoint": "GET https://api.example/{{i}}""#
  private static let first = #"{"id": "ids", "endpoint": "GET https://api.example/ids"}"#

  static let brakes: [Brake] = [
    Brake(
      name: "own concurrency",
      workflow: """
        {"steps": [\(first),
          {"id": "get", "dependsOn": ["ids"], \(items), BRAKE \(get)}]}
        """, brake: #""concurrency": 2,"#, none: "", doubled: #""concurrency": 4,"#,
      says: "in step 'get'; step 'get' has its own 'concurrency' of 2, and with 4"),
    Brake(
      name: "own concurrency of a block",
      workflow: """
        {"steps": [{"id": "b", \(items), BRAKE "steps": [
          {"id": "one", \(get)}, {"id": "two", "dependsOn": ["one"], \(get)}]}]}
        """, brake: #""concurrency": 3,"#, none: "", doubled: #""concurrency": 6,"#,
      says: "step 'b' has its own 'concurrency' of 3, and with 6"),
    Brake(
      name: "own concurrency inside a block",
      workflow: """
        {"steps": [{"id": "b", "forEach": [1, 2], "steps": [
          {"id": "in", \(items), BRAKE \(get)}]}]}
        """, brake: #""concurrency": 1,"#, none: "", doubled: #""concurrency": 2,"#,
      says: "step 'b.in' has its own 'concurrency' of 1, and with 2"),
    Brake(
      name: "own concurrency of one of two steps",
      workflow: """
        {"steps": [{"id": "a", \(items), "concurrency": 6, \(get)},
          {"id": "b", "dependsOn": ["a"], \(items), BRAKE \(get)}]}
        """, brake: #""concurrency": 2,"#, none: "", doubled: #""concurrency": 4,"#,
      says: "step 'b' has its own 'concurrency' of 2, and with 4", isOnly: false),
    Brake(
      name: "own concurrency of waits",
      workflow: """
        {"steps": [{"id": "b", \(items), BRAKE "steps": [{"id": "w", "wait": "1s"}]}]}
        """, brake: #""concurrency": 2,"#, none: "", doubled: #""concurrency": 4,"#,
      says: "the waits of step 'b.w'; step 'b' has its own 'concurrency' of 2, and with 4"),
    Brake(
      name: "the run's concurrency",
      workflow: #"{BRAKE "steps": [{"id": "get", \#(items), \#(get)}]}"#,
      brake: #""limits": {"concurrency": 3},"#, none: "",
      doubled: #""limits": {"concurrency": 6},"#, says: "with 'concurrency' doubled"),
    Brake(
      name: "the run's concurrency of a block that waits",
      workflow: """
        {BRAKE "steps": [{"id": "b", \(items), "steps": [{"id": "w", "wait": "1s"}]}]}
        """, brake: #""limits": {"concurrency": 3},"#, none: "",
      doubled: #""limits": {"concurrency": 6},"#, says: "with 'concurrency' doubled"),
    Brake(
      name: "perOrigin",
      workflow: """
        {BRAKE "steps": [{"id": "get", \(items), \(get)},
          {"id": "other", "endpoint": "GET https://other.example/other"}]}
        """, brake: #""limits": {"perOrigin": 2},"#, none: "",
      doubled: #""limits": {"perOrigin": 4},"#, says: "with 'perOrigin' doubled"),
    Brake(
      name: "rate",
      workflow: #"{BRAKE "steps": [{"id": "get", \#(items), \#(get)}]}"#,
      brake: #""limits": {"rate": "2/4s"},"#, none: "",
      doubled: #""limits": {"rate": "4/4s"},"#,
      says: "the rate limit of the run; with 'rate' doubled"),
    Brake(
      name: "ratePerOrigin",
      workflow: #"{BRAKE "steps": [{"id": "get", \#(items), \#(get)}]}"#,
      brake: #""limits": {"ratePerOrigin": "2/4s"},"#, none: "",
      doubled: #""limits": {"ratePerOrigin": "4/4s"},"#,
      says: "the rate limit of api.example; with 'ratePerOrigin' doubled"),
    Brake(
      name: "the lower of two rates",
      workflow: #"{BRAKE "steps": [{"id": "get", \#(items), \#(get)}]}"#,
      brake: #""limits": {"rate": "2/4s", "ratePerOrigin": "20/4s"},"#, none: "",
      doubled: #""limits": {"rate": "4/4s", "ratePerOrigin": "20/4s"},"#,
      says: "the rate limit of the run; with 'rate' doubled"),
    Brake(
      name: "Retry-After",
      workflow: """
        {"steps": [\(first),
          {"id": "busy", "endpoint": "GET https://slow.example/BRAKE",
           "retry": {"attempts": 3, "delay": "50ms"}},
          {"id": "get", "dependsOn": ["ids", "busy"], \(items), \(get)}]}
        """, brake: "busy", none: "free",
      says: "% of the time was a pause that slow.example asked for; without it"),
    Brake(
      name: "Retry-After that others wait for",
      workflow: """
        {"steps": [
          {"id": "busy", "endpoint": "GET https://slow.example/BRAKE",
           "expect": {"status": [200, 429]}},
          {"id": "get", "dependsOn": ["busy"], \(items),
           "endpoint": "GET https://slow.example/{{i}}"}]}
        """, brake: "busy", none: "free",
      says: "% of the time was a pause that slow.example asked for; without it"),
    Brake(
      name: "a slow server",
      workflow: """
        {BRAKE "steps": [\(first), {"id": "slow", "dependsOn": ["ids"],
            "endpoint": "GET https://api.example/slow"},
          {"id": "side", "dependsOn": ["ids"], "endpoint": "GET https://api.example/side"},
          {"id": "end", "dependsOn": ["slow", "side"], "endpoint": "GET https://api.example/end"}]}
        """, brake: #""limits": {"concurrency": 2, "perOrigin": 2, "rate": "100/1s"},"#, none: "",
      says: "80 % of the time was waiting for answers of api.example in step 'slow'; even without"
        + " limits", seconds: ["slow": 8]),
    Brake(
      name: "rows that 'until' looks at",
      workflow: """
        {BRAKE "steps": [{"id": "get", \(items), "concurrency": 1, "until": "@.n == 'x'",
          \(get), "extract": {"n": "$.n"}}]}
        """, brake: #""limits": {"concurrency": 2},"#, none: "", says: "even without limits"),
    Brake(
      name: "retries",
      workflow: """
        {BRAKE "steps": [{"id": "broken", "endpoint": "GET https://api.example/broken",
          "retry": {"attempts": 3, "delay": "9s", "jitter": false}}]}
        """, brake: #""limits": {"concurrency": 1},"#, none: "",
      says: "pauses before retries of step 'broken'; even without limits"),
  ]

  @Test(arguments: brakes) func whatIsSaidHoldsWithoutTheBrake(_ brake: Brake) async throws {
    let trace = try await trace(brake, brake.brake)
    let sentence = try #require(trace.bottleneck?.sentence)
    #expect(sentence.contains(brake.says), "\(sentence)")

    let free = try await self.trace(brake, brake.none)
    #expect(trace.unlimitedTime <= free.duration, "\(sentence): \(free.duration)")
    let said = try #require(Self.saidTime(sentence))
    let isGain = sentence.contains("doubled") || sentence.contains("own 'concurrency'")
    guard isGain else {
      return expect(said, free, sentence)
    }
    if brake.isOnly { #expect(trace.unlimitedTime == free.duration, "\(sentence)") }
    let doubled = try await self.trace(brake, try #require(brake.doubled))
    expect(said, doubled, sentence)
    #expect(trace.duration > doubled.duration)
  }

  /// What was said is never too much, and as much as can be said. A rate keeps a little more
  /// distance than it must.
  private func expect(_ said: Int, _ trace: RunTrace, _ sentence: String) {
    let time = trace.duration
    #expect(said <= time && said * 100 >= time * 98, "\(sentence); it took \(time.timeText)")
  }

  /// The time at the end of a sentence, in microseconds.
  private static func saidTime(_ sentence: String) -> Int? {
    let words = sentence.split(separator: " ")
    guard words.count > 2, let number = Double(words[words.count - 2]) else { return nil }
    switch words.last {
    case "s": return Int(number * 1_000_000)
    case "ms": return Int(number * 1_000)
    default: return nil
    }
  }

  private func trace(_ brake: Brake, _ text: String) async throws -> RunTrace {
    let workflow = brake.workflow.replacing(bytes: "BRAKE", with: text)
    let log = Log(brake.seconds)
    let transport = ScriptedTransport { request in await log.answer(request.url) }
    let events = Mutex(TraceBuilder())
    var options = RunOptions()
    options.clock = log.clock
    options.concurrency = workflow.contains(#""limits": {"concurrency""#) ? nil : 1_000
    options.random = { 1 }
    options.observer = { event in events.withLock { $0.receive(event) } }
    let run = Pipeline(try plan(workflow), transport: OwnLimits(transport), options: options).run()
    let result = try await run.result
    #expect(result.report.status == .succeeded, "\(result.report.failures)")
    return events.withLock { $0.finish() }
  }

  /// Answers after the time that a request takes. `busy` and `broken` are refused at first.
  private final class Log: Sendable {
    let clock = VirtualClock()
    private let seconds: [String: Double]
    private let refusals = Mutex(["busy": 1, "broken": 2])

    init(_ seconds: [String: Double]) { self.seconds = seconds }

    func answer(_ url: String) async -> ScriptedTransport.Answer {
      let name = String(url.split(separator: "/").last ?? "")
      try? await clock.sleep(for: .seconds(seconds[name] ?? 1))
      let isRefused = refusals.withLock { refusals in
        guard let left = refusals[name], left > 0 else { return false }
        refusals[name] = left - 1
        return true
      }
      if !isRefused { return .json(["n": 1]) }
      return name == "busy"
        ? .status(429, headers: [HeaderField("Retry-After", "20")]) : .status(503)
    }
  }
}
