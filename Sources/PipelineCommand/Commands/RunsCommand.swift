internal import PipelineByteText
internal import PipelineJSONText
internal import PipelineKit
internal import PipelinePlanning
internal import SQLiteJournals

/// `pipeline runs`: past runs, their results and what they left.
struct RunsCommand: ComputedCommand {
  /// The action, and the runs that it concerns.
  private let words: [String]
  private let asJSON: Bool
  /// Whether all runs are listed, however many there are.
  private let listsAll: Bool
  private let storeOptions: StoreOptions

  private enum Action: String {
    case show, delete
  }

  static let page = CommandPage(
    name: "runs",
    summary: "List the runs that are kept, show one, or delete some",
    discussion: [
      "'pipeline runs' lists the 50 newest. 'pipeline runs show RUN' shows the steps of one run with"
        + " their times and failures, and of a run that goes on what it has done so far. 'pipeline"
        + " runs delete RUN…' removes some. Runs are kept for 14 days, and up to 1 GB."
    ],
    examples: [
      Example(line: "pipeline runs", meaning: "List the newest runs"),
      Example(line: "pipeline runs show k3f9", meaning: "Show the steps of one, and what failed"),
    ])

  init(_ arguments: inout Arguments) {
    words = arguments.operands("show|delete RUN", .run, help: "What to do, and with which run")
    asJSON = arguments.flag("json", help: "Print JSON; a list has all runs")
    listsAll = arguments.flag("all", help: "List all runs")
    storeOptions = StoreOptions(needed: &arguments)
  }

  func run(in program: Program) -> ExitStatus {
    let console = program.console
    do {
      let store = try RunStore.of(storeOptions, console)
      let names = Array(words.dropFirst())
      guard let word = words.first else { return list(store, program) }
      switch Action(rawValue: word) {
      case .show where names.count <= 1: return try show(store, names.first, console)
      case .delete where !names.isEmpty: return try delete(store, names, console)
      default: throw UsageError(message: "runs takes 'show RUN', 'delete RUN…' or nothing")
      }
    } catch {
      return console.complain(of: error)
    }
  }

  // MARK: The list

  private func list(_ store: RunStore, _ program: Program) -> ExitStatus {
    let console = program.console
    let (runs, lost) = store.listing()
    for (id, problem) in lost {
      console.error.write(
        line: "note: run '\(id)' is not listed: its summary is lost, and \(problem.message)")
    }
    if asJSON {
      var writer = JSONWriter(style: .pretty)
      writer.beginArray()
      for run in runs { run.write(to: &writer) }
      writer.endArray()
      console.json.write(String(decoding: writer.bytes, as: UTF8.self) + "\n")
      return .success
    }
    guard !runs.isEmpty else {
      console.error.write(line: "no run is kept in '\(store.path)'")
      return .success
    }
    let head = ["id", "workflow", "started", "status", "duration", "requests", "failed"]
    let ids = runs.map(\.id)
    let shown = listsAll ? runs[...] : runs.prefix(Self.shownRuns)
    let rows = shown.map { run in
      [
        store.shortID(of: run.id, among: ids), run.workflow, run.age(at: program.clock.wallTime),
        run.status.rawValue,
        run.duration.map { Duration.seconds($0).text } ?? "",
        run.requests.map(String.init) ?? "", run.failed.map(String.init) ?? "",
      ]
    }
    console.output.write(TextTable(rows: [head] + rows).text)
    if shown.count < runs.count {
      console.error.write("\(runs.count - shown.count) more: 'pipeline runs --all' lists them\n")
    }
    return .success
  }

  private static let shownRuns = 50

  // MARK: One run

  /// The facts about a run as a whole, each with a name.
  static func facts(of run: StoredRun) -> [[String]] {
    var facts: [[String]] = [
      ["run", run.id], ["workflow", run.workflow], ["file", run.file], ["started", run.startText],
      ["status", run.status.rawValue],
    ]
    if let duration = run.duration { facts.append(["duration", Duration.seconds(duration).text]) }
    for case (let name, .some(let count)) in run.counts where name == "requests" || count > 0 {
      facts.append([name, String(count)])
    }
    return facts
  }

  private func show(
    _ store: RunStore, _ name: String?, _ console: Console
  ) throws -> ExitStatus {
    guard
      let run = name == nil
        ? store.runs().first : store.find(name ?? "", console)
    else {
      if name == nil { console.complain("no run is kept in '\(store.path)'") }
      return .failure
    }
    guard run.status != .running else {
      console.output.write(
        asJSON ? Self.json(ofRunning: run) : Self.text(ofRunning: run, store))
      return .success
    }
    let history = try store.history(id: run.id)
    let doubts = Self.doubts(of: history, run, console)
    if asJSON {
      var writer = JSONWriter(style: .pretty)
      history.write(to: &writer, run, doubts)
      console.json.write(String(decoding: writer.bytes, as: UTF8.self) + "\n")
      return .success
    }
    var facts = Self.facts(of: run)
    facts.insert(["processes", String(history.processes)], at: 5)
    let head = ["step", "done", "failed", "p50", "p95", "max"]
    let steps = history.steps.map { step in
      [
        step.path, String(step.done), step.failed == 0 ? "" : String(step.failed),
        step.median.text, step.high.text, step.longest.text,
      ]
    }
    var text = TextTable(rows: facts).text
    if !steps.isEmpty { text += "\n" + TextTable(rows: [head] + steps).text }
    if !history.failures.isEmpty {
      text +=
        "\nfailures\n"
        + TextTable(rows: history.failures.map { [$0.unit, $0.message] }, indentation: 2).text
    }
    console.output.write(text)
    if run.status == .waiting, !run.questions.isEmpty {
      let texts = run.questions.map { QuestionText($0).text(colored: false) }.joined()
      let options = run.questions.map(\.options).joined()
      let words = store.shortID(of: run.id) + storeOptions.words
      console.output.write(
        "\nwaits for an answer\n" + texts + "answer: pipeline resume \(words)\(options)\n")
    }
    if !doubts.isEmpty {
      console.output.write(
        "\n"
          + DoubtText(
            doubts, of: store.shortID(of: run.id) + storeOptions.words, most: .max
          ).text)
    }
    let lookedUp = history.doubts.count - doubts.count
    if lookedUp > 0 {
      console.output.write(
        "\n'resume' looks up what became of \(lookedUp.counting("request"))\n")
    }
    return .success
  }

  /// The requests that a person decides about. Others are looked up by their steps, as the workflow
  /// has them now.
  private static func doubts(
    of history: RunHistory, _ run: StoredRun, _ console: Console
  ) -> [SendingRecord] {
    guard !history.doubts.isEmpty, let path = run.path, let plan = console.plan(ofFile: path) else {
      return history.doubts
    }
    return history.doubts.filter { !plan.settlesItself($0.unit.step) }
  }

  private func delete(
    _ store: RunStore, _ names: [String], _ console: Console
  ) throws -> ExitStatus {
    // All of them, or none: a mistyped id is found before anything is removed.
    var ids: [String] = []
    for name in names {
      guard let id = store.findFolder(name, console) else { return .failure }
      if !ids.contains(where: { $0.equals(bytes: id) }) { ids.append(id) }
    }
    for id in ids { try store.delete(id: id) }
    return .success
  }
}

extension StoredRun {
  /// Counts of the run, each with a name.
  fileprivate var counts: [(name: String, count: Int?)] {
    [("requests", requests), ("cached", cached), ("validated", validated), ("taken", taken)]
  }

  fileprivate func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writeMembers(to: &writer)
    if let inDoubt {
      writer.name("inDoubt")
      writer.integer(inDoubt)
    }
    writer.endObject()
  }

  func writeMembers(to writer: inout JSONWriter) {
    for (name, text) in [
      ("id", id), ("workflow", workflow), ("file", file),
      ("startedAt", Timestamp(secondsSince1970: startedAt).text), ("status", status.rawValue),
    ] {
      writer.name(name)
      writer.string(text)
    }
    if let duration {
      writer.name("durationSeconds")
      writer.number(String(duration))
    }
    for (name, count) in counts + [("failed", failed)] {
      guard let count else { continue }
      writer.name(name)
      writer.integer(count)
    }
  }
}

extension RunHistory {
  /// - Parameter doubts: The requests that a person decides about.
  fileprivate func write(
    to writer: inout JSONWriter, _ run: StoredRun, _ doubts: [SendingRecord]
  ) {
    writer.beginObject()
    run.writeMembers(to: &writer)
    writer.name("processes")
    writer.integer(processes)
    writer.name("steps")
    writer.beginArray()
    for step in steps {
      writer.beginObject()
      writer.name("step")
      writer.string(step.path)
      for (name, number) in [
        ("done", step.done), ("failed", step.failed),
        ("p50Milliseconds", step.median.wholeMilliseconds),
        ("p95Milliseconds", step.high.wholeMilliseconds),
        ("maxMilliseconds", step.longest.wholeMilliseconds),
      ] {
        writer.name(name)
        writer.integer(number)
      }
      writer.endObject()
    }
    writer.endArray()
    RunQuestion.write(run.questions, to: &writer)
    writer.name("failures")
    writer.beginArray()
    for failure in failures {
      writer.beginObject()
      writer.name("unit")
      writer.string(failure.unit)
      writer.name("message")
      writer.string(failure.message)
      writer.endObject()
    }
    writer.endArray()
    writer.name("inDoubt")
    writer.beginArray()
    for doubt in doubts {
      writer.beginObject()
      let texts: [(String, String?)] = [
        ("unit", doubt.unit.name), ("method", doubt.method), ("url", doubt.url),
        ("time", Timestamp(secondsSince1970: doubt.time).text), ("item", doubt.item),
        ("body", doubt.body),
      ]
      for (name, text) in texts {
        guard let text else { continue }
        writer.name(name)
        writer.string(text)
      }
      if let process = doubt.process {
        writer.name("process")
        writer.integer(process)
      }
      writer.endObject()
    }
    writer.endArray()
    // A person writes the answers in place of 'null', for --settle @FILE.
    if !doubts.isEmpty {
      writer.name("settle")
      writer.beginObject()
      for doubt in doubts {
        writer.name(doubt.unit.name)
        writer.value(JSONValue.null.node)
      }
      writer.endObject()
    }
    writer.endObject()
  }
}
