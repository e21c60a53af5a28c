internal import PipelineByteText
internal import PipelineJSONText
internal import PipelineKit
internal import PipelineLanguage
internal import PipelinePlanning
internal import SQLiteJournals

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// The folder that all processes of a run in parts see. docs/distribution.md describes its files.
struct PartFolder: Sendable {
  let path: String

  /// A problem with the folder, as one phrase.
  struct Problem: Error, CustomStringConvertible {
    let description: String
    /// Whether trying again does not help.
    var isFinal = false
    /// Whether another part must be carried out first.
    var isNotReady = false

    var status: ExitStatus { isNotReady ? .notReady : isFinal ? .invalid : .failure }
  }

  private static let format = 1

  // MARK: The run

  private var runPath: String { path + "/run.json" }

  /// Writes down what the run is, for all of its processes. A folder that has the same run already
  /// is left as it is, so that an engine may begin twice, also at the same time.
  ///
  /// - Returns: The run that is in the folder.
  func begin(_ record: RunRecord) throws -> RunRecord {
    try makeFolder(path)
    if access(runPath, F_OK) != 0, try create(record) { return record }
    let known = try run()
    guard known.workflow.equals(bytes: record.workflow),
      known.inputs.node.text.equals(bytes: record.inputs.node.text),
      known.environment == record.environment
    else {
      throw Problem(
        description: otherRun(known) + "; name an empty folder", isFinal: true)
    }
    return known
  }

  /// Writes `run.json`, whole, unless another process has written it first.
  private func create(_ record: RunRecord) throws -> Bool {
    // Its name is of this process alone: those on other machines may have the same number.
    let draft = "\(path)/.run-\(Run.randomID()).json"
    defer { unlink(draft) }
    try AtomicFile(privateAt: draft).write(Self.text(of: record))
    if link(draft, runPath) == 0 { return true }
    guard errno == EEXIST else {
      throw Problem(
        description: "'\(runPath)' cannot be written: \(SystemError.last.message)", isFinal: true)
    }
    return false
  }

  private static func text(of record: RunRecord) -> [UInt8] {
    var writer = JSONWriter(style: .pretty)
    writer.beginObject()
    writer.name("format")
    writer.integer(format)
    for (name, text) in [("run", record.id), ("workflow", record.workflow), ("file", record.file)] {
      writer.name(name)
      writer.string(text)
    }
    writer.name("startedAt")
    writer.number(String(record.startedAt))
    if let environment = record.environment {
      writer.name("environment")
      writer.string(environment)
    }
    writer.name("inputs")
    writer.value(record.inputs.node)
    writer.name("state")
    writer.beginObject()
    for (name, value) in record.state.sorted(by: { $0.key < $1.key }) {
      writer.name(name)
      writer.value(value.node)
    }
    writer.endObject()
    writer.endObject()
    return writer.bytes + [0x0A]
  }

  private func otherRun(_ known: RunRecord) -> String {
    "'\(path)' holds another run, of '\(known.workflow)'"
  }

  /// The run, which is one of this workflow.
  func run(of workflow: Workflow) throws -> RunRecord {
    let known = try run()
    guard known.workflow.equals(bytes: workflow.name) else {
      throw Problem(
        description: otherRun(known) + ", and not of '\(workflow.name)'; name its folder",
        isFinal: true)
    }
    return known
  }

  /// The run that the folder holds.
  func run() throws -> RunRecord {
    guard let root = try read(runPath) else {
      throw Problem(
        description: "'\(path)' holds no run; begin it with 'pipeline part begin'", isFinal: true)
    }
    guard root["format"]?.number?.int == Self.format else {
      throw Problem(
        description: "'\(runPath)' is of another version of this program", isFinal: true)
    }
    let state = root["state"]?.members.map { ($0.name, JSONValue($0.value)) } ?? []
    return RunRecord(
      id: root["run"]?.string ?? "", workflow: root["workflow"]?.string ?? "",
      file: root["file"]?.string ?? "",
      startedAt: (root["startedAt"]?.number?.double).map(FileNumber.seconds) ?? 0,
      environment: root["environment"]?.string,
      inputs: root["inputs"].map { JSONValue($0) } ?? [:],
      state: Dictionary(state, uniquingKeysWith: { $1 }))
  }

  // MARK: Parts

  /// The files of one part.
  struct Part: Sendable {
    let folder: String
    let step: String
    let shard: RunPart.Shard

    private var suffix: String { "\(shard.index)-of-\(shard.count)" }
    var unitsPath: String { "\(folder)/units-\(suffix).ndjson" }
    var donePath: String { "\(folder)/done-\(suffix).json" }
    var leasePath: String { "\(folder)/lease-\(suffix)" }
    var journalPath: String { "\(folder)/journal-\(suffix).sqlite" }
  }

  /// The name of the folder for the end of the run. No step can have it.
  static let finish = ".finish"

  /// The folder of the files by which processes share limits, which is made if it is missing.
  ///
  /// - Parameter path: Of a folder that other runs name, too; `nil` for this run's own.
  func limitsFolder(_ path: String?) throws -> String {
    let folder = path ?? self.path + "/.limits"
    try makeFolder(folder)
    return folder
  }

  /// A part's files, in a folder that is made if it is missing.
  func part(_ part: RunPart) throws -> Part {
    let step: String
    switch part.work {
    case .step(let id): step = id
    case .finish: step = Self.finish
    }
    let folder = path + "/" + step
    try makeFolder(folder)
    return Part(folder: folder, step: step, shard: part.shard)
  }

  /// The shards of a step that have a file with such a name.
  func shards(of step: String, _ prefix: String, _ suffix: String = "") -> [RunPart.Shard] {
    let names = (try? FileSystem.system.names(path + "/" + step)) ?? []
    return names.compactMap { name in
      guard name.hasPrefix(bytes: prefix), name.hasSuffix(bytes: suffix) else { return nil }
      let words = name.dropFirst(bytes: prefix.utf8.count).prefix(before: ".").split(ascii: "-")
      guard words.count == 3, let index = Int(words[0]), let count = Int(words[2]),
        "\(prefix)\(index)-of-\(count)\(suffix)".equals(bytes: name), count > 0
      else { return nil }
      return RunPart.Shard(index: index, count: count)
    }
  }

  /// The parts of a step that have a file with such a name, in the order of their divisions.
  func parts(of step: String, having prefix: String, _ suffix: String = "") -> [Part] {
    shards(of: step, prefix, suffix).sorted { ($0.count, $0.index) < ($1.count, $1.index) }
      .map { Part(folder: path + "/" + step, step: step, shard: $0) }
  }

  /// The parts of the same step that divide its items into another number of shards.
  ///
  /// - Parameters:
  ///   - prefix: Of the name of a file that they have.
  ///   - suffix: Of the same name.
  func otherDivisions(than part: Part, having prefix: String, _ suffix: String = "") -> [Part] {
    shards(of: part.step, prefix, suffix).filter { $0.count != part.shard.count }
      .map { Part(folder: part.folder, step: part.step, shard: $0) }
  }

  /// A step that sends something may be the one that did so under another id, before it was renamed.
  ///
  /// - Throws: A problem if the folder has requests of a step that the file does not have, and this
  ///   step has not begun.
  func requireKnownSteps(of plan: Plan, for step: String) throws(Problem) {
    guard plan.step(at: step)?.sendsOnce == true,
      parts(of: step, having: "journal-", ".sqlite").isEmpty
    else { return }
    let known = plan.root.steps.map(\.step.pathID)
    let names = (try? FileSystem.system.names(path)) ?? []
    let gone = names.sorted().first { name in
      !name.hasPrefix(bytes: ".") && !known.contains { $0.equals(bytes: name) }
        && parts(of: name, having: "journal-", ".sqlite").contains(where: Self.hasRequests)
    }
    guard let gone else { return }
    throw Problem(
      description: "'\(path)' has requests of step '\(gone)' that must not be sent twice, and the"
        + " file no longer has that step; if '\(step)' is it, call it '\(gone)' again, else begin"
        + " another folder",
      isFinal: true)
  }

  /// Whether a part has sent requests that must not be sent twice, or may do so at this moment.
  private static func hasRequests(_ part: Part) -> Bool {
    guard let journal = try? SQLiteJournal(path: part.journalPath) else { return true }
    defer { journal.close() }
    guard let history = try? journal.history() else { return true }
    return history.hasCarriedOut || !history.sendings.isEmpty
  }

  /// The finished parts of a step, and the reason why they are not all of it.
  ///
  /// A step may have been divided in several ways. It is complete if one of them is.
  func doneParts(of step: String) -> (parts: [Part], problem: Problem?) {
    let folder = path + "/" + step
    let shards = shards(of: step, "done-", ".json")
    guard let count = shards.map(\.count).max() else {
      return (
        [],
        Problem(
          description: "part '\(step)' has not been carried out; run"
            + " 'pipeline part run --step \(step)' first", isNotReady: true)
      )
    }
    let parts = shards.sorted { ($0.count, $0.index) < ($1.count, $1.index) }
      .map { Part(folder: folder, step: step, shard: $0) }
    let divisions = Dictionary(grouping: shards, by: \.count).mapValues { Set($0.map(\.index)) }
    if divisions.contains(where: { $0.value.count == $0.key }) { return (parts, nil) }
    let found = divisions[count] ?? []
    let missing = (1...count).first { !found.contains($0) } ?? 1
    return (
      parts,
      Problem(
        description: "part '\(step)' is not complete: \(count - found.count) of \(count) shards are"
          + " missing, the first of them \(missing)/\(count)", isNotReady: true)
    )
  }

  /// The finished parts of a collection that hold the items of a shard, if all items have ended
  /// well, and the files were as they are now; `nil` if all parts of the step must be read.
  ///
  /// - Parameter sources: `Plan.sourceDigest`
  func doneParts(of step: String, holding shard: RunPart.Shard, _ sources: String) -> [Part]? {
    let divisions = Dictionary(grouping: shards(of: step, "done-", ".json"), by: \.count)
    let wanted = shard == .none ? divisions : divisions.filter { $0.key == shard.count }
    let isWhole = wanted.contains { count, shards in
      shards.count == count
        && shards.allSatisfy { shard in
          let root = try? read(Part(folder: path + "/" + step, step: step, shard: shard).donePath)
          return root?["complete"]?.boolean == true && root?["sources"]?.string == sources
        }
    }
    guard isWhole else { return nil }
    return shard == .none ? [] : [Part(folder: path + "/" + step, step: step, shard: shard)]
  }

  /// How a part ended that is done, with the files as they are now; `nil` if it is not done.
  ///
  /// - Parameter sources: `Plan.sourceDigest`
  func end(of part: Part, _ sources: String) throws -> ExitStatus? {
    guard let root = try read(part.donePath), root["status"]?.string == "succeeded",
      root["sources"]?.string == sources
    else { return nil }
    return root["skipped"]?.boolean == true ? .skipped : .success
  }

  /// Writes what a part came to: first its units, then, as the last file, that it is done.
  func finish(
    _ part: Part, _ journal: PartJournal, _ report: RunReport,
    status: RunReport.Status, outcome: PartOutcome, sources: String
  ) throws {
    var problem: JournalError?
    var count = 0
    try AtomicFile(privateAt: part.unitsPath).write { sink in
      var writer = JSONWriter(style: .compact)
      do throws(JournalError) {
        try journal.forEachUnit(of: part.step) { unit, outcome in
          PartUnits.write(unit, outcome, to: &writer)
          sink(writer.bytes + [0x0A])
          writer = JSONWriter(style: .compact)
          count += 1
        }
      } catch {
        problem = error
      }
    }
    if let problem { throw problem }
    var writer = JSONWriter(style: .pretty)
    writer.beginObject()
    writer.name("status")
    writer.string(status.rawValue)
    if status == .succeeded, !outcome.isCarriedOut {
      writer.name("skipped")
      writer.boolean(true)
    }
    if outcome.isWell {
      writer.name("complete")
      writer.boolean(true)
    }
    for (name, number) in [
      ("units", count), ("requests", report.counts.requests),
      ("failures", report.failures.count),
    ] {
      writer.name(name)
      writer.integer(number)
    }
    writer.name("sources")
    writer.string(sources)
    writer.endObject()
    try AtomicFile(privateAt: part.donePath).write(writer.bytes + [0x0A])
  }

  // MARK: Files

  /// A JSON file; `nil` if there is none.
  private func read(_ path: String) throws -> JSONNode? {
    let bytes: [UInt8]
    do throws(PathProblem) {
      bytes = try PartFile.read(path, limit: 256 << 20)
    } catch {
      if access(path, F_OK) != 0 { return nil }
      throw Problem(description: "'\(path)' cannot be read: \(error.reason)")
    }
    guard let root = try? JSONDocument.parse(bytes).root else {
      throw Problem(description: "'\(path)' is damaged: it is not JSON")
    }
    return root
  }

  private func makeFolder(_ path: String) throws {
    var made = ""
    for part in path.split(ascii: "/", omittingEmptySubsequences: false) {
      made += part + "/"
      mkdir(made, 0o777)
    }
    guard access(path, W_OK) == 0 else {
      throw Problem(
        description: "the folder '\(path)' cannot be written: \(SystemError.last.message)",
        isFinal: true)
    }
  }
}
