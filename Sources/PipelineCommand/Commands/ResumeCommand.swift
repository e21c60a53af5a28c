internal import ByteText
internal import JSONText
internal import PipelineKit
internal import SQLiteJournals
internal import Workflows

/// `pipeline resume`: goes on with a run whose process has ended.
struct ResumeCommand: Sendable {
  let console: Console
  let run: RunCommand

  func run(_ invocation: Invocation) async -> ExitStatus {
    let destinations: Destinations
    let store: RunStore
    do {
      store = try RunStore.of(invocation, console)
      destinations = try Destinations(invocation)
    } catch let error as PathProblem {
      console.complain("cannot write '\(error.path)': \(error.reason)")
      return .usage
    } catch {
      console.complain("\(error)")
      return .usage
    }
    guard let stored = store.run(of: invocation, orNewest: { $0.status != .succeeded }, console)
    else { return .failure }
    do {
      let journal = try store.open(id: stored.id)
      defer { journal.close() }
      let kept = KeptRun(store: store, id: stored.id, journal: journal)
      for step in invocation.values("again") { journal.append(.again(step: step)) }
      try await settle(invocation, journal)
      let settings = try RunSettings(try journal.history().run) { try journal.value(of: $0) }
      if settings.file == "-" {
        console.complain("the workflow of run '\(kept.shortID)' came from stdin, and is not kept")
        return .failure
      }
      if invocation.has("plan") { return try plan(settings, kept, invocation) }
      let doubts = try journal.history().sendings.filter(\.isInDoubt)
      guard doubts.isEmpty else {
        console.error.write(KeptRun.doubtText(doubts, of: kept.shortID))
        return .inDoubt
      }
      return await run.carryOut(settings, destinations, invocation) { _ in kept }
    } catch let error as UsageError {
      console.complain(error.message)
      return .usage
    } catch {
      console.complain("\(error)")
      return .failure
    }
  }

  // MARK: What is in doubt

  /// Writes down what `--settle` says.
  private func settle(_ invocation: Invocation, _ journal: SQLiteJournal) async throws {
    let arguments = invocation.values("settle")
    guard !arguments.isEmpty else { return }
    let doubts = try journal.history().sendings.filter(\.isInDoubt)
    for argument in arguments {
      guard let equals = argument.utf8.firstIndex(of: UInt8(ascii: "=")) else {
        throw UsageError(
          message: "--settle takes STEP[ITEM]=again, =skip, =done or ={\"NAME\": VALUE},"
            + " and not '\(argument)'")
      }
      let (name, word) = (
        argument[..<equals], String(argument[argument.utf8.index(after: equals)...])
      )
      guard let doubt = doubts.first(where: { $0.unit.name.utf8.elementsEqual(name.utf8) }) else {
        let names = doubts.map(\.unit.name).joined(separator: ", ")
        throw UsageError(
          message: "nothing about '\(name)' is in doubt"
            + (names.isEmpty ? "" : "; in doubt: " + names))
      }
      switch word {
      case "again": journal.settle(doubt, as: .again)
      case "skip": journal.settle(doubt, as: .skip)
      case "done":
        let values = try Self.values(invocation.value("values") ?? "{}", of: "--values")
        journal.settle(doubt, as: .done(values: values))
      case let text where text.hasPrefix(bytes: "{"):
        journal.settle(doubt, as: .done(values: try Self.values(text, of: "--settle \(name)")))
      default:
        throw UsageError(
          message: "--settle \(name) takes 'again', 'skip', 'done' or a JSON object of values,"
            + " and not '\(word)'")
      }
    }
    if let problem = await journal.finish() { throw problem }
  }

  /// - Parameter option: What the text was given to.
  private static func values(_ text: String, of option: String) throws(UsageError) -> [UInt8] {
    guard let root = try? JSONDocument.parse(Array(text.utf8)).root, root.kind == .object else {
      throw UsageError(
        message: "\(option) takes a JSON object of names and values, and not '\(text)'")
    }
    var writer = JSONWriter(style: .compact)
    writer.value(root)
    return writer.bytes
  }

  // MARK: --plan

  /// Prints what would be taken and what would be carried out.
  private func plan(
    _ settings: RunSettings, _ kept: KeptRun, _ invocation: Invocation
  ) throws -> ExitStatus {
    guard
      let pipeline = try run.rehearsedPipeline(settings, invocation, kept.journal)
    else { return .invalid }
    let arguments = pipeline.inputs
    let rehearsal = try pipeline.pipeline.rehearse(inputs: arguments)
    let doubts = try kept.journal.history().sendings.filter(\.isInDoubt)
    var rows: [[String]] = []
    for step in rehearsal.steps {
      let count = step.carriedOut.values.reduce(0, +)
      let reasons = Rehearsal.Reason.allCases.compactMap { reason in
        step.carriedOut[reason].map { Self.text(reason, $0, of: count) }
      }
      rows.append([
        step.id, step.taken == 0 ? "" : "\(step.taken) taken",
        count == 0 ? "" : "\(count) carried out", reasons.joined(separator: ", "),
      ])
    }
    console.output.write(
      "pipeline resume \(kept.shortID) would go on with '\(pipeline.pipeline.plan.workflow.name)':\n"
        + TextTable(rows: rows, indentation: 2).text
        + "Steps that read what is carried out follow when it is known.\n")
    guard doubts.isEmpty else {
      console.error.write(KeptRun.doubtText(doubts, of: kept.shortID))
      return .inDoubt
    }
    return .success
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

extension RunStore {
  /// The store that a command line, or the environment, names.
  static func of(_ invocation: Invocation, _ console: Console) throws(UsageError) -> RunStore {
    switch try StoreLocation(invocation, environment: console.environment) {
    case .folder(let folder, _): return RunStore(path: folder + "/runs")
    case .off:
      throw UsageError(
        message: "PIPELINE_STORE is 'off', so nothing is kept; --store names a folder")
    case .unknown:
      throw UsageError(message: "there is no HOME, so nothing is kept; --store names a folder")
    }
  }

  /// The run that a command line names; without a name the newest of some kind. `nil`, once it was
  /// said why, if there is none.
  func run(
    of invocation: Invocation, orNewest isMeant: (StoredRun) -> Bool, _ console: Console
  ) -> StoredRun? {
    guard let name = invocation.operands.first else {
      if let run = runs().first(where: isMeant) { return run }
      console.complain("there is no run to go on with in '\(path)'; 'pipeline runs' lists all")
      return nil
    }
    return find(name, console)
  }

  /// The run that an id, or the beginning of one, names; `nil`, once it was said why, if there is
  /// not exactly one.
  func find(_ name: String, _ console: Console) -> StoredRun? {
    let runs = runs(abbreviatedAs: name)
    if runs.count == 1 { return runs[0] }
    console.complain(
      runs.isEmpty
        ? "there is no run '\(name)' in '\(path)'; 'pipeline runs' lists all"
        : "'\(name)' stands for \(runs.count) runs: "
          + runs.prefix(5).map(\.id).joined(separator: ", ") + (runs.count > 5 ? ", …" : ""))
    return nil
  }
}
