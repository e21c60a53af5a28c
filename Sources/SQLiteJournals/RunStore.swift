internal import PipelineByteText
internal import PipelineJSONText
public import PipelineKit

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// A folder with the journals of runs, each in a folder named after the run's id.
public struct RunStore: Sendable {
  /// The folder's path.
  public let path: String

  /// How long runs are kept.
  public var longestAge = Duration.seconds(14 * 86_400)

  /// How many bytes the journals of all runs may take together. The oldest runs go first.
  public var mostBytes = 1 << 30

  /// A store in this folder. Nothing is read or made yet.
  public init(path: String) {
    self.path = path
  }

  /// Begins the journal of a new run.
  ///
  /// - Parameters:
  ///   - id: The id of the run.
  ///   - details: Texts that a process that resumes the run will need.
  /// - Throws: An error if the store cannot be written, or SQLite is missing.
  public func create(
    id: String, details: [String: String] = [:]
  ) throws(JournalError) -> SQLiteJournal {
    try makeFolders()
    retain()
    guard isName(id) else { throw JournalError("'\(id)' cannot be the name of a run's folder") }
    let folder = try RunFolder(path: path + "/" + id)
    let journal = try SQLiteJournal(path: folder.journalPath, folder: folder)
    for (name, value) in details { try journal.set(name, to: value) }
    return journal
  }

  /// Opens the journal of a run to go on with it.
  ///
  /// - Throws: An error if the run does not exist, if another process is carrying it out, or if its
  ///   journal cannot be read.
  public func open(id: String) throws(JournalError) -> SQLiteJournal {
    let run = path + "/" + id
    guard isName(id), access(RunFolder.journalPath(run), F_OK) == 0 else {
      throw JournalError("run '\(id)' does not exist in '\(path)'")
    }
    let folder = try RunFolder(path: run)
    return try SQLiteJournal(path: folder.journalPath, folder: folder)
  }

  private func isName(_ id: String) -> Bool {
    !id.isEmpty && !id.hasPrefix(bytes: ".") && !id.contains(bytes: "/")
      && !id.contains(bytes: "\0")
  }

  /// Makes the folder and its parents.
  private func makeFolders() throws(JournalError) {
    PrivateFile.makeFolders(path)
    guard access(path, W_OK | X_OK) == 0 else {
      throw JournalError("the store '\(path)' cannot be written: \(SystemError.last.message)")
    }
  }

  // MARK: History

  /// The runs in the store, the newest first.
  ///
  /// - Complexity: O(runs): each has a small file that is read.
  public func runs() -> [StoredRun] {
    ids().compactMap(run).sorted { $0.startedAt > $1.startedAt }
  }

  /// The ids of the runs in the store, in no order.
  public func ids() -> [String] {
    ((try? folderEntries(path)) ?? []).filter(isName)
  }

  private func run(_ name: String) -> StoredRun? {
    let folder = path + "/" + name
    guard let text = RunFolder.text(of: RunFolder.summaryPath(folder)),
      let root = try? JSONDocument.parse(Array(text.utf8)).root
    else { return nil }
    return StoredRun(root, isInUse: RunFolder.isInUse(folder))
  }

  /// The runs whose ids begin with a text; all of them if it is empty.
  public func runs(abbreviatedAs prefix: String) -> [StoredRun] {
    let runs = runs()
    return runs.filter { $0.id.equals(bytes: prefix) }.first.map { [$0] }
      ?? runs.filter { $0.id.hasPrefix(bytes: prefix) }
  }

  /// Keeps the facts that reports of a run need, in place of those of an earlier process.
  package func keep(trace: [UInt8], of id: String) {
    let folder = path + "/" + id
    PrivateFile.replace(RunFolder.tracePath(folder), with: trace, by: folder + "/.trace.json")
  }

  /// The facts kept for reports of a run; `nil`: none.
  package func trace(of id: String) -> [UInt8]? {
    RunFolder.bytes(of: RunFolder.tracePath(path + "/" + id), limit: 1 << 30)
  }

  /// Removes a run.
  ///
  /// - Throws: An error if another process is carrying it out, or its folder cannot be removed.
  public func delete(id: String) throws(JournalError) {
    guard isName(id) else { throw JournalError("run '\(id)' does not exist in '\(path)'") }
    let folder = path + "/" + id
    // Nobody takes it up meanwhile.
    let held = try RunFolder(path: folder)
    defer { withExtendedLifetime(held) {} }
    for name in [
      "run.json", ".run.json", "trace.json", ".trace.json", "journal.sqlite-wal",
      "journal.sqlite-shm", "journal.sqlite", "lock",
    ] {
      unlink(folder + "/" + name)
    }
    guard rmdir(folder) == 0 else {
      throw JournalError("the folder '\(folder)' cannot be removed: \(SystemError.last.message)")
    }
  }

  // MARK: Retention

  /// Removes the runs that are too old, or too many, unless that was done within the hour.
  private func retain() {
    let mark = path + "/.retained"
    var status = stat()
    if stat(mark, &status) == 0, Clock.now - Double(status.modified) < 3600 { return }
    PrivateFile.touch(mark)
    var runs: [StoredRun] = []
    for id in ids() {
      if let run = run(id) {
        runs.append(run)
      } else if stat(path + "/" + id, &status) == 0,
        Clock.now - Double(status.modified) > 3600
      {
        // Its process died before the run began.
        try? delete(id: id)
      }
    }
    var left = mostBytes
    for run in runs.sorted(by: { $0.startedAt > $1.startedAt }) {
      left -= size(of: run.id)
      let isTooOld = Clock.now - (run.endedAt ?? run.startedAt) > longestAge.seconds
      if isTooOld || left < 0, run.status != .running { try? delete(id: run.id) }
    }
  }

  private func size(of id: String) -> Int {
    ["journal.sqlite", "journal.sqlite-wal", "trace.json"].reduce(0) { sum, name in
      var status = stat()
      return stat(path + "/" + id + "/" + name, &status) == 0 ? sum + Int(status.st_size) : sum
    }
  }
}

extension stat {
  /// In seconds since 1970-01-01T00:00:00Z.
  fileprivate var modified: Int {
    #if canImport(Darwin)
      st_mtimespec.tv_sec
    #else
      st_mtim.tv_sec
    #endif
  }
}

/// A run in a store, as its summary has it.
public struct StoredRun: Sendable {
  /// The state of a run.
  public enum Status: String, Sendable {
    /// No step failed for good.
    case succeeded
    /// A step failed, or a limit was reached.
    case failed
    /// It was cancelled.
    case cancelled
    /// A process is carrying it out.
    case running
    /// Its process ended without coming to the end of the run.
    case interrupted
  }

  /// The id of the run, which names its folder.
  public let id: String
  /// The name of the workflow.
  public let workflow: String
  /// The workflow's file.
  public let file: String
  /// In seconds since 1970-01-01T00:00:00Z.
  public let startedAt: Double
  /// When the last process ended, in seconds since 1970-01-01T00:00:00Z.
  public let endedAt: Double?
  /// The present state of the run.
  public let status: Status
  /// Of the process that ended last, in seconds.
  public let duration: Double?
  /// How many requests the process that ended last has sent.
  public let requests: Int?
  /// Failures, items counted one by one.
  public let failed: Int?
  /// How many requests nobody knows the outcome of.
  public let inDoubt: Int?
  /// Answers that came from the cache, and for which nothing was sent.
  public let cached: Int?
  /// Answers that came from the cache after the server had confirmed them.
  public let validated: Int?
  /// Requests and waits whose values were taken from earlier processes.
  public let taken: Int?

  init(_ root: JSONNode, isInUse: Bool) {
    id = root["id"]?.string ?? ""
    workflow = root["workflow"]?.string ?? ""
    file = root["file"]?.string ?? ""
    let number = { (name: String) in root[name]?.number.flatMap { Double($0.text) } }
    startedAt = number("startedAt") ?? 0
    endedAt = number("endedAt")
    duration = number("duration")
    requests = root["requests"]?.number?.int
    failed = root["failed"]?.number?.int
    inDoubt = root["inDoubt"]?.number?.int
    cached = root["cached"]?.number?.int
    validated = root["validated"]?.number?.int
    taken = root["taken"]?.number?.int
    let told = Status(rawValue: root["status"]?.string ?? "") ?? .interrupted
    status = isInUse ? .running : told == .running ? .interrupted : told
  }
}
