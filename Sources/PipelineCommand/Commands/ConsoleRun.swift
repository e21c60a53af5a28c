internal import PipelineByteText
internal import PipelineFormats
internal import PipelineHTTPServers
internal import PipelineJSONText
internal import PipelineKit
internal import PipelineLanguage
internal import PipelineLint
internal import PipelinePlanning
internal import PipelineRecordings
internal import PipelineReports
internal import PipelineSandboxServers
internal import PipelineSourceText
internal import PipelineTesting
internal import SQLiteJournals

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// A run on a console, new or resumed: from its settings to its exit status.
struct ConsoleRun: Sendable {
  let program: Program
  let inputs: InputOptions
  let store: StoreOptions
  let destinations: Destinations
  let format: OutputText.Format
  let display: DisplayOptions
  var reports = ReportFiles.none
  /// The recordings that the run writes and is answered from.
  var recordings = OpenRecordings(replayed: nil, file: nil, spool: nil)
  /// The steps to run, with the steps that they need; empty: all.
  var only: [String] = []
  /// The step whose response is shown.
  var shown: ShownStep?
  /// What is done with responses that are not as described; `nil` if they are not compared.
  var checks: DescriptionChecks?
  /// Whether it is a part of a run, whose journal is in the run's folder and not in a store.
  var isPart = false

  var console: Console { program.console }

  /// Carries a run out: a new one, or one that its journal knows.
  ///
  /// - Parameter open: Opens the run's journal, after everything else was found to be correct.
  func carryOut(
    _ settings: RunSettings,
    open: (RunSettings) throws(JournalError) -> (any RunKeeping)?
  ) async -> ExitStatus {
    guard let (linted, whole) = plan(of: settings) else { return .invalid }
    do throws(UsageError) {
      if let problem = shown?.problem(in: linted) { throw UsageError(message: problem) }
      let part = try part(of: whole)
      if let problem = shown?.problem(inPart: part.workflow.block, of: whole.workflow.block) {
        throw UsageError(message: problem)
      }
      return await carryOut(settings, linted, part, open: open)
    } catch {
      console.complain(error.message)
      return .usage
    }
  }

  /// The plan of the steps that `--only` names, and of the steps that they need.
  private func part(of plan: Plan) throws(UsageError) -> Plan {
    if only.isEmpty { return plan }
    let ids = plan.workflow.block.steps.map(\.id.value)
    if let unknown = only.first(where: { name in !ids.contains { $0.equals(bytes: name) } }) {
      throw UsageError(message: "--only: " + Self.refusal(of: unknown, in: plan.workflow.block))
    }
    guard let part = plan.part(of: only) else {
      throw UsageError(message: "--only: the steps cannot be run by themselves")
    }
    return part
  }

  /// Why a name does not name a step that can be run by itself.
  private static func refusal(of name: String, in block: Block) -> String {
    let ids = block.steps.map(\.id.value)
    let owner = String(name.prefix(before: ".", "["))
    if !owner.equals(bytes: name), ids.contains(where: { $0.equals(bytes: owner) }) {
      return "only steps of the file itself can be run, as a whole: write --only \(owner), and"
        + " --show '\(name)' for a response inside it"
    }
    if block.finally.contains(where: { $0.id.value.equals(bytes: name) }) {
      return "'\(name)' is a step of 'finally', which runs with the steps that it reads"
    }
    if name.contains(bytes: ",") { return "'\(name)' is not a step; repeat --only for each step" }
    return "the workflow has no step '\(name)'" + Spelling.didYouMean(name, among: ids)
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
    // A part has perhaps not the step that asks.
    let wrong = isPart ? [] : plan.problems(withAnswers: plan.read(answers: arguments.answers))
    guard wrong.isEmpty else {
      for problem in wrong { console.complain("--answer: " + problem.message) }
      return .usage
    }
    if let problem = linted.problem(withRowsOf: settings.each, and: arguments) {
      console.complain(problem)
      return .invalid
    }
    let sinks: RunSinks
    let contracts = RowContract.all(of: plan.workflow)
    do throws(UsageError) {
      try checkFiles(of: plan, settings)
      sinks = try RunSinks(
        settings.sinks, of: plan, environment: console.environment, contracts: contracts)
    } catch {
      console.complain(error.message)
      return .usage
    }
    var options = program.runOptions
    options.rowTaps = sinks.taps
    options.rowStep = settings.each.map { _ in RowsWorkflow.step }
    options.contracts = contracts
    options.concurrency = settings.concurrency
    options.answers = recordedAnswers.merging(plan.read(answers: arguments.answers)) { $1 }
    options.environment = settings.environment
    options.part = settings.part
    options.mayWait = !isPart
    guard let files = files(of: plan, settings) else { return .usage }
    options.files = files
    if let checks {
      guard let found = checks.checks(of: linted, allowing: settings.allowed, console) else {
        return .usage
      }
      options.responseChecks = found
    }
    guard await fillSecrets(of: plan, given: arguments, &options) else { return .invalid }
    options.logins = logins
    options.loginCommand =
      LoginWords(
        file: settings.file, environment: settings.environment, inputs, store, of: plan.workflow
      ).command
    let sandbox: SandboxServer?
    do throws(ServerError) {
      let (given, _) = plan.inputs(
        given: withStandIns(arguments.values, of: plan, options), options: options)
      sandbox = try self.sandbox(isNamed: linted.namesSandbox || given.namesSandbox, settings)
    } catch {
      console.complain("cannot serve the sandbox: \(error.description)")
      return .failure
    }
    defer { sandbox?.stop() }
    settings.sandboxPort = sandbox?.port ?? 0
    let rows = RowLines(console.json)
    if format == .ndjson, destinations.output == nil, sinks.leaveOutputs {
      options.rowReader = { row in rows.write(row) }
    }
    return await begin(
      plan, linted, settings, options, withStandIns(arguments.values, of: plan, options), sinks,
      rows, sandbox, open: open)
  }

  /// Begins a run whose files, sinks and sandbox are ready, and awaits its end.
  private func begin(
    _ plan: Plan, _ linted: LintedWorkflow, _ settings: RunSettings, _ options: RunOptions,
    _ inputs: [String: JSONValue], _ sinks: RunSinks, _ rows: RowLines,
    _ sandbox: SandboxServer?,
    open: (RunSettings) throws(JournalError) -> (any RunKeeping)?
  ) async -> ExitStatus {
    var options = options
    let printer = self.printer
    observe(&options, printer, speaks: plan.speaks)
    if !isPart, !recordings.isOffline, let terminal = console.input {
      options.asker =
        TerminalAsker(
          terminal, console.error, printer, clock: program.clock
        ).ask
    }
    let transports = transports(&options, sandbox)
    let transport =
      shown?.watching(transports.transport, sandbox: sandbox?.origin) ?? transports.transport
    var pipeline = Pipeline(plan, transport: transport, options: options)
    let keeping: StateKeeping
    let kept: (any RunKeeping)?
    do throws(Refusal) {
      (keeping, kept) = try keep(pipeline, plan, settings, inputs, open: open)
    } catch {
      return error.status
    }
    defer { kept?.close() }
    pipeline.options.state = keeping.state
    Self.write(to: kept, &pipeline.options)
    let trace = KeptTrace(
      kept, hasReports: !reports.isEmpty, rowStep: settings.each.map { _ in RowsWorkflow.step })
    if let trace {
      pipeline.options.observer = Self.both(pipeline.options.observer, trace.receive)
    }
    if kept == nil { pipeline.options.runID = recordings.replayed?.run?.id ?? program.runID }
    if !recordings.isOffline {
      pipeline.options.quotas = KeptQuotas(
        in: isPart ? .standard : store, environment: console.environment, console.files)
      pipeline.options.announcedLimits = KeptLimits(
        in: isPart ? .standard : store, environment: console.environment)
    }
    let cache = cache(of: linted)
    pipeline.options.cache = onlyDrops ? cache.map(InvalidatedCache.init) : cache
    var begun = begun(linted, pipeline.options)
    let answers = AnswerLog()
    if recordings.file != nil { pipeline.options.answerReader = answers.note }
    if recordings.file != nil, let id = begun?.id { pipeline.options.runID = id }
    let id = pipeline.options.runID ?? Run.randomID()
    pipeline.options.runID = id
    let tracing = tracing(of: id)
    sendSpans(of: &pipeline.options, tracing)
    let status = await perform(
      RunUnderWay(
        run: pipeline.run(inputs: inputs), settings: settings, sinks: sinks,
        printer: printer, rows: rows, tracing: tracing, keeping: keeping, kept: kept,
        trace: trace))
    if let unsent = await tracing?.finish() { note(unsent) }
    if let problem = cache?.problem { note(problem) }
    if let answers = answers.node {
      begun = begun ?? RecordedRun()
      begun?.answers = answers
    }
    return finish(transports, begun, status)
  }

  /// A run does not begin, for a reason that has been reported.
  private struct Refusal: Error {
    let status: ExitStatus
  }

  /// Checks the inputs, and opens the state and the journal of the run.
  private func keep(
    _ pipeline: Pipeline, _ plan: Plan, _ settings: RunSettings, _ inputs: [String: JSONValue],
    open: (RunSettings) throws(JournalError) -> (any RunKeeping)?
  ) throws(Refusal) -> (StateKeeping, (any RunKeeping)?) {
    do {
      if settings.isNew { try pipeline.check(inputs: inputs) }
      let keeping: StateKeeping =
        !settings.givesOutputs
        ? .none
        : recordings.isOffline ? replayedState : try state(of: plan, settings, pipeline.options)
      return (keeping, try open(settings))
    } catch let error as InputError {
      complain(error)
      throw Refusal(status: .invalid)
    } catch let error as StateProblem {
      throw Refusal(status: console.complain(error))
    } catch {
      console.complain("\(error)")
      throw Refusal(status: .failure)
    }
  }

  /// Writes a run down, and leaves the journal open for the state that the run gives.
  private static func write(to kept: (any RunKeeping)?, _ options: inout RunOptions) {
    options.journal = kept?.journal
    options.observer = both(options.observer, kept?.observer)
    options.maySend = kept?.maySend
    options.sharing = kept?.sharing
    options.runID = kept?.id
    options.leavesJournalOpen = true
    if let kept {
      options.rowFolder = kept.rowFolder
    } else {
      let folder = options.variables["TMPDIR"] ?? ""
      options.rowFolder = folder.isEmpty ? "/tmp" : folder
    }
  }

  /// What happens to the workflow's state.
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
        "note: the state is not the one that this run began with, so this run leaves none\n")
      return .none
    }
    if let note = keeping.note(plan.workflow), !display.isQuiet {
      console.error.write(note)
    }
    return keeping
  }

  /// What a run would do that goes on from a journal, with the inputs that are given again; `nil`
  /// if these, or secrets, cannot be read, which is then reported.
  func rehearsal(
    _ plan: Plan, _ settings: RunSettings, _ journal: any Journal
  ) async throws -> Rehearsal? {
    guard let arguments = InputArguments.read(inputs, of: plan.workflow, console) else {
      return nil
    }
    var options = program.runOptions
    guard await fillSecrets(of: plan, given: arguments, &options) else { return nil }
    options.files = try settings.files(of: plan.workflow)
    options.journal = journal
    options.part = settings.part
    options.sandboxOrigin = "http://127.0.0.1:\(max(1, settings.sandboxPort))"
    return try Pipeline(plan, transport: program.transport(), options: options)
      .rehearse(inputs: arguments.values)
  }

  /// The workflow, linted, and its plan; `nil` if there is none, which is then reported.
  func plan(of settings: RunSettings) -> (LintedWorkflow, Plan)? {
    PlanSource(console: console, color: display.color, isQuiet: display.isQuiet).plan(
      at: settings.file, allowing: settings.allowed, each: settings.each, to: "run")
  }

  func complain(_ error: InputError) {
    for problem in error.problems { console.complain(problem.message + problem.way) }
  }
}

extension InputProblem {
  /// What helps, after the message. Other users see arguments, so a secret is not one.
  var way: String {
    if isStandIn { return " with --replay" }
    if let text, BodyFormat(fileName: text) != nil {
      return "; --set \(name)=@\(text) takes what that file has"
    }
    guard isMissing else { return "" }
    guard isSecret else { return "; give it with --set \(name)=…" }
    return variable.map { "; set \($0), or name its source in ~/.config/pipeline/secrets.json" }
      ?? "; give it with --inputs FILE"
  }
}

extension LintedWorkflow {
  /// Whether an address of the sandbox is written in the file, or in one that it runs.
  var namesSandbox: Bool {
    files.contains { $0.workflow?.namesSandbox == true }
  }
}

extension HandlerUse {
  /// Why the command cannot run the workflow.
  var refusal: String {
    "step '\(step)' calls 'swift:\(name)', which is code of an app; the app runs this workflow with"
      + " PipelineKit, and 'pipeline test' runs it with answers in place of the code"
  }
}
