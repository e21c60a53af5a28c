internal import PipelineByteText
internal import PipelineJSONText
internal import PipelineKit
internal import PipelineLanguage
internal import PipelineLint
internal import PipelinePlanning
internal import SQLiteJournals

/// `pipeline part`: one part of a run that an engine spreads over machines.
struct PartCommand: WaitingCommand {
  private let action: Action?
  private let file: String
  private let folderPath: String?
  private let step: String?
  private let shard: String?
  private let share: String?
  private let limitsPath: String?
  private let settlements: SettlementOptions
  private let inputs: InputOptions
  private let each: String?
  private let environment: String?
  private let stateFile: String?
  private let allowed: [String]
  private let outputFolder: String?
  private let outputs: String?
  private let format: OutputText.Format
  private let events: String?
  private let display: DisplayOptions

  private enum Action: String, WordChoice {
    case begin, items, run, settle, finish
  }

  static let page = CommandPage(
    name: "part",
    summary: "Carry out one part of a run that is spread over machines",
    discussion: [
      "An engine such as Airflow, Slurm or make schedules the parts. 'begin' prints them, 'items'"
        + " prints how many items a collection has, 'run' carries out one step or one shard of it,"
        + " 'settle' lists what is in doubt and takes --settle, and 'finish' runs the 'finally' steps"
        + " and prints the outputs. All processes see one folder. See docs/distribution.md.",
      "A part may be started any number of times. A part that is done does nothing.",
    ],
    examples: [
      Example(
        line: "pipeline part begin export.json --folder /shared/run-1",
        meaning: "Begin a run and print its parts"),
      Example(
        line: "pipeline part run export.json --folder /shared/run-1 --step user --shard 3/16",
        meaning: "Carry out every sixteenth item of a step, from the third on"),
      Example(
        line: "pipeline part finish export.json --folder /shared/run-1 -o users.json",
        meaning: "End the run and keep its outputs"),
    ])

  init(_ arguments: inout Arguments) {
    action = arguments.choiceOperand("ACTION", help: "begin, items, run, settle or finish")
    file = arguments.operand("FILE", .file(ending: ".json"), help: "The workflow's file")
    folderPath = arguments.value(
      "folder", "DIR", .folder, help: "The folder that all processes of the run see")
    step = arguments.value("step", "STEP", .any, help: "The step to carry out")
    shard = arguments.value(
      "shard", "I/N", .any,
      help: "Carry out only the items I, I+N, I+2N, …; 'auto' takes I and N from the engine")
    share = arguments.value(
      "share", "A/B", .any,
      help: "Use this fixed share of the limits, such as the rate, instead of what is free")
    limitsPath = arguments.value(
      "limits", "DIR", .folder,
      help: "Share the limits with all processes that name DIR, also those of other runs, not only"
        + " with those of this run")
    settlements = SettlementOptions(&arguments)
    inputs = InputOptions(&arguments)
    each = arguments.each()
    environment = arguments.environment(
      help: "Use the inputs of this environment of the workflow; for 'begin'")
    stateFile = arguments.stateFile()
    allowed = arguments.allowedFolders()
    outputFolder = arguments.outputFolder()
    outputs = arguments.output()
    format = arguments.outputFormat()
    events = arguments.events()
    display = DisplayOptions(&arguments)
  }

  func run(in program: Program) async -> ExitStatus {
    let console = program.console
    do {
      if let problem = display.problem { throw UsageError(message: problem) }
      guard let folderPath else {
        throw UsageError(message: "part needs --folder DIR, which all processes of the run see")
      }
      let folder = PartFolder(path: folderPath)
      let run = ConsoleRun(
        program: program, inputs: inputs, store: StoreOptions.none,
        destinations: try Destinations(output: outputs, events: events), format: format,
        display: display, isPart: true)
      switch action {
      case .begin: return try begin(folder, run)
      case .items: return try await items(folder, run)
      case .run, nil: return try await carryOut(.step(try needed(step)), folder, run)
      case .settle: return try await settle(folder, console)
      case .finish: return try await carryOut(.finish, folder, run)
      }
    } catch let error as UsageError {
      console.complain(error.message)
      return .usage
    } catch let error as PartFolder.Problem {
      console.complain(error.description)
      return error.status
    } catch let error as InputError {
      for problem in error.problems { console.complain(problem.message + problem.way) }
      return .invalid
    } catch let error as StateProblem {
      return console.complain(error)
    } catch let error as PathProblem {
      console.complain("cannot write '\(error.path)': \(error.reason)")
      return .usage
    } catch {
      console.complain("\(error)")
      return .failure
    }
  }

  private func needed(_ step: String?) throws(UsageError) -> String {
    guard let step else {
      throw UsageError(message: "part \(action?.rawValue ?? "run") needs --step STEP")
    }
    return step
  }

  // MARK: begin

  /// Writes down what the run is, and prints its parts.
  private func begin(_ folder: PartFolder, _ run: ConsoleRun) throws -> ExitStatus {
    let console = run.program.console
    guard let (_, plan) = source(console),
      let arguments = InputArguments.read(inputs, of: plan.workflow, console)
    else { return .invalid }
    var options = run.program.runOptions
    options.environment = environment
    try run.program.secrets.leaveOut(
      &options, of: plan, given: arguments.values.keys, named: inputs.secrets)
    let states = StateOptions(
      environment: environment, file: stateFile, store: StoreOptions.none)
    try requireState(of: plan)
    options.state = try StateKeeping.kept(states, of: plan, console).state
    let pipeline = Pipeline(plan, transport: run.program.transport(), options: options)
    let record = try folder.begin(try pipeline.newRecord(inputs: arguments.values))
    if let note = try FolderLock.test(in: folder.path), !display.isQuiet {
      console.error.write(line: "note: \(note)")
    }
    console.json.write(String(decoding: Self.parts(of: plan, record), as: UTF8.self) + "\n")
    return .success
  }

  /// What is kept from run to run needs a place that all processes know.
  private func requireState(of plan: Plan) throws(UsageError) {
    guard plan.workflow.keepsStateOrColumns, stateFile == nil else { return }
    let what = plan.workflow.block.keepsState ? "'state'" : "contracts with the columns 'first'"
    throw UsageError(message: "'\(file)' has \(what), so its parts need --state FILE")
  }

  /// The parts of a run as JSON.
  private static func parts(of plan: Plan, _ record: RunRecord) -> [UInt8] {
    let root = plan.root
    var writer = JSONWriter(style: .pretty)
    func ids(_ numbers: some Sequence<Int>) {
      writer.beginArray()
      for number in numbers { writer.string(root.steps[number].step.id.value) }
      writer.endArray()
    }
    writer.beginObject()
    writer.name("run")
    writer.string(record.id)
    writer.name("parts")
    writer.beginArray()
    for number in root.graph.topologicalOrder where number < root.mainCount {
      writer.beginObject()
      writer.name("step")
      writer.string(root.steps[number].step.id.value)
      writer.name("follows")
      ids(root.graph.dependencies[number].sorted())
      writer.name("shards")
      writer.boolean(root.steps[number].step.canBeSharded)
      writer.endObject()
    }
    writer.endArray()
    writer.name("finish")
    writer.beginObject()
    writer.name("follows")
    ids(0..<root.mainCount)
    writer.endObject()
    writer.endObject()
    return writer.bytes
  }

  private func source(_ console: Console) -> (LintedWorkflow, Plan)? {
    let source = PlanSource(console: console, color: display.color, isQuiet: display.isQuiet)
    guard let found = source.plan(at: file, allowing: allowed, each: each, to: "run") else {
      return nil
    }
    guard let handler = found.1.handlers.first else { return found }
    console.complain(handler.refusal)
    return nil
  }

  // MARK: items

  private func items(_ folder: PartFolder, _ run: ConsoleRun) async throws -> ExitStatus {
    let console = run.program.console
    let step = try needed(step)
    guard let (linted, whole) = source(console) else { return .invalid }
    let record = try folder.run(of: whole.workflow)
    var part = RunPart(.step(step), shard: .none)
    let plan = try plan(whole, part)
    let own = plan.root.block.steps.first { $0.id.value.equals(bytes: step) }
    guard let forEach = own?.forEach, forEach.rounds == nil else {
      throw UsageError(
        message: "step '\(step)' has no 'forEach', so it has no items; carry it out with"
          + " 'pipeline part run --step \(step)'")
    }
    let others = try others(&part, plan, whole, folder)
    return await run.carryOut(settings(part, record), linted, plan) { _ in
      ItemCount(record, of: step, others: others)
    }
  }

  // MARK: settle

  /// Lists what is in doubt in all parts, or in those of a step, once `--settle` is written down.
  private func settle(_ folder: PartFolder, _ console: Console) async throws -> ExitStatus {
    guard let (_, whole) = source(console) else { return .invalid }
    _ = try folder.run(of: whole.workflow)
    var steps = whole.root.block.steps.map(\.id.value) + [PartFolder.finish]
    if let step {
      _ = try plan(whole, RunPart(.step(step)))
      steps = [step]
    }
    let doubts = try PartDoubts(of: steps, in: folder)
    let open = try await doubts.settle(settlements, whole)
    let command = command(action: .settle, steps: step.map { ["--step", $0] } ?? [])
    console.error.write(DoubtText(open, settledBy: command).text)
    return open.isEmpty ? .success : .inDoubt
  }

  // MARK: run and finish

  private func carryOut(
    _ work: RunPart.Work, _ folder: PartFolder, _ run: ConsoleRun
  ) async throws -> ExitStatus {
    let console = run.program.console
    let shard = try ShardOption.shard(shard, environment: console.environment)
    var part = RunPart(work, shard: shard, share: try ShardOption.share(share, of: shard))
    guard let (linted, whole) = source(console) else { return .invalid }
    let record = try folder.run(of: whole.workflow)
    let plan = try plan(whole, part)
    if work == .finish { try requireState(of: whole) }
    if case .step(let id) = work { try folder.requireKnownSteps(of: whole, for: id) }
    let files = try folder.part(part)
    let sources = whole.sourceDigest
    let claim = PartClaim(
      folder: folder, files: files, sources: sources, program: run.program,
      isQuiet: display.isQuiet)
    let lease: PartLease
    switch try await claim.answer() {
    case .done(let status): return status
    case .lease(let taken): lease = taken
    }
    let divisions = try OtherDivisions(than: files, in: folder)
    if let (other, doubts) = divisions.inDoubt {
      let command = command(RunPart(work, shard: other.shard))
      console.error.write(DoubtText(doubts, settledBy: command).text)
      return .inDoubt
    }
    let others = try others(&part, plan, whole, folder)
    let own = try SQLiteJournal(path: files.journalPath)
    let parts = PartJournal(record, own: own, others: others, divisions: divisions)
    if settlements.isGiven {
      guard
        let changed = try await run.rehearsal(plan, settings(part, record), parts)?.changed
      else { return .invalid }
      let settled = try settlements.settlements(
        in: try own.history(), changed: changed, plan)
      try await SettlementOptions.write(settled, to: own)
    }
    let command = command(part)
    let doubts = try own.history().openDoubts(in: plan)
    guard doubts.isEmpty else {
      console.error.write(DoubtText(doubts, settledBy: command).text)
      own.close()
      return .inDoubt
    }
    let kept = KeptPart(
      folder: folder, files: files, parts: parts, own: own,
      record: record, work: work, sources: sources, command: command, lease: lease,
      outcome: PartOutcome(of: work), limits: try limits(folder, lease, run.program))
    return await run.carryOut(settings(part, record), linted, plan) { _ in kept }
  }

  /// The limits that the part shares with others; `nil` if it is given a fixed share.
  private func limits(
    _ folder: PartFolder, _ lease: PartLease, _ program: Program
  ) throws -> FolderLimits? {
    if share != nil { return nil }
    return FolderLimits(
      folder: try folder.limitsFolder(limitsPath), lease: lease.path, clock: program.clock)
  }

  private func plan(_ whole: Plan, _ part: RunPart) throws -> Plan {
    if case .step(let id) = part.work {
      guard let step = whole.root.block.steps.first(where: { $0.id.value.equals(bytes: id) }) else {
        let ids = whole.root.block.steps.map(\.id.value).joined(separator: ", ")
        throw PartFolder.Problem(
          description: "'\(file)' has no step '\(id)'; its steps are \(ids)", isFinal: true)
      }
      if part.shard.count > 1, !step.canBeSharded {
        throw PartFolder.Problem(
          description: step.forEach == nil || step.forEach?.rounds != nil
            ? "step '\(id)' has no 'forEach', so it cannot be divided; leave out --shard"
            : "step '\(id)' takes its items one after the other ('concurrency': 1), so it cannot be"
              + " divided; leave out --shard", isFinal: true)
      }
    }
    guard let plan = whole.carriedOut(by: part) else {
      throw PartFolder.Problem(
        description: "'\(file)' cannot be carried out in parts", isFinal: true)
    }
    return plan
  }

  /// The units of all parts that this one follows, which must be done. Of a collection that only
  /// its items are made of, a part reads only the file that holds these.
  private func others(
    _ part: inout RunPart, _ plan: Plan, _ whole: Plan, _ folder: PartFolder
  ) throws -> PartUnitIndex {
    var steps: [[PartFolder.Part]] = []
    var itemByItem: [ExactText: [PartFolder.Part]] = [:]
    if part.shard != .whole, case .step(let own) = part.work {
      let shard = part.shard
      let collections = plan.collectionsItemByItem(before: own) { step in
        let parts = folder.doneParts(of: step.id.value, holding: shard, whole.sourceDigest)
        itemByItem[ExactText(step.id.value)] = parts
        return parts != nil
      }
      part.itemByItem = Set(collections.map { ExactText($0.id.value) })
    }
    for step in plan.root.block.steps {
      if case .step(let own) = part.work, step.id.value.equals(bytes: own) { continue }
      guard step.hasUnits else { continue }
      if let parts = itemByItem[ExactText(step.id.value)] {
        steps.append(parts)
        continue
      }
      let (parts, problem) = folder.doneParts(of: step.id.value)
      // At the end a step that follows a failed one was not carried out.
      if let problem, part.work != .finish { throw problem }
      steps.append(parts)
    }
    return try PartUnitIndex(steps)
  }

  private func settings(_ part: RunPart, _ record: RunRecord) -> RunSettings {
    RunSettings(
      file: file, allowed: allowed, output: outputFolder ?? ".", stateFile: stateFile, each: each,
      part: part, of: record)
  }

  /// The command line of this part, for messages.
  private func command(_ part: RunPart) -> String {
    var words: [String] = []
    if case .step(let step) = part.work { words += ["--step", step] }
    if part.shard.count > 1 { words += ["--shard", "\(part.shard.index)/\(part.shard.count)"] }
    return command(action: action ?? .run, steps: words)
  }

  private func command(action: Action, steps: [String]) -> String {
    (["pipeline part", action.rawValue, file] + (each.map { ["--each", $0] } ?? [])
      + ["--folder", folderPath ?? ""] + steps)
      .joined(separator: " ")
  }
}

extension Step {
  /// Whether several processes may divide its items among them: not if they are taken one after the
  /// other.
  fileprivate var canBeSharded: Bool {
    guard let forEach else { return false }
    return forEach.concurrency?.value != 1
  }

  /// Whether something of the step is carried out by the engine: a request or a wait, also inside.
  fileprivate var hasUnits: Bool {
    switch action {
    case .values, .fail, .say: false
    case .request, .wait, .block, .call, .ask: true
    }
  }
}
