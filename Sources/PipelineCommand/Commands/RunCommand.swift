internal import CurlTransports
internal import JSONText
internal import PipelineKit
internal import SQLiteJournals
internal import SandboxServers
internal import SourceText
internal import Workflows

/// `pipeline run`: from a workflow's file to its outputs.
struct RunCommand: Sendable {
  let console: Console
  /// Made only when there is something to run.
  let transport: @Sendable () -> any Transport
  let clock: any RunClock

  func run(_ invocation: Invocation) async -> ExitStatus {
    if invocation.has("quiet"), invocation.has("verbose") {
      console.complain("--quiet and --verbose contradict each other")
      return .usage
    }
    let destinations: Destinations
    do throws(PathProblem) {
      destinations = try Destinations(invocation)
    } catch {
      console.complain("cannot write '\(error.path)': \(error.reason)")
      return .usage
    }
    let location: StoreLocation
    do throws(UsageError) {
      location = try StoreLocation(invocation, environment: console.environment)
    } catch {
      console.complain(error.message)
      return .usage
    }
    return await carryOut(RunSettings(invocation), destinations, invocation) {
      settings throws(JournalError) in
      try KeptRun.begin(in: location, settings, console, isQuiet: invocation.has("quiet"))
    }
  }

  /// Carries a run out: a new one, or one that its journal knows.
  ///
  /// - Parameter open: Opens the run's journal, when all else is known to be well.
  func carryOut(
    _ settings: RunSettings, _ destinations: Destinations, _ invocation: Invocation,
    open: (RunSettings) throws(JournalError) -> KeptRun?
  ) async -> ExitStatus {
    var settings = settings
    guard
      let (linted, plan) = PlanSource(console: console).plan(
        at: settings.file, allowing: settings.allowed, invocation, to: "run")
    else { return .invalid }
    guard let arguments = InputArguments.read(invocation, of: plan.workflow, console) else {
      return .invalid
    }
    var options = RunOptions()
    options.concurrency = settings.concurrency
    options.environment = settings.environment
    options.variables = console.environment
    options.unreadableVariables = console.unreadableVariables
    options.clock = clock
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
    let printer = printer(for: invocation)
    // The display and the file get them as they happen.
    options.keptEvents = 0
    options.observer = observer(printer, destinations.events, invocation)
    let rows = RowLines(console.output)
    if invocation.value("format") == "ndjson", destinations.output == nil {
      options.rowReader = { row in rows.write(row) }
    }
    var pipeline = Pipeline(plan, transport: transport(), options: options)
    let keeping: StateKeeping
    let kept: KeptRun?
    do {
      if settings.isNew { try pipeline.check(inputs: arguments.values) }
      keeping = try state(of: plan, settings, invocation, options)
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
    let cache = linted.usesCache ? cache(invocation) : nil
    pipeline.options.cache = cache
    let status = await perform(
      pipeline.run(inputs: arguments.values), printer, rows, destinations, keeping, invocation, kept
    )
    if let problem = cache?.problem { note(problem, invocation) }
    return status
  }

  /// The cache beside the runs; `nil` if nothing is to be kept, or can be.
  private func cache(_ invocation: Invocation) -> SQLiteResponseCache? {
    guard
      case .folder(let folder, _)? = try? StoreLocation(
        invocation, environment: console.environment)
    else { return nil }
    do throws(JournalError) {
      return try SQLiteResponseCache(path: folder + "/cache.sqlite")
    } catch {
      note(error, invocation)
      return nil
    }
  }

  private func note(_ problem: JournalError, _ invocation: Invocation) {
    guard !invocation.has("quiet") else { return }
    console.error.write("note: no response is kept for later runs: \(problem.message)\n")
  }

  /// What becomes of the workflow's state.
  private func state(
    of plan: Plan, _ settings: RunSettings, _ invocation: Invocation, _ options: RunOptions
  ) throws(StateProblem) -> StateKeeping {
    let keeping = try StateKeeping(settings.completing(invocation), of: plan, console)
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
    if let note = keeping.note(plan.workflow), !invocation.has("quiet") {
      console.error.write(note)
    }
    return keeping
  }

  /// A pipeline that is only rehearsed, with the inputs that are given anew; `nil`, once it was
  /// said why, if there is none.
  func rehearsedPipeline(
    _ settings: RunSettings, _ invocation: Invocation, _ journal: any Journal
  ) throws -> (pipeline: Pipeline, inputs: [String: JSONValue])? {
    guard
      let (_, plan) = PlanSource(console: console).plan(
        at: settings.file, allowing: settings.allowed, invocation, to: "run"),
      let arguments = InputArguments.read(invocation, of: plan.workflow, console)
    else { return nil }
    var options = RunOptions()
    options.variables = console.environment
    options.unreadableVariables = console.unreadableVariables
    options.clock = clock
    options.files = try FolderFiles(
      workflow: plan.workflow.source.name, allowing: settings.allowed, output: settings.output)
    options.journal = journal
    return (Pipeline(plan, transport: transport(), options: options), arguments.values)
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
  private func observer(
    _ printer: RunPrinter, _ file: EventsFile?, _ invocation: Invocation
  ) -> (@Sendable (RunEvent) -> Void)? {
    if invocation.has("quiet") {
      guard let file else { return nil }
      return { event in file.write(event) }
    }
    return { event in
      printer.receive(event)
      file?.write(event)
    }
  }

  private func perform(
    _ run: Run, _ printer: RunPrinter, _ rows: RowLines, _ destinations: Destinations,
    _ keeping: StateKeeping, _ invocation: Invocation, _ kept: KeptRun?
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
        let status = deliver(result, destinations, invocation, interruption)
        let ended = keep(result, keeping, interruption, status)
        guard let kept, let result else { return ended }
        return await close(kept, result.report, ended, isQuiet: invocation.has("quiet"))
      }
      group.addTask { [clock] in
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
    _ kept: KeptRun, _ report: RunReport, _ status: ExitStatus, isQuiet: Bool
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
    if !isQuiet { console.error.write("resume: pipeline resume \(id)\n") }
    return status
  }

  private func printer(for invocation: Invocation) -> RunPrinter {
    let detail: RunPrinter.Detail =
      invocation.has("quiet") ? .failuresOnly : invocation.has("verbose") ? .requests : .steps
    return RunPrinter(
      stream: console.error, detail: detail,
      isLive: Coloring.isLive(console.error, environment: console.environment),
      renderer: console.renderer(for: console.error, color: invocation.value("color")),
      clock: clock)
  }

  /// Writes the outputs where they belong, unless the run, or the writing, was cut short.
  private func deliver(
    _ result: RunResult?, _ destinations: Destinations, _ invocation: Invocation,
    _ interruption: Interruption
  ) -> ExitStatus {
    var status = ExitStatus.failure
    if let result, result.status != .cancelled, !interruption.isRaised {
      status = result.status == .succeeded ? .success : .failure
      let format = invocation.value("format").flatMap(OutputText.Format.init(rawValue:)) ?? .json
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
      try kept.keep(result.report.state, at: clock.wallTime, console.files)
      return status
    } catch {
      return console.complain(error)
    }
  }
}

/// Where a run writes to besides the console: found usable before anything is sent.
struct Destinations: Sendable {
  let output: AtomicFile?
  let events: EventsFile?

  init(_ invocation: Invocation) throws(PathProblem) {
    output = if let path = invocation.value("output") { try AtomicFile(path: path) } else { nil }
    events = if let path = invocation.value("events") { try EventsFile(path: path) } else { nil }
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
