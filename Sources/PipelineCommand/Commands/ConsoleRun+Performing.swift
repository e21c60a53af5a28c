internal import PipelineKit
internal import PipelineReports

/// A run that has begun, and everything that its end needs.
struct RunUnderWay: Sendable {
  let run: Run
  let settings: RunSettings
  let sinks: RunSinks
  let printer: RunPrinter
  let rows: RowLines
  let tracing: SpanExporter?
  let keeping: StateKeeping
  let kept: (any RunKeeping)?
  let trace: KeptTrace?
}

// A run from its start to its end, with the display, the spans and the signals beside it.
extension ConsoleRun {
  func perform(_ underWay: RunUnderWay) async -> ExitStatus {
    guard let tracing = underWay.tracing else { return await watch(underWay) }
    return await tracing.send { await watch(underWay) }
  }

  /// Awaits the end of the run while it redraws the display, and cancels on a signal.
  private func watch(_ underWay: RunUnderWay) async -> ExitStatus {
    let interrupts = console.interrupts()
    let interruption = Interruption()
    return await withTaskGroup(of: ExitStatus?.self) { group in
      group.addTask { await end(of: underWay, interruption) }
      group.addTask { [clock = program.clock] in
        // The display follows the clock, not only events: a bar's rate, a slow step's seconds.
        while (try? await clock.sleep(for: .milliseconds(80))) != nil {
          underWay.printer.redraw()
          underWay.rows.flush()
          destinations.events?.flush()
          underWay.trace?.flush()
        }
        return nil
      }
      if let tracing = underWay.tracing {
        group.addTask {
          await tracing.wake()
          return nil
        }
      }
      group.addTask {
        for await _ in interrupts {
          interruption.raise()
          underWay.run.cancel()
          break
        }
        return nil
      }
      var status = ExitStatus.failure
      for await ended in group {
        guard let ended else { continue }
        status = ended
        group.cancelAll()
      }
      return status
    }
  }

  /// Awaits the result, then prints, delivers and keeps it.
  private func end(of underWay: RunUnderWay, _ interruption: Interruption) async -> ExitStatus {
    let result: RunResult?
    do {
      result = try await underWay.run.result
    } catch let error as InputError {
      complain(error)
      return .invalid
    } catch let error as RunInDoubt {
      console.error.write(underWay.kept?.doubtText(error.requests) ?? "\(error)\n")
      return .inDoubt
    } catch {
      result = nil
      if !(error is CancellationError) { console.complain("\(error)") }
    }
    underWay.rows.flush()
    if let result {
      underWay.printer.finish(result.report, isInterrupted: interruption.isRaised)
    }
    if let shown {
      console.error.write(
        inked: shown.text(colored: console.isColored(console.error, color: display.color)))
    }
    let status = deliver(result, underWay.settings, underWay.sinks, interruption)
    var ended = keep(result, underWay.keeping, interruption, status)
    if result != nil, let trace = underWay.trace?.finish() {
      if !reports.write(trace, in: program), ended == .success { ended = .failure }
    }
    guard let result else { return ended }
    guard let kept = underWay.kept else {
      return withoutStore(result.report, ended)
    }
    return await kept.end(result.report, ended, console, isQuiet: display.isQuiet)
  }

  /// Says what `resume` would need a store for.
  private func withoutStore(_ report: RunReport, _ status: ExitStatus) -> ExitStatus {
    if !report.questions.isEmpty {
      console.error.write(
        line: "nothing of this run is kept, so 'resume' cannot go on with it; give the answers to"
          + " 'run' with '--answer', or leave out '--no-store'")
    }
    guard report.counts.inDoubt > 0, status == .failure else { return status }
    console.error.write(
      line: "nothing of this run is kept, so look at the server before you run it again")
    return .inDoubt
  }

  // MARK: Events

  /// Gives the run the readers of its events.
  ///
  /// - Parameter speaks: Whether the workflow shows texts, which a quiet run shows, too.
  func observe(_ options: inout RunOptions, _ printer: RunPrinter, speaks: Bool) {
    // The display and the file get them as they happen.
    options.keptEvents = 0
    options.reportsServerEvents = destinations.events != nil
    options.observer = observer(printer, speaks: speaks)
  }

  /// Sends the spans of a run.
  func sendSpans(of options: inout RunOptions, _ tracing: SpanExporter?) {
    guard let tracing else { return }
    options.observer = Self.both(options.observer, tracing.receive)
    // A recording is the same with and without tracing.
    if recordings.file == nil, recordings.replayed == nil { options.tracing = tracing.requests }
  }

  /// The readers of events.
  private func observer(
    _ printer: RunPrinter, speaks: Bool
  ) -> (@Sendable (RunEvent) -> Void)? {
    let reader = eventReader(printer, speaks: speaks)
    guard let shown else { return reader }
    return Self.both(reader, { shown.receive($0) })
  }

  /// A quiet run prints the failures of its report, so no events are made for it.
  private func eventReader(
    _ printer: RunPrinter, speaks: Bool
  ) -> (@Sendable (RunEvent) -> Void)? {
    let file = destinations.events
    if display.isQuiet, !speaks {
      guard let file else { return nil }
      return { event in file.write(event) }
    }
    return { event in
      printer.receive(event)
      file?.write(event)
    }
  }

  static func both(
    _ first: (@Sendable (RunEvent) -> Void)?, _ second: (@Sendable (RunEvent) -> Void)?
  ) -> (@Sendable (RunEvent) -> Void)? {
    guard let first, let second else { return first ?? second }
    return { event in
      first(event)
      second(event)
    }
  }

  var printer: RunPrinter {
    let detail: RunPrinter.Detail =
      display.isQuiet ? .failuresOnly : display.isVerbose ? .requests : .steps
    return RunPrinter(
      stream: console.error, detail: detail,
      isLive: Coloring.isLive(console.error, environment: console.environment),
      renderer: console.renderer(for: console.error, color: display.color),
      clock: program.clock)
  }
}
