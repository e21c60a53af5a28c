internal import PipelineByteText
internal import PipelineJSONText
internal import PipelineKit
internal import PipelineRecordings
internal import PipelineReports
internal import PipelineSandboxServers
internal import PipelineSourceText
internal import PipelineWorkflows
internal import SQLiteJournals

/// A run on a console, new or resumed: from its settings to its exit status.
struct ConsoleRun: Sendable {
  let program: Program
  let inputs: InputOptions
  let store: StoreOptions
  let destinations: Destinations
  let format: OutputText.Format
  let display: DisplayOptions
  var reports = ReportFiles.none
  /// What the run is recorded in, and answered out of.
  var recordings = OpenRecordings(replayed: nil, file: nil, spool: nil)
  /// The steps that are run, with those that they need; empty: all.
  var only: [String] = []
  /// The step whose response is shown.
  var shown: ShownStep?

  var console: Console { program.console }

  /// Carries a run out: a new one, or one that its journal knows.
  ///
  /// - Parameter open: Opens the run's journal, when all else is known to be well.
  func carryOut(
    _ settings: RunSettings,
    open: (RunSettings) throws(JournalError) -> (any RunKeeping)?
  ) async -> ExitStatus {
    guard let (linted, whole) = plan(of: settings) else { return .invalid }
    if let problem = shown?.problem(in: linted) {
      console.complain(problem)
      return .usage
    }
    do throws(UsageError) {
      return await carryOut(settings, linted, try part(of: whole), open: open)
    } catch {
      console.complain(error.message)
      return .usage
    }
  }

  /// The plan of the steps that `--only` names, and of those that they need.
  private func part(of plan: Plan) throws(UsageError) -> Plan {
    if only.isEmpty { return plan }
    let ids = plan.workflow.block.steps.map(\.id.value)
    if let unknown = only.first(where: { name in !ids.contains { $0.equals(bytes: name) } }) {
      throw UsageError(
        message: "--only: the workflow has no step '\(unknown)'"
          + Spelling.didYouMean(unknown, among: ids))
    }
    guard let part = plan.part(of: only) else {
      throw UsageError(message: "--only: the steps cannot be run by themselves")
    }
    return part
  }

  /// The same for a file that was read.
  func carryOut(
    _ settings: RunSettings, _ linted: LintedWorkflow, _ plan: Plan,
    open: (RunSettings) throws(JournalError) -> (any RunKeeping)?
  ) async -> ExitStatus {
    var settings = settings
    if let handler = plan.handlers.first {
      console.complain(handler.refusal)
      return .invalid
    }
    guard
      let arguments = InputArguments.read(inputs, of: plan.workflow, console)
    else { return .invalid }
    let sinks: RunSinks
    do throws(UsageError) {
      sinks = try RunSinks(
        settings.sinks, of: plan, besides: destinations.output.map { [$0] } ?? [],
        environment: console.environment)
    } catch {
      console.complain(error.message)
      return .usage
    }
    var options = program.runOptions
    options.rowTaps = sinks.taps
    options.concurrency = settings.concurrency
    options.environment = settings.environment
    options.part = settings.part
    guard let files = files(of: plan, settings) else { return .usage }
    options.files = files
    let sandbox: SandboxServer?
    do throws(SandboxError) {
      let (inputs, _) = plan.inputs(given: arguments.values, options: options)
      let isNeeded = linted.namesSandbox || inputs.namesSandbox || settings.sandboxPort != 0
      sandbox =
        isNeeded && !recordings.isOffline ? try Self.startSandbox(port: settings.sandboxPort) : nil
      settings.sandboxPort = sandbox?.port ?? 0
    } catch {
      console.complain("cannot serve the sandbox: \(error.description)")
      return .failure
    }
    defer { sandbox?.stop() }
    options.sandboxOrigin = sandbox?.origin ?? (recordings.isOffline ? OriginAlias.sandbox : nil)
    if recordings.isOffline {
      options.clock = VirtualClock(
        wallTime: recordings.replayed?.run?.startedAt ?? program.clock.wallTime)
    }
    let printer = self.printer
    // The display and the file get them as they happen.
    options.keptEvents = 0
    let tracing = tracing()
    options.observer = Self.both(observer(printer), tracing.map { $0.receive })
    // What is recorded or replayed is the same with and without tracing.
    if recordings.file == nil, recordings.replayed == nil { options.tracing = tracing?.requests }
    let rows = RowLines(console.output)
    if format == .ndjson, destinations.output == nil, sinks.leaveOutputs {
      options.rowReader = { row in rows.write(row) }
    }
    let transports = recordings.transport(
      over: program.transport, sandbox: sandbox?.origin, clock: options.clock as? VirtualClock)
    let transport =
      shown?.watching(transports.transport, sandbox: sandbox?.origin) ?? transports.transport
    var pipeline = Pipeline(plan, transport: transport, options: options)
    let keeping: StateKeeping
    let kept: (any RunKeeping)?
    do {
      if settings.isNew { try pipeline.check(inputs: arguments.values) }
      keeping =
        !settings.givesOutputs
        ? .none : recordings.isOffline ? replayedState : try state(of: plan, settings, options)
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
    defer { kept?.close() }
    pipeline.options.state = keeping.state
    Self.write(to: kept, &pipeline.options)
    let trace =
      reports.isEmpty && kept?.keepsTrace != true ? nil : KeptTrace(kept, clock: program.clock)
    if let trace {
      pipeline.options.observer = Self.both(pipeline.options.observer, trace.receive)
    }
    if kept == nil { pipeline.options.runID = recordings.replayed?.run?.id }
    // What a cache answers would be missing in a recording, and could not be shown.
    let isRecorded = recordings.file != nil || recordings.replayed != nil || shown != nil
    let cache = linted.usesCache && !isRecorded ? makeCache() : nil
    pipeline.options.cache = cache
    let begun = begun(linted, pipeline.options)
    if recordings.file != nil, let id = begun?.id { pipeline.options.runID = id }
    func performed() async -> ExitStatus {
      await perform(
        pipeline.run(inputs: arguments.values), settings, sinks, printer, rows, tracing, keeping,
        kept, trace)
    }
    let status =
      if let tracing { await tracing.send(during: performed) } else { await performed() }
    if let unsent = await tracing?.finish() { note(unsent) }
    if let problem = cache?.problem { note(problem) }
    return finish(transports, begun, status)
  }

  /// Has a run written down, and leaves the journal open for the state that the run gives.
  private static func write(to kept: (any RunKeeping)?, _ options: inout RunOptions) {
    options.journal = kept?.journal
    options.observer = both(options.observer, kept?.observer)
    options.runID = kept?.id
    options.leavesJournalOpen = true
  }

  /// The files that the run may reach; `nil` if a folder cannot be used, which is then reported.
  private func files(of plan: Plan, _ settings: RunSettings) -> FolderFiles? {
    do throws(FileError) {
      return try FolderFiles(
        workflow: plan.workflow.source.name, allowing: settings.allowed, output: settings.output,
        hint: "; see --allow-dir")
    } catch {
      console.complain(error.message)
      return nil
    }
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
    note("no response is kept for later runs: \(problem.message)")
  }

  private func note(_ message: String) {
    if !display.isQuiet { console.error.write("note: \(message)\n") }
  }

  /// What sends spans of the run; `nil`: nobody wants them, or they cannot be sent.
  private func tracing() -> SpanExporter? {
    // A replay has no times of its own.
    if recordings.isOffline { return nil }
    let version = program.table.version
    switch TracingSettings.wish(console.environment, version: version) {
    case .off: return nil
    case .refused(let reason):
      note("no spans are sent: \(reason)")
      return nil
    case .on(let settings):
      for problem in settings.notes { note(problem) }
      return SpanExporter(
        settings, transport: program.transport(), clock: program.clock, version: version)
    }
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
    var options = program.runOptions
    options.files = try FolderFiles(
      workflow: plan.workflow.source.name, allowing: settings.allowed, output: settings.output)
    options.journal = journal
    return (Pipeline(plan, transport: program.transport(), options: options), arguments.values)
  }

  /// The workflow, linted, and its plan; `nil`, once it was said why, if there is none.
  func plan(of settings: RunSettings) -> (LintedWorkflow, Plan)? {
    PlanSource(console: console, color: display.color, isQuiet: display.isQuiet).plan(
      at: settings.file, allowing: settings.allowed, to: "run")
  }

  private func complain(_ error: InputError) {
    for problem in error.problems {
      let way =
        problem.isMissing
        ? "; give it with --set \(problem.name)=…" : problem.isStandIn ? " with --replay" : ""
      console.complain(problem.message + way)
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

  private static func both(
    _ first: (@Sendable (RunEvent) -> Void)?, _ second: (@Sendable (RunEvent) -> Void)?
  ) -> (@Sendable (RunEvent) -> Void)? {
    guard let first, let second else { return first ?? second }
    return { event in
      first(event)
      second(event)
    }
  }

  private func perform(
    _ run: Run, _ settings: RunSettings, _ sinks: RunSinks, _ printer: RunPrinter,
    _ rows: RowLines, _ tracing: SpanExporter?, _ keeping: StateKeeping,
    _ kept: (any RunKeeping)?, _ trace: KeptTrace?
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
        if let shown {
          console.error.write(
            shown.text(colored: console.isColored(console.error, color: display.color)))
        }
        let status = deliver(result, settings, sinks, interruption)
        var ended = keep(result, keeping, interruption, status)
        if result != nil, let trace = trace?.finish() {
          if !reports.write(trace, console), ended == .success { ended = .failure }
        }
        guard let kept, let result else { return ended }
        return await kept.end(result.report, ended, console, isQuiet: display.isQuiet)
      }
      group.addTask { [clock = program.clock] in
        // What is drawn follows the clock, not only events: a bar's rate, a slow step's seconds.
        while (try? await clock.sleep(for: .milliseconds(80))) != nil {
          printer.redraw()
          rows.flush()
          destinations.events?.flush()
          trace?.keepIfDue()
        }
        return nil
      }
      if let tracing {
        group.addTask {
          await tracing.wake()
          return nil
        }
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

  private var printer: RunPrinter {
    let detail: RunPrinter.Detail =
      display.isQuiet ? .failuresOnly : display.isVerbose ? .requests : .steps
    return RunPrinter(
      stream: console.error, detail: detail,
      isLive: Coloring.isLive(console.error, environment: console.environment),
      renderer: console.renderer(for: console.error, color: display.color),
      clock: program.clock)
  }
}

extension LintedWorkflow {
  /// Whether a step of the file, or of one that it runs, has a cache.
  fileprivate var usesCache: Bool {
    workflow?.usesCache ?? false || callees.values.contains { $0.usesCache }
  }

  /// Whether an address of the sandbox is written in the file, or in one that it runs.
  var namesSandbox: Bool {
    workflow?.namesSandbox ?? false || callees.values.contains { $0.namesSandbox }
  }
}

extension HandlerUse {
  /// Why the command cannot run the workflow.
  var refusal: String {
    "step '\(step)' calls 'swift:\(name)', which is code of an app; the app runs this workflow with"
      + " PipelineKit, and 'pipeline test' runs it with answers in place of the code"
  }
}
