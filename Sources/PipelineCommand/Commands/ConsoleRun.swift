internal import JSONText
internal import PipelineKit
internal import SQLiteJournals
internal import SandboxServers
internal import SourceText
internal import Workflows

/// A run on a console, new or resumed: from its settings to its exit status.
struct ConsoleRun: Sendable {
  let program: Program
  let inputs: InputOptions
  let store: StoreOptions
  let destinations: Destinations
  let format: OutputText.Format
  let display: DisplayOptions

  private var console: Console { program.console }

  /// Carries a run out: a new one, or one that its journal knows.
  ///
  /// - Parameter open: Opens the run's journal, when all else is known to be well.
  func carryOut(
    _ settings: RunSettings,
    open: (RunSettings) throws(JournalError) -> KeptRun?
  ) async -> ExitStatus {
    var settings = settings
    guard
      let (linted, plan) = plan(of: settings),
      let arguments = InputArguments.read(inputs, of: plan.workflow, console)
    else { return .invalid }
    var options = self.options
    options.concurrency = settings.concurrency
    options.environment = settings.environment
    do throws(FileError) {
      options.files = try FolderFiles(
        workflow: plan.workflow.source.name, allowing: settings.allowed, output: settings.output,
        hint: "; see --allow-dir")
    } catch {
      console.complain(error.message)
      return .usage
    }
    let sandbox: SandboxServer?
    do throws(SandboxError) {
      let (inputs, _) = plan.inputs(given: arguments.values, options: options)
      let isNeeded = linted.namesSandbox || inputs.namesSandbox || settings.sandboxPort != 0
      sandbox = isNeeded ? try Self.startSandbox(port: settings.sandboxPort) : nil
      settings.sandboxPort = sandbox?.port ?? 0
    } catch {
      console.complain("cannot serve the sandbox: \(error.description)")
      return .failure
    }
    defer { sandbox?.stop() }
    options.sandboxOrigin = sandbox?.origin
    let printer = self.printer
    // The display and the file get them as they happen.
    options.keptEvents = 0
    options.observer = observer(printer)
    let rows = RowLines(console.output)
    if format == .ndjson, destinations.output == nil {
      options.rowReader = { row in rows.write(row) }
    }
    var pipeline = Pipeline(plan, transport: program.transport(), options: options)
    let keeping: StateKeeping
    let kept: KeptRun?
    do {
      if settings.isNew { try pipeline.check(inputs: arguments.values) }
      keeping = try state(of: plan, settings, options)
      kept = try open(settings)
    } catch let error as InputError {
      complain(error)
      return .invalid
    } catch let error as StateProblem {
      return console.complain(error)
    } catch {
      console.complain("\(error)")
      return .failure
    }
    defer { kept?.journal.close() }
    pipeline.options.state = keeping.state
    pipeline.options.journal = kept?.journal
    pipeline.options.runID = kept?.id
    pipeline.options.leavesJournalOpen = true
    let cache = linted.usesCache ? makeCache() : nil
    pipeline.options.cache = cache
    let status = await perform(
      pipeline.run(inputs: arguments.values), printer, rows, keeping, kept)
    if let problem = cache?.problem { note(problem) }
    return status
  }

  /// The cache beside the runs; `nil` if nothing is to be kept, or can be.
  private func makeCache() -> SQLiteResponseCache? {
    guard
      case .folder(let folder, _)? = try? StoreLocation(store, environment: console.environment)
    else { return nil }
    do throws(JournalError) {
      return try SQLiteResponseCache(path: folder + "/cache.sqlite")
    } catch {
      note(error)
      return nil
    }
  }

  private func note(_ problem: JournalError) {
    guard !display.isQuiet else { return }
    console.error.write("note: no response is kept for later runs: \(problem.message)\n")
  }

  /// What becomes of the workflow's state.
  private func state(
    of plan: Plan, _ settings: RunSettings, _ options: RunOptions
  ) throws(StateProblem) -> StateKeeping {
    let named = StateOptions(
      environment: settings.environment, file: settings.stateFile, store: store)
    let keeping = try StateKeeping(named, of: plan, console)
    if case .kept(let kept) = keeping,
      let problem = plan.problem(with: keeping.state, path: kept.path, options)
    {
      throw problem
    }
    if let state = settings.state, case .kept = keeping, keeping.state != state {
      console.error.write(
        "note: another run has changed the state since this one began, so this run leaves none\n")
      return .none
    }
    if let note = keeping.note(plan.workflow), !display.isQuiet {
      console.error.write(note)
    }
    return keeping
  }

  /// A pipeline that is only rehearsed, with the inputs that are given anew; `nil`, once it was
  /// said why, if there is none.
  func rehearsedPipeline(
    _ settings: RunSettings, _ journal: any Journal
  ) throws -> (pipeline: Pipeline, inputs: [String: JSONValue])? {
    guard
      let (_, plan) = plan(of: settings),
      let arguments = InputArguments.read(inputs, of: plan.workflow, console)
    else { return nil }
    var options = self.options
    options.files = try FolderFiles(
      workflow: plan.workflow.source.name, allowing: settings.allowed, output: settings.output)
    options.journal = journal
    return (Pipeline(plan, transport: program.transport(), options: options), arguments.values)
  }

  /// The workflow, linted, and its plan; `nil`, once it was said why, if there is none.
  private func plan(of settings: RunSettings) -> (LintedWorkflow, Plan)? {
    PlanSource(console: console, color: display.color, isQuiet: display.isQuiet).plan(
      at: settings.file, allowing: settings.allowed, to: "run")
  }

  /// What every pipeline of this process is given.
  private var options: RunOptions {
    var options = RunOptions()
    options.variables = console.environment
    options.unreadableVariables = console.unreadableVariables
    options.clock = program.clock
    return options
  }

  private func complain(_ error: InputError) {
    for problem in error.problems {
      console.complain(
        problem.message + (problem.isMissing ? "; give it with --set \(problem.name)=…" : ""))
    }
  }

  /// The sandbox at the port it had before, if that is free: pages name the next one's URL.
  private static func startSandbox(port: UInt16) throws(SandboxError) -> SandboxServer {
    if port != 0, let server = try? SandboxServer.start(port: port) { return server }
    return try SandboxServer.start()
  }

  // MARK: The run

  /// Who is told of events. Quiet runs are told of failures by the report: events that nobody reads
  /// are not made.
  private func observer(_ printer: RunPrinter) -> (@Sendable (RunEvent) -> Void)? {
    let file = destinations.events
    if display.isQuiet {
      guard let file else { return nil }
      return { event in file.write(event) }
    }
    return { event in
      printer.receive(event)
      file?.write(event)
    }
  }

  private func perform(
    _ run: Run, _ printer: RunPrinter, _ rows: RowLines, _ keeping: StateKeeping,
    _ kept: KeptRun?
  ) async -> ExitStatus {
    let interrupts = console.interrupts()
    let interruption = Interruption()
    return await withTaskGroup(of: ExitStatus?.self) { group in
      group.addTask {
        let result: RunResult?
        do {
          result = try await run.result
        } catch let error as InputError {
          complain(error)
          return .invalid
        } catch {
          result = nil
          if !(error is CancellationError) { console.complain("\(error)") }
        }
        rows.flush()
        if let result {
          printer.finish(result.report, isInterrupted: interruption.isRaised)
        }
        let status = deliver(result, interruption)
        let ended = keep(result, keeping, interruption, status)
        guard let kept, let result else { return ended }
        return await close(kept, result.report, ended)
      }
      group.addTask { [clock = program.clock] in
        // What is drawn follows the clock, not only events: a bar's rate, a slow step's seconds.
        while (try? await clock.sleep(for: .milliseconds(80))) != nil {
          printer.redraw()
          rows.flush()
          destinations.events?.flush()
        }
        return nil
      }
      group.addTask {
        for await _ in interrupts {
          interruption.raise()
          run.cancel()
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

  /// Closes the journal, and says how one goes on with a run that has not succeeded.
  private func close(
    _ kept: KeptRun, _ report: RunReport, _ status: ExitStatus
  ) async -> ExitStatus {
    // A run whose outputs could not be written has not come to its end: 'resume' writes them.
    if report.status != .succeeded || status == .success {
      kept.journal.append(.finished(FinishRecord(report)))
    }
    if let problem = await kept.journal.finish() ?? report.journalProblem {
      console.error.write("note: not all of this run is kept: \(problem.message)\n")
    }
    guard report.status != .succeeded else { return status }
    let id = kept.shortID
    if report.counts.inDoubt > 0, let doubts = try? kept.journal.history().sendings {
      console.error.write(KeptRun.doubtText(doubts.filter(\.isInDoubt), of: id))
      return status == .interrupted ? status : .inDoubt
    }
    if !display.isQuiet { console.error.write("resume: pipeline resume \(id)\n") }
    return status
  }

  private var printer: RunPrinter {
    let detail: RunPrinter.Detail =
      display.isQuiet ? .failuresOnly : display.isVerbose ? .requests : .steps
    return RunPrinter(
      stream: console.error, detail: detail,
      isLive: Coloring.isLive(console.error, environment: console.environment),
      renderer: console.renderer(for: console.error, color: display.color),
      clock: program.clock)
  }

  /// Writes the outputs where they belong, unless the run, or the writing, was cut short.
  private func deliver(
    _ result: RunResult?, _ interruption: Interruption
  ) -> ExitStatus {
    var status = ExitStatus.failure
    if let result, result.status != .cancelled, !interruption.isRaised {
      status = result.status == .succeeded ? .success : .failure
      // A failed run gives what it has, if it has anything.
      let text = OutputText(outputs: result.outputs, format: format, interruption: interruption)
      do throws(PathProblem) {
        if status == .success || !result.outputs.isEmpty {
          if let file = destinations.output {
            try file.write(unless: { interruption.isRaised }, text.write)
          } else {
            text.write(to: console.output.write)
          }
        }
      } catch {
        console.complain("cannot write '\(error.path)': \(error.reason)")
        status = .failure
      }
    }
    if let problem = destinations.events?.finish() {
      console.complain("cannot write '\(problem.path)': \(problem.reason)")
      status = .failure
    }
    return interruption.isRaised ? .interrupted : status
  }

  /// Keeps what the run leaves to the next one, once all that it gives has arrived: a run whose
  /// outputs are lost must be run again from where it began.
  private func keep(
    _ result: RunResult?, _ keeping: StateKeeping, _ interruption: Interruption,
    _ status: ExitStatus
  ) -> ExitStatus {
    guard case .kept(let kept) = keeping, let result, status == .success, !interruption.isRaised,
      console.output.failure == nil
    else { return status }
    do throws(StateProblem) {
      try kept.keep(result.report.state, at: program.clock.wallTime, console.files)
      return status
    } catch {
      return console.complain(error)
    }
  }
}

extension LintedWorkflow {
  /// Whether a step of the file, or of one that it runs, has a cache.
  fileprivate var usesCache: Bool {
    workflow?.usesCache ?? false || callees.values.contains { $0.usesCache }
  }

  /// Whether an address of the sandbox is written in the file, or in one that it runs.
  fileprivate var namesSandbox: Bool {
    workflow?.namesSandbox ?? false || callees.values.contains { $0.namesSandbox }
  }
}
