internal import PipelineByteText
internal import PipelineKit
internal import PipelineSourceText
internal import PipelineURIs
internal import Synchronization

/// Prints a run while it happens: on a terminal a live area, elsewhere a line a step.
///
/// Receives every event, from any task. A ticker calls `redraw()` several times a second.
final class RunPrinter: Sendable {
  /// How much is printed.
  enum Detail: Sendable {
    case failuresOnly, steps, requests
  }

  private let page: Mutex<RunPage>

  init(
    stream: TextStream, detail: Detail, isLive: Bool, renderer: DiagnosticRenderer,
    clock: any RunClock
  ) {
    page = Mutex(
      RunPage(stream: stream, detail: detail, isLive: isLive, renderer: renderer, clock: clock))
  }

  func receive(_ event: RunEvent) {
    page.withLock { $0.receive(event) }
  }

  /// Draws the live area again, if there is one.
  func redraw() {
    page.withLock { $0.redraw() }
  }

  /// Leaves the terminal to another writer until `resume`.
  func pause() { page.withLock { $0.pause() } }

  func resume() { page.withLock { $0.resume() } }

  /// Prints what is left to say: why the run stopped, failures that no event reported, the summary.
  ///
  /// - Parameter isInterrupted: Whether the run was asked to end before it had ended.
  func finish(_ report: RunReport, isInterrupted: Bool = false) {
    page.withLock { $0.finish(report, isInterrupted: isInterrupted) }
  }
}

/// The text already printed of a run, and the text still to print.
private struct RunPage: Sendable {
  private let stream: TextStream
  private let detail: RunPrinter.Detail
  private let isLive: Bool
  private let colored: Bool
  private let failureText: FailureText
  private let clock: any RunClock
  private var display = Display(title: "", steps: [])
  private var screen: Screen
  /// Lines that stay and are not yet written. Used on a live terminal only.
  private var pending: [String] = []
  /// The clock's time at the run's start.
  private var start: Duration
  private var groups = FailureGroups()
  private var isOver = false
  /// Whether a question is open.
  private var isPaused = false

  init(
    stream: TextStream, detail: RunPrinter.Detail, isLive: Bool, renderer: DiagnosticRenderer,
    clock: any RunClock
  ) {
    self.stream = stream
    self.detail = detail
    self.isLive = isLive && detail != .failuresOnly
    colored = renderer.style == .colored
    self.clock = clock
    failureText = FailureText(renderer: renderer)
    screen = Screen(colored: colored)
    start = clock.elapsed
  }

  mutating func receive(_ event: RunEvent) {
    let time = event.time
    switch event.kind {
    case .runStarted(let run):
      start = clock.elapsed - time
      display = Display(title: run.workflow, steps: run.steps.map(\.id))
    case .stepStarted(let step):
      if isTop(step.step) {
        display.start(step.step, items: step.items, at: time)
      } else {
        display.startInner(inner(step.step), of: top(step.step))
      }
    case .itemStarted, .eventReceived: break
    case .requestFinished(let request):
      display.finishRequest(
        of: top(request.step), count: request.requests, retry: retryText(request))
      if detail == .requests { print(line(for: request)) }
    case .itemFinished(let item):
      receive(item, at: time)
    case .stepFinished(let step):
      receive(step, at: time)
    case .note(let note):
      if detail != .failuresOnly { print(line(for: note)) }
    case .said(let said): printText(Self.text(of: said, colored: colored))
    // The question is shown where it is asked. If it is answered later, it is listed at the end.
    case .asked: break
    case .runFinished:
      isOver = true
    }
  }

  /// `say` of a step, line by line.
  private static func text(of said: RunEvent.Said, colored: Bool) -> String {
    let lines = said.text.split(ascii: "\n", omittingEmptySubsequences: false)
    return lines.enumerated().map { number, text in
      var line = number == 0 ? Line("\(said.step): ", .busy) : Line("  ")
      line.append(String(text))
      return line.text(colored: colored) + "\n"
    }.joined()
  }

  /// Leaves the terminal to another writer: nothing is drawn until `resume`.
  mutating func pause() {
    flush()
    isPaused = true
  }

  mutating func resume() { isPaused = false }

  /// Draws the live area again, if there is one.
  mutating func redraw() {
    guard isLive, !isOver, !isPaused, let size = stream.terminal else { return }
    let live = display.live(at: clock.elapsed - start, size: size)
    stream.draw(screen.frame(permanent: pending, live: live, size: size))
    pending = []
  }

  /// Prints what is left to say: why the run stopped, failures that no event reported, the summary.
  mutating func finish(_ report: RunReport, isInterrupted: Bool) {
    isOver = true
    if let reason = report.stopReason, reason.kind != .cancelled {
      printText(failureText.text(reason))
    }
    for failure in report.failures { printOnce(failure) }
    for question in report.questions { printText(QuestionText(question).text(colored: colored)) }
    for line in groups.summary(of: report.failures) { print(Line("  " + line, .dim)) }
    if detail != .failuresOnly {
      let ending: Display.Ending =
        switch report.status {
        case .cancelled: .interrupted
        case .waiting: .waiting
        case .succeeded, .failed:
          isInterrupted ? .interrupted : report.status == .succeeded ? .succeeded : .failed
        }
      let counts = report.counts
      print(
        display.summary(
          ending, at: report.duration, taken: counts.taken, cached: counts.cached,
          validated: counts.validated))
    }
    flush()
  }

  // MARK: Steps and items

  private mutating func receive(_ item: RunEvent.ItemFinished, at time: Duration) {
    // A cancelled item does not count as done.
    if case .cancelled = item.outcome { return }
    let outcome: Display.ItemOutcome =
      switch item.outcome {
      case .failed: .failed
      case .recovered: .recovered
      case .succeeded, .skipped, .cancelled: .done
      }
    if isTop(item.step) { display.finishItem(of: item.step, outcome, at: time) }
    // A failure that the run recovers from is not an error of the run.
    if case .failed(let failure) = item.outcome, item.recoveredBy == nil { printOnce(failure) }
  }

  private mutating func receive(_ step: RunEvent.StepFinished, at time: Duration) {
    if case .failed(let failure) = step.outcome, !isTop(step.step), step.recoveredBy == nil {
      printOnce(failure)
    }
    guard isTop(step.step) else {
      return display.finishInner(inner(step.step), of: top(step.step))
    }
    let outcome: Display.Outcome =
      switch step.outcome {
      case .succeeded: .done
      case .recovered(let failure): .recovered(failure.failure.message)
      case .skipped(let reason): .skipped(reason)
      case .failed: .failed
      case .cancelled: .cancelled
      }
    let line = display.finish(step.step, outcome, at: time)
    if detail != .failuresOnly { print(line) }
    if case .failed(let failure) = step.outcome { printOnce(failure) }
  }

  /// Prints a failure unless an equal one was printed. A failed item is also the failure of its
  /// step, and of the blocks around it.
  private mutating func printOnce(_ failure: StepFailure) {
    switch groups.advice(on: failure) {
    case .print: printText(failureText.text(failure))
    case .leaveOut: break
    case .sayMore:
      print(
        Line("  further failures of '\(failure.step)' are not shown; --events has them all", .dim))
    }
  }

  // MARK: Lines

  private func line(for request: RunEvent.RequestFinished) -> Line {
    let place = request.place.text(in: request.path, request.cause)
    var line = Line("  \(request.step)  ", .dim)
    if !place.isEmpty { line.append(place + "  ", .dim) }
    line.append("\(request.method) \(request.url)", .plain)
    if let status = request.status {
      line.append("  \(status)", status < 400 ? .good : .bad)
    } else {
      line.append("  \(request.error?.message ?? "no response")", .bad)
    }
    let timings = request.timings
    var facts = [timings.total.text]
    if !timings.reusedConnection {
      if timings.nameLookup > .zero { facts.append("name \(timings.nameLookup.text)") }
      if timings.connect > .zero { facts.append("connected \(timings.connect.text)") }
      if timings.tls > .zero { facts.append("TLS \(timings.tls.text)") }
    }
    if timings.firstByte > .zero { facts.append("first byte \(timings.firstByte.text)") }
    if request.status != nil { facts.append(request.bytesReceived.byteText) }
    switch request.cache {
    case .fresh: facts = ["from the cache"]
    case .validated: facts.append("validated")
    case nil: break
    }
    if request.waits.announced >= .milliseconds(100) {
      let origin = Origin(of: request.url)?.description ?? request.url
      facts.append("announced limit of \(origin), \(request.waits.announced.text)")
    }
    if request.attempt > 1 { facts.append("attempt \(request.attempt)") }
    if let retry = request.retryAfter { facts.append("again in \(retry.text)") }
    line.append("  " + facts.joined(separator: " · "), .dim)
    return line
  }

  private func line(for note: RunEvent.Note) -> Line {
    var line = Line("note: ", .busy)
    line.append(note.step.map { "step '\($0)': " } ?? "")
    line.append(note.message)
    return line
  }

  private func retryText(_ request: RunEvent.RequestFinished) -> String? {
    request.retryAfter.map { delay in
      let cause = request.status.map { "status \($0)" } ?? request.error?.message ?? "no response"
      return "\(cause), again in \(delay.text)"
    }
  }

  private mutating func print(_ line: Line) { printText(line.text(colored: colored) + "\n") }

  private mutating func printText(_ text: String) {
    if isLive { pending.append(String(text.dropLast())) } else { stream.write(inked: text) }
  }

  /// Writes what is pending and takes the live area away.
  private mutating func flush() {
    guard isLive, let size = stream.terminal else { return }
    stream.draw(screen.frame(permanent: pending, live: [], size: size))
    pending = []
  }

  private func isTop(_ step: String) -> Bool { !step.utf8.contains(UInt8(ascii: ".")) }

  private func top(_ step: String) -> String {
    step.firstIndex(ascii: ".").map { String(step[..<$0]) } ?? step
  }

  /// The step's id in the block or file that the step of the file is.
  private func inner(_ step: String) -> String {
    step.firstIndex(ascii: ".").map { String(step[step.utf8.index(after: $0)...]) } ?? step
  }
}
