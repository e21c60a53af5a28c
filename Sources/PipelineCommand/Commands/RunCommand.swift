internal import PipelineKit
internal import SQLiteJournals

/// `pipeline run`: from a workflow's file to its outputs.
struct RunCommand: WaitingCommand {
  private let inputs: InputOptions
  private let state: StateOptions
  private let settings: RunSettings
  private let format: OutputText.Format
  private let outputs: String?
  private let sinks: [String]
  private let events: String?
  private let reports: [String]
  private let recordings: RecordingOptions
  private let keepsAnswers: Bool
  private let only: [String]
  private let shown: String?
  private let checks: DescriptionChecks?
  private let display: DisplayOptions

  static let page = CommandPage(
    name: "run",
    summary: "Run a workflow and print its outputs",
    discussion: [
      "Only the outputs go to stdout; progress and failures go to stderr. An input's value comes"
        + " from the first of these that has one: --set, --inputs, its environment variable, for"
        + " a secret its source, the chosen environment, its default.",
      "The first Ctrl-C stops the run and runs its 'finally' steps. The second stops at once.",
    ],
    examples: [
      Example(
        line: "pipeline run workflows/users.json --set page=2",
        meaning: "Run with an input of your own"),
      Example(
        line: "pipeline run workflows/users.json --environment live -o users.json",
        meaning: "Run against the live API and keep the outputs"),
      Example(
        line: "pipeline run workflows/users.json -q | jq .total",
        meaning: "Pick from the outputs with another tool"),
      Example(
        line: "pipeline run order.json --each orders.csv -o results.json",
        meaning: "Run a workflow once for each row of a file"),
      Example(
        line: "pipeline run workflows/users.json --record users.har",
        meaning: "Record the run, for --replay and for tests"),
      Example(
        line: "pipeline run workflows/users.json --only list --show list",
        meaning: "Look at a response while you write extractors for it"),
    ])

  init(_ arguments: inout Arguments) {
    let file = arguments.workflow()
    inputs = InputOptions(&arguments)
    let each = arguments.each()
    state = StateOptions(&arguments)
    outputs = arguments.output()
    format = arguments.outputFormat()
    sinks = arguments.sinks()
    let concurrency = arguments.number(
      "concurrency", letter: "c", in: 1...10_000,
      help: "The maximum number of requests in flight, instead of the workflow's own limit")
    let allowed = arguments.allowedFolders()
    let folder = arguments.outputFolder()
    events = arguments.events()
    reports = arguments.reports()
    recordings = RecordingOptions(&arguments)
    keepsAnswers = arguments.flag(
      "keep-answers",
      help: "Keep all requests and answers with the run, for 'pipeline ui' and for tests; not with"
        + " --record or --replay")
    only = arguments.values(
      "only", "STEP", .step,
      help: "Run only STEP and the steps that it needs; print their values (repeatable)")
    shown = arguments.value(
      "show", "STEP", .step,
      help: "Show the response of STEP, or of one of its items: 'STEP[ITEM]'")
    checks = arguments.descriptionChecks()
    display = DisplayOptions(&arguments)
    settings = RunSettings(
      file: file, allowed: allowed, output: folder ?? ".", concurrency: concurrency,
      environment: state.environment, stateFile: state.file, each: each)
  }

  /// Why `--each` or `--keep-answers` cannot be carried out with `--only`; `nil` if they can.
  private var onlyProblem: String? {
    guard !only.isEmpty else { return nil }
    if keepsAnswers {
      return "a run of some steps is not kept, and neither are its answers; leave out --only, or"
        + " write --record FILE"
    }
    guard settings.each != nil else { return nil }
    return "--only names steps of one run, and --each makes many; leave one of them out"
  }

  func run(in program: Program) async -> ExitStatus {
    let console = program.console
    if let problem = display.problem ?? onlyProblem {
      console.complain(problem)
      return .usage
    }
    let destinations: Destinations
    let reports: ReportFiles
    let location: StoreLocation
    var settings = settings
    let recordings: OpenRecordings
    let shown: ShownStep?
    let id = program.runID ?? Run.randomID()
    do {
      destinations = try Destinations(output: outputs, events: events)
      reports = try ReportFiles(self.reports, command: "run")
      location = try StoreLocation(state.store, environment: console.environment)
      shown = if let option = self.shown { try ShownStep(option) } else { nil }
      recordings = try
        (keepsAnswers
        ? self.recordings.keeping(answersOf: id, in: state.store, console) : self.recordings).open()
      settings.sinks = try SinkRequest.all(sinks)
    } catch let error as PathProblem {
      let verb = error.path == self.recordings.replay ? "replay" : "write"
      console.complain("cannot \(verb) '\(error.path)': \(error.reason)")
      return .usage
    } catch let error as UsageError {
      console.complain(error.message)
      return .usage
    } catch {
      console.complain("\(error)")
      return .usage
    }
    if !recordings.isOffline { program.loadAhead(location.isFolder && only.isEmpty) }
    let run = ConsoleRun(
      program: program, inputs: inputs, store: state.store, destinations: destinations,
      format: format, display: display, reports: reports, recordings: recordings, only: only,
      shown: shown, checks: checks)
    return await run.carryOut(settings) { settings throws(JournalError) in
      // Nothing happened that another process could go on with, or not all that belongs to a run.
      if recordings.isOffline || !only.isEmpty { return nil }
      return try KeptRun.begin(
        in: location, state.store, settings, console, isQuiet: display.isQuiet, id: id)
    }
  }
}
