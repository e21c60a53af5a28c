internal import PipelineByteText
internal import PipelineJSONText
internal import PipelineKit
internal import PipelineReports
internal import SQLiteJournals
internal import Synchronization

/// The runs that the page has started. They go on when the page is closed, and end with the server.
final class PageRuns: Sendable {
  /// A command line that is carried out for the page.
  struct Order: Sendable {
    let run: String
    /// The workflow's file, and the step that is run with those that it needs; `nil` if all are.
    var place = ""
    var only: String?
    let arguments: [String]
    /// What the command reads from stdin: inputs, which may be secrets. They are kept nowhere.
    let input: [UInt8]
  }

  private struct Job: Sendable {
    let stop: AsyncStream<Interrupt>.Continuation
    let interrupts: AsyncStream<Interrupt>
    let output = RunText()
    let error = RunText()
    var status: ExitStatus?
    var part: Part?
  }

  /// A run of some steps, which has answers and no journal.
  struct Part: Sendable {
    let run: String
    let place: String
    let step: String
    /// In seconds since 1970.
    let startedAt: Double

    func age(at now: Double) -> String {
      let seconds = Int(max(0, now - startedAt))
      return seconds < 90 ? "\(seconds) s ago" : "\(seconds / 60) min ago"
    }
  }

  private let program: Program
  private let store: RunStore?
  private let jobs = Mutex<[String: Job]>([:])

  /// The time between looks at the progress of a run.
  private static let pause = Duration.milliseconds(120)
  /// The most runs whose messages and outputs are known after their end.
  private static let mostKept = 50

  init(_ program: Program, store: RunStore?) {
    self.program = program
    self.store = store
  }

  /// Notes that a run is about to begin, so that it can be followed and stopped.
  func expect(_ order: Order) {
    let part = order.only.map {
      Part(
        run: order.run, place: order.place, step: $0, startedAt: program.clock.wallTime)
    }
    let (interrupts, stop) = AsyncStream.makeStream(of: Interrupt.self)
    jobs.withLock { jobs in
      let ended = jobs.filter { $0.value.status != nil }
      if ended.count >= Self.mostKept { for id in ended.keys { jobs[id] = nil } }
      jobs[order.run] = Job(stop: stop, interrupts: interrupts, part: part)
    }
  }

  func isRunning(_ run: String) -> Bool {
    jobs.withLock { $0[run].map { $0.status == nil } ?? false }
  }

  /// The runs of some steps of a workflow that have ended, the newest first.
  func parts(of place: String) -> [Part] {
    jobs.withLock { jobs in
      jobs.values.filter { $0.status != nil }.compactMap(\.part)
        .filter { $0.place.equals(bytes: place) }.sorted { $0.startedAt > $1.startedAt }
    }
  }

  /// Carries an order out.
  func carryOut(_ order: Order) async {
    guard let job = jobs.withLock({ $0[order.run] }) else { return }
    let status = await run(
      order.arguments, input: order.input, run: order.run, output: job.output, error: job.error,
      interrupts: job.interrupts)
    jobs.withLock { $0[order.run]?.status = status }
  }

  /// Stops a run, as Ctrl-C does.
  func stop(_ run: String) {
    _ = jobs.withLock { $0[run]?.stop }?.yield(.interrupt)
  }

  func stopAll() {
    for job in jobs.withLock({ Array($0.values) }) { job.stop.yield(.interrupt) }
  }

  /// Does what a command line asks for, and gives what it writes.
  func result(
    _ arguments: [String], input: [UInt8] = []
  ) async -> (status: ExitStatus, output: String, error: String) {
    let (output, error) = (RunText(), RunText())
    let status = await run(
      arguments, input: input, run: nil, output: output, error: error,
      interrupts: AsyncStream { $0.finish() })
    return (status, output.text, error.text)
  }

  private func run(
    _ arguments: [String], input: [UInt8], run: String?, output: RunText, error: RunText,
    interrupts: AsyncStream<Interrupt>
  ) async -> ExitStatus {
    var files = program.console.files
    files.readInput = { limit throws(PathProblem) in
      guard input.count <= limit else { throw PathProblem(path: "-", reason: "it is too large") }
      return input
    }
    var console = Console(
      output: output, error: error, files: files, environment: program.console.environment,
      interrupts: { interrupts })
    console.unreadableVariables = program.console.unreadableVariables
    var part = Program(console: console, clock: program.clock, transport: program.transport)
    part.runID = run
    return await part.main(arguments)
  }

  /// The variables that inputs may come from.
  var variables: [String: String] { program.console.environment }

  /// The report of a run as a page; `nil` if nothing was kept for one.
  func report(of run: String) -> [UInt8]? {
    guard let trace = store?.runTrace(of: run) else { return nil }
    return Array(ReportKind.html.text(of: trace, in: program.reportSurroundings).utf8)
  }

  // MARK: Following

  /// Sends what is known of a run, again whenever there is news, until it has ended.
  func follow(_ run: String, _ reply: PageReply) async {
    var last: [UInt8] = []
    var reading = store.map { TraceReading(of: run, in: $0) }
    while !reply.isGone {
      let (news, isOver) = news(of: run, &reading)
      if news != last {
        reply.send("data: ", news)
        last = news
      }
      if isOver {
        reply.send("event: end\ndata: ", [])
        reply.end()
        return
      }
      guard (try? await program.clock.sleep(for: Self.pause)) != nil else { return reply.end() }
    }
  }

  /// What is known of a run, as JSON in one line, and whether that is all.
  private func news(
    of run: String, _ reading: inout TraceReading?
  ) -> (json: [UInt8], isOver: Bool) {
    let job = jobs.withLock { $0[run] }
    let stored = store?.run(id: run)
    let isRunning = job.map { $0.status == nil } ?? (stored?.status == .running)
    var writer = JSONWriter(style: .compact)
    writer.beginObject()
    writer.name("isRunning")
    writer.boolean(isRunning)
    writer.name("isOwn")
    writer.boolean(job != nil)
    if let status = job?.status {
      writer.name("exit")
      writer.integer(Int(status.rawValue))
    }
    if let stored {
      writer.name("status")
      writer.string(stored.status.rawValue)
      writer.name("inDoubt")
      writer.integer(stored.inDoubt ?? 0)
      writer.name("age")
      writer.string(stored.age(at: program.clock.wallTime))
    }
    writer.name("hasAnswers")
    writer.boolean(store?.answers(ofRun: run) != nil)
    if !isRunning, let job {
      for (name, text) in [("messages", job.error.text), ("outputs", job.output.text)] {
        writer.name(name)
        writer.string(text)
      }
    }
    if let trace = reading?.trace(at: isRunning ? program.clock.wallTime : nil) {
      if let headline = trace.headline {
        writer.name("headline")
        writer.string(headline)
      }
      writer.name("trace")
      writer.raw(trace.json())
    }
    writer.endObject()
    return (writer.bytes, !isRunning)
  }
}
