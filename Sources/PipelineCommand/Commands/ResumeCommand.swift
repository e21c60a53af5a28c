internal import PipelineByteText
internal import PipelineJSONText
internal import PipelineKit
internal import PipelineLanguage
internal import PipelinePlanning
internal import PipelineSourceText
internal import SQLiteJournals

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// `pipeline resume`: continues a run whose process has ended.
struct ResumeCommand: WaitingCommand {
  /// The run's id, or the beginning of it, or its workflow's file; `nil` for the only one that may
  /// be meant.
  private let name: String?
  /// Whether it is only shown what would be done.
  private let plansOnly: Bool
  /// The steps that are carried out again.
  private let again: [String]
  private let settlements: SettlementOptions
  /// Where the workflow is now; `nil` if it is where it was.
  private let file: String?
  private let inputs: InputOptions
  private let outputs: String?
  private let format: OutputText.Format
  private let sinks: [String]
  private let events: String?
  private let reports: [String]
  private let checks: DescriptionChecks?
  private let storeOptions: StoreOptions
  private let display: DisplayOptions

  static let page = CommandPage(
    name: "resume",
    summary: "Go on with a run that failed or was interrupted",
    discussion: [
      "Takes the values of all requests that were carried out, and sends the others. You may have"
        + " edited the file: what has changed is sent again, and so is what follows from it. A"
        + " request that must not be sent twice is never sent again by itself: if only its"
        + " extractors or expectations have changed, its recorded answer is read again.",
      "With FILE, resumes the newest run of that workflow that has not succeeded. Without RUN or"
        + " FILE, resumes the newest such run, if no other workflow has any. A request is in doubt"
        + " if it must not be sent twice and may have arrived, or was carried out in another form."
        + " Then nothing is sent until --settle says what becomes of it.",
    ],
    examples: [
      Example(
        line: "pipeline resume nightly.json",
        meaning: "Go on with the newest run of a workflow that has not succeeded"),
      Example(line: "pipeline resume k3f9 --plan", meaning: "Look before anything is sent"),
      Example(
        line: "pipeline resume k3f9 --settle 'create[3]=again'",
        meaning: "Send a request again whose outcome nobody knows"),
    ])

  init(_ arguments: inout Arguments) {
    name = arguments.optionalOperand(
      "RUN|FILE", .run,
      help: "The run's id, or the beginning of it, or its workflow's file: a word with '/' or"
        + " '.json'")
    plansOnly = arguments.flag(
      "plan", help: "Show what would be taken and what would be sent; send nothing")
    again = arguments.values(
      "again", "STEP", .any,
      help: "Carry out this step again, with everything inside it (repeatable)")
    settlements = SettlementOptions(&arguments)
    file = arguments.value(
      "file", "FILE", .file(ending: ".json"), help: "The workflow's file, if it has been moved")
    inputs = InputOptions(&arguments)
    outputs = arguments.output()
    format = arguments.outputFormat()
    sinks = arguments.sinks()
    events = arguments.events()
    reports = arguments.reports()
    checks = arguments.descriptionChecks()
    storeOptions = StoreOptions(needed: &arguments)
    display = DisplayOptions(&arguments)
  }

  func run(in program: Program) async -> ExitStatus {
    let console = program.console
    if let problem = display.problem {
      console.complain(problem)
      return .usage
    }
    let destinations: Destinations
    let reports: ReportFiles
    let store: RunStore
    do {
      store = try RunStore.of(storeOptions, console)
      destinations = try Destinations(output: outputs, events: events)
      reports = try ReportFiles(self.reports, command: "resume")
    } catch let error as PathProblem {
      console.complain("cannot write '\(error.path)': \(error.reason)")
      return .usage
    } catch {
      return console.complain(of: error)
    }
    let stored: StoredRun
    do throws(NothingToResume) {
      stored = try store.runToResume(
        name, repeats: !again.isEmpty, storeOptions, program)
    } catch {
      return error.status
    }
    if !plansOnly { program.loadAhead(true) }
    var run = ConsoleRun(
      program: program, inputs: inputs, store: storeOptions, destinations: destinations,
      format: format, display: display, reports: reports, checks: checks)
    do {
      if !plansOnly, let answers = store.answers(ofRun: stored.id) {
        run.recordings = try OpenRecordings(continuing: answers)
      }
      let journal = try store.open(id: stored.id)
      defer { journal.close() }
      let kept = KeptRun(
        store: store, id: stored.id, file: journal, options: storeOptions)
      guard let record = try journal.history().run else {
        console.complain(
          "the journal of run '\(kept.shortID)' has lost the run's beginning, so the run cannot go"
            + " on; 'pipeline run \(stored.file)' would send everything again")
        return .failure
      }
      var settings = try RunSettings(record) { try journal.value(of: $0) }
      if !sinks.isEmpty { settings.sinks = try SinkRequest.all(sinks) }
      if let file { settings.file = file }
      if settings.file == "-" {
        console.complain(
          "the workflow of run '\(kept.shortID)' came from stdin, and is not kept; name a file that"
            + " holds it with --file")
        return .failure
      }
      guard access(settings.file, F_OK) == 0 else {
        console.complain(
          "the workflow of run '\(kept.shortID)' is not at '\(settings.file)'; name its file with"
            + " --file")
        return .invalid
      }
      // Nothing is written down unless every option makes sense, and every input is there.
      guard let (linted, plan) = run.plan(of: settings) else { return .invalid }
      for step in again { try check(again: step, in: plan) }
      var settled: [(SendingRecord, Settlement)] = []
      if settlements.isGiven || !again.isEmpty {
        guard let changed = try await run.rehearsal(plan, settings, journal)?.changed else {
          return .invalid
        }
        settled = try settlements.settlements(in: try journal.history(), changed: changed, plan)
      }
      // A plan shows what the options would change, and changes nothing.
      if plansOnly { try journal.forgetChanges() }
      if file != nil { try settings.keepFile(in: journal) }
      for step in again { journal.append(.again(step: step)) }
      try await SettlementOptions.write(settled, to: journal)
      if plansOnly { return try await show(plan, run, settings, kept) }
      let doubts = try journal.history().openDoubts(in: plan)
      guard doubts.isEmpty else {
        console.error.write(kept.doubtText(doubts))
        for step in again where doubts.contains(where: { $0.unit.step.isStep(in: step) }) {
          console.error.write(
            line: "note: '--again \(step)' does not decide about a request in doubt; --settle does")
        }
        return .inDoubt
      }
      return await run.carryOut(settings, linted, plan) { _ in kept }
    } catch let error as InputError {
      run.complain(error)
      return .invalid
    } catch {
      return console.complain(of: error)
    }
  }

  // MARK: --again

  /// How many steps of a file are searched for a name that was meant.
  private static let searchedSteps = 10_000

  /// - Throws: `UsageError` if the file, and those it calls, have no such step.
  private func check(again name: String, in plan: Plan) throws(UsageError) {
    if plan.hasStep(at: name) { return }
    let whole = Self.withoutItems(name)
    if plan.hasStep(at: whole) {
      throw UsageError(
        message: "--again takes a step with all of its items, and not '\(name)'; write"
          + " --again \(whole)")
    }
    let paths = plan.stepPaths(upTo: Self.searchedSteps)
    let inner = paths.first { $0.hasSuffix(bytes: "." + name) }
    let near =
      inner.map { "; did you mean '\($0)'?" } ?? Spelling.didYouMean(name, among: paths)
    let known =
      "; its steps are " + paths.prefix(8).joined(separator: ", ")
      + (paths.count > 8 ? ", …" : "")
    throw UsageError(
      message: "--again: the workflow has no step '\(name)'" + (near.isEmpty ? known : near))
  }

  /// `pack.box` for `pack[3].box`.
  private static func withoutItems(_ name: String) -> String {
    let parts = name.split(ascii: "[", omittingEmptySubsequences: false)
    let rest = parts.dropFirst().map { part in
      part.dropFirst(bytes: part.prefix(before: "]").utf8.count + 1)
    }
    return (parts.prefix(1) + rest).joined()
  }

  // MARK: --plan

  /// Prints the units that would be taken and those that would be carried out.
  private func show(
    _ plan: Plan, _ run: ConsoleRun, _ settings: RunSettings, _ kept: KeptRun
  ) async throws -> ExitStatus {
    let console = run.program.console
    guard let rehearsal = try await run.rehearsal(plan, settings, kept.journal) else {
      return .invalid
    }
    let doubts = try kept.journal.history().openDoubts(in: plan) + rehearsal.changed
    var rows: [[String]] = []
    for step in rehearsal.steps {
      let count = step.carriedOut.values.reduce(0, +)
      let reasons = Rehearsal.Reason.allCases.compactMap { reason in
        step.carriedOut[reason].map { Self.text(reason, $0, of: count) }
      }
      let words = { (counts: [(count: Int, word: String)]) in
        counts.filter { $0.count > 0 }.map { "\($0.count) \($0.word)" }.joined(separator: ", ")
      }
      rows.append([
        step.id, words([(step.taken, "taken"), (step.readAgain, "read again")]),
        words([(count, "carried out"), (step.waiting, "in doubt")]),
        reasons.joined(separator: ", "),
      ])
    }
    let later = Self.followers(of: rehearsal, in: plan)
    console.output.write(
      Cells.printable("pipeline resume \(kept.shortID) would go on with '\(plan.workflow.name)':")
        + "\n"
        + TextTable(rows: rows, indentation: 2).text
        + "Steps that read what is carried out follow when it is known"
        + (later.isEmpty ? "" : ": " + later.joined(separator: ", ")) + ".\n")
    guard doubts.isEmpty else {
      console.error.write(kept.doubtText(doubts))
      return .inDoubt
    }
    return .success
  }

  /// The steps that follow a step which is carried out, and are not listed themselves.
  private static func followers(of rehearsal: Rehearsal, in plan: Plan) -> [String] {
    // By the paths of steps, and of what is around them.
    var carriedOut: [String: Int] = [:]
    for step in rehearsal.steps {
      let count = step.waiting + step.carriedOut.values.reduce(0, +)
      var path = ""
      for id in step.id.split(ascii: ".") {
        path += (path.isEmpty ? "" : ".") + id
        carriedOut[path, default: 0] += count
      }
    }
    return followers(of: carriedOut, in: plan.root, prefix: "")
  }

  private static func followers(
    of carriedOut: [String: Int], in block: BlockPlan, prefix: String
  ) -> [String] {
    let paths = block.steps.prefix(block.mainCount).map { prefix + $0.step.pathID }
    var isLater = [Bool](repeating: false, count: block.steps.count)
    for number in block.graph.topologicalOrder where number < paths.count {
      guard isLater[number] || carriedOut[paths[number], default: 0] > 0 else { continue }
      for follower in block.graph.followers[number] { isLater[follower] = true }
    }
    return paths.indices.flatMap { number -> [String] in
      guard let count = carriedOut[paths[number]] else {
        return isLater[number] ? [paths[number]] : []
      }
      guard count > 0, let inner = block.steps[number].within else { return [] }
      return followers(of: carriedOut, in: inner, prefix: paths[number] + ".")
    }
  }

  private static func text(_ reason: Rehearsal.Reason, _ count: Int, of all: Int) -> String {
    let text =
      switch reason {
      case .unfinished: "not done before"
      case .changed: "changed, or reads what has changed"
      case .secret: "its values are secret and were not kept"
      }
    return count == all ? text : "\(count) \(text)"
  }
}

extension String {
  /// Whether it is the path of a step or of one inside it.
  fileprivate func isStep(in path: String) -> Bool {
    equals(bytes: path) || hasPrefix(bytes: path + ".")
  }
}
