import PipelineKit
import PipelineTestSupport
import Testing

@testable import PipelineEngine
@testable import PipelineReports

/// A log makes the trace that the run's events make.
@Suite struct TraceLogTests {
  @Test(arguments: 0..<40) func aTraceOutOfALogIsThatOfTheEvents(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let rowStep = seed % 4 == 0 ? "list" : nil
    let events = Self.events(&random, isResumed: false)
    let collector = TraceCollector(rowStep: rowStep)
    for event in events { collector.receive(event) }
    var reader = TraceLogReader()
    var rest = Self.log(of: events, rowStep: rowStep)[...]
    while !rest.isEmpty {
      let piece = rest.prefix(Int.random(in: 0..<700, using: &random) + 1)
      reader.read(piece)
      rest = rest.dropFirst(piece.count)
    }
    #expect(reader.count == events.count)
    #expect(
      String(decoding: reader.trace().json(), as: UTF8.self)
        == String(decoding: collector.trace().json(), as: UTF8.self))
  }

  @Test(arguments: 0..<10) func aProcessGoesOnInTheSameLog(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let first = Array(Self.events(&random, isResumed: false).dropLast(3))
    let second = Self.events(&random, isResumed: true)
    let earlier = TraceCollector()
    for event in first { earlier.receive(event) }
    let later = TraceCollector(after: earlier.trace())
    for event in second { later.receive(event) }
    var reader = TraceLogReader()
    reader.read(Self.log(of: first, rowStep: nil))
    reader.read(Self.log(of: second, rowStep: nil))
    #expect(
      String(decoding: reader.trace().json(), as: UTF8.self)
        == String(decoding: later.trace().json(), as: UTF8.self))
  }

  /// Of a log that was cut the whole frames count.
  @Test func theLastFrameOfALogMayBeUnfinished() {
    var random = SeededGenerator(seed: 7)
    let events = Self.events(&random, isResumed: false)
    let first = Self.log(of: Array(events.prefix(20)), rowStep: nil)
    let second = Self.log(of: Array(events.dropFirst(20)), rowStep: nil)
    for cut in 0..<second.count {
      var reader = TraceLogReader()
      reader.read(first)
      reader.read(second.prefix(cut))
      #expect(reader.count == 20)
    }
  }

  @Test(arguments: 0..<20) func aDamagedLogIsReadUpToTheDamage(_ seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let log = Self.log(of: Self.events(&random, isResumed: false), rowStep: nil)
    for _ in 0..<LongTests.count(30, long: 200) {
      var damaged = log
      for _ in 0...Int.random(in: 0..<4, using: &random) {
        damaged[Int.random(in: 0..<damaged.count, using: &random)] = UInt8(
          Int.random(in: 0..<256, using: &random))
      }
      var reader = TraceLogReader()
      reader.read(damaged)
      _ = reader.trace().json()
    }
  }

  // MARK: - Events

  private static func log(of events: [RunEvent], rowStep: String?) -> [UInt8] {
    var writer = TraceLogWriter(rowStep: rowStep)
    for event in events { writer.add(event) }
    return writer.takeFrame() ?? []
  }

  /// The events of a run with a collection and a step in a block after it.
  private static func events(_ random: inout SeededGenerator, isResumed: Bool) -> [RunEvent] {
    var time = 0
    var events: [RunEvent] = []
    func add(_ kind: RunEvent.Kind, after pause: Int = 0) {
      time += pause
      events.append(RunEvent(time: .microseconds(time), kind: kind))
    }
    var inner = RunEvent.StepSummary(id: "one")
    inner.action = "request"
    var block = RunEvent.StepSummary(id: "block", isCollection: true)
    block.action = "block"
    block.steps = [inner]
    block.after = ["list"]
    var list = RunEvent.StepSummary(id: "list", isCollection: true)
    list.action = "request"
    var started = RunEvent.RunStarted(runID: "r", workflow: "w", steps: [list, block])
    started.file = "w.json"
    started.startedAt = 1_769_850_300.25
    started.resumedAt = isResumed ? 1_769_850_400.5 : nil
    started.limits.concurrency = 4
    // A process may take longer to open its journal than the one before took for everything.
    add(.runStarted(started), after: isResumed ? 10_000_000 : 0)
    let count = Int.random(in: 0..<30, using: &random) + 1
    var step = RunEvent.StepStarted(step: "list", items: count)
    step.concurrency = 4
    add(.stepStarted(step), after: 10)
    for item in 0..<count {
      add(
        .itemStarted(
          RunEvent.ItemStarted(
            step: "list", path: [], item: item,
            releasedBy: item == 0
              ? Release(.step) : Release(.slot, step: "list", item: item - 1))),
        after: Int.random(in: 0..<1_000, using: &random))
      request(&random, "list", [], item, &time, &events)
      add(
        .itemFinished(
          RunEvent.ItemFinished(
            step: "list", item: item,
            outcome: Int.random(in: 0..<5, using: &random) == 0 ? .cancelled : .succeeded,
            done: item + 1, total: count)), after: Int.random(in: 0..<50, using: &random))
    }
    add(.stepFinished(RunEvent.StepFinished(step: "list", outcome: .succeeded, items: count)))
    add(.note(RunEvent.Note(step: "block", message: "a \u{1F600} note")))
    add(.stepStarted(RunEvent.StepStarted(step: "block", items: 2)))
    for pass in 0..<2 {
      add(
        .itemStarted(
          RunEvent.ItemStarted(
            step: "block", path: [], item: pass, releasedBy: Release(.dependency, step: "list"))))
      add(.stepStarted(RunEvent.StepStarted(step: "block.one", path: [pass])))
      request(&random, "block.one", [pass], nil, &time, &events)
      add(
        .stepFinished(
          RunEvent.StepFinished(step: "block.one", path: [pass], outcome: .succeeded)))
      add(
        .itemFinished(
          RunEvent.ItemFinished(
            step: "block", item: pass, outcome: .skipped("no reason"), done: pass, total: 2)))
    }
    add(.stepFinished(RunEvent.StepFinished(step: "block", outcome: .succeeded, items: 2)))
    return events
  }

  private static func request(
    _ random: inout SeededGenerator, _ step: String, _ path: [Int], _ item: Int?,
    _ time: inout Int, _ events: inout [RunEvent]
  ) {
    let sent = time + Int.random(in: 0..<300, using: &random)
    time = sent + Int.random(in: 0..<5_000, using: &random) + 10
    var timings = Timings()
    timings.connect = .microseconds(Int.random(in: 0..<9, using: &random))
    timings.firstByte = .microseconds(Int.random(in: 0..<900, using: &random))
    timings.total = .microseconds(Int.random(in: 0..<1_900, using: &random))
    timings.reusedConnection = Int.random(in: 0..<2, using: &random) == 0
    var request = RunEvent.RequestFinished(
      step: step, path: path, item: item, attempt: Int.random(in: 0..<3, using: &random) + 1,
      method: "GET",
      url: "https://api.example/\(step)/\(Int.random(in: 0..<1_000, using: &random))",
      status: [200, 304, 404, 503][Int.random(in: 0..<4, using: &random)],
      bytesReceived: Int.random(in: 0..<100_000, using: &random), timings: timings,
      retryAfter: Int.random(in: 0..<4, using: &random) == 0 ? .seconds(1) : nil,
      cache: Int.random(in: 0..<6, using: &random) == 0 ? .validated : nil)
    request.sent = .microseconds(sent)
    if Int.random(in: 0..<3, using: &random) == 0 {
      request.waits.place = .microseconds(Int.random(in: 0..<200, using: &random))
      request.waits.poll = .microseconds(Int.random(in: 0..<40, using: &random))
    }
    if Int.random(in: 0..<4, using: &random) == 0 {
      request.cause = .poll
      request.poll = 3
      request.page = 0
    }
    events.append(RunEvent(time: .microseconds(time), kind: .requestFinished(request)))
  }
}
