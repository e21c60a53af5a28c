internal import PipelineByteText
internal import PipelineFiles
public import PipelineJournals
internal import PipelineTransports

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
  ///
  /// - Parameter path: The path of the folder.
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
    let made = try makeFolders()
    retain()
    guard isName(id) else { throw JournalError("'\(id)' cannot be the name of a run's folder") }
    let folder = try RunFolder(path: path + "/" + id, madeFolders: made)
    let journal = try SQLiteJournal(path: folder.journalPath, folder: folder)
    try journal.set(details)
    return journal
  }

  /// Opens the journal of a run to go on with it.
  ///
  /// - Parameter id: The whole id of a run.
  /// - Returns: The journal, which this process holds until it is released.
  /// - Throws: An error if the run does not exist, if another process is carrying it out, or if its
  ///   journal cannot be read.
  public func open(id: String) throws(JournalError) -> SQLiteJournal {
    let folder = try RunFolder(path: try folder(of: id))
    return try SQLiteJournal(path: folder.journalPath, folder: folder)
  }

  /// The folder of a run that has a journal.
  func folder(of id: String) throws(JournalError) -> String {
    let folder = path + "/" + id
    guard isName(id), access(RunFolder.journalPath(folder), F_OK) == 0 else {
      throw JournalError("run '\(id)' does not exist in '\(path)'")
    }
    return folder
  }

  func isName(_ id: String) -> Bool {
    !id.isEmpty && !id.hasPrefix(bytes: ".") && !id.contains(bytes: "/")
      && !id.contains(bytes: "\0")
  }

  /// Makes the folder and its parents. Returns how many were made.
  func makeFolders() throws(JournalError) -> Int {
    let count = PrivateFile.makeFolders(path)
    guard access(path, W_OK | X_OK) == 0 else {
      throw JournalError("the store '\(path)' cannot be written: \(SystemError.last.message)")
    }
    return count
  }

  // MARK: History

  /// The runs in the store, the newest first.
  ///
  /// - Complexity: O(runs): each has a small file that is read.
  public func runs() -> [StoredRun] { listing().runs }

  /// The runs, and the ids of runs whose summary and journal are both unreadable, with the reasons.
  package func listing() -> (runs: [StoredRun], lost: [(id: String, problem: JournalError)]) {
    var runs: [StoredRun] = []
    var lost: [(id: String, problem: JournalError)] = []
    for id in ids() {
      switch lookUp(id) {
      case .run(let run): runs.append(run)
      case .lost(let problem): lost.append((id, problem))
      case .nothing: break
      }
    }
    return (runs.sorted { $0.startedAt > $1.startedAt }, lost.sorted { $0.id < $1.id })
  }

  /// Why the folder cannot be read; `nil` if it can be, or it is not there and holds nothing.
  package var problem: JournalError? {
    do throws(SystemError) {
      _ = try folderEntries(path)
      return nil
    } catch {
      if error.number == ENOENT { return nil }
      return JournalError("the store '\(path)' cannot be read: \(error.message)")
    }
  }

  /// The ids of the runs in the store, in no order.
  public func ids() -> [String] {
    ((try? folderEntries(path)) ?? []).filter(isName)
  }

  /// What a folder of the store holds.
  enum Found {
    case run(StoredRun)
    /// A process died before the run began, or is about to begin it.
    case nothing
    /// Its summary is lost, and its journal cannot be read.
    case lost(JournalError)

    var run: StoredRun? { if case .run(let run) = self { run } else { nil } }
  }

  /// The runs in the store as their summaries have them, in no order. Nothing is written and no
  /// journal is opened, so a run whose process has died counts as interrupted.
  ///
  /// - Complexity: O(runs): each has a small file that is read.
  package var summaries: [StoredRun] {
    ids().compactMap { id in
      let isInUse = RunFolder.isInUse(path + "/" + id)
      var run = summary(of: id, isInUse: isInUse)
      if !isInUse, run?.status == .running { run?.status = .interrupted }
      return run
    }
  }

  private func summary(of id: String, isInUse: Bool) -> StoredRun? {
    var run = RunFolder.text(of: RunFolder.summaryPath(path + "/" + id)).flatMap {
      StoredRun(json: $0, id: id)
    }
    if isInUse { run?.noteRunning(at: Clock.now) }
    return run
  }

  /// Reads the summary of a run. The journal has the same facts, so it is asked if the summary is
  /// lost, or if the process that was to complete it has died.
  func lookUp(_ id: String) -> Found {
    let folder = path + "/" + id
    let isInUse = RunFolder.isInUse(folder)
    var run = summary(of: id, isInUse: isInUse)
    if let run, isInUse || run.status != .running { return .run(run) }
    run?.status = .interrupted
    let journal = RunFolder.journalPath(folder)
    if !isInUse, access(journal, F_OK) == 0 {
      do throws(JournalError) {
        run = try RunFolder.restoreSummary(folder)?.named(id) ?? run
      } catch {
        return run.map(Found.run) ?? .lost(error)
      }
    } else if run == nil, !isInUse, errno == EACCES {
      let reason = SystemError.last.message
      return .lost(JournalError("the journal '\(journal)' cannot be read: \(reason)"))
    }
    return run.map(Found.run) ?? .nothing
  }

  /// Whether the journal of a run is still in the store.
  package func holds(_ id: String) -> Bool {
    access(RunFolder.journalPath(path + "/" + id), F_OK) == 0
  }

  /// A run by its journal, which has facts that a summary of an older version lacks; `nil` if it
  /// cannot be read now.
  package func restored(_ id: String) -> StoredRun? {
    (try? RunFolder.restoreSummary(path + "/" + id))?.named(id)
  }

  /// The process that carries a run out, for people: `process 4711`; `nil` if it is not known.
  package func process(carryingOut id: String) -> String? {
    RunFolder.text(of: RunFolder.lockPath(path + "/" + id)).flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Why no run can be read in a folder of the store.
  package func problem(with id: String) -> String {
    if case .lost(let problem) = lookUp(id) {
      return "its summary is lost, and \(problem.message)"
    }
    return RunFolder.isInUse(path + "/" + id)
      ? "a process is beginning it" : "it has lost its beginning, or never had one"
  }

  /// The runs whose ids begin with a text; all of them if it is empty.
  ///
  /// - Parameter prefix: The beginning of an id.
  public func runs(abbreviatedAs prefix: String) -> [StoredRun] {
    let runs = runs()
    return runs.filter { $0.id.equals(bytes: prefix) }.first.map { [$0] }
      ?? runs.filter { $0.id.hasPrefix(bytes: prefix) }
  }

  /// Where the log lies of what a run did, for its reports.
  package func traceLogPath(of id: String) -> String { RunFolder.traceLogPath(path + "/" + id) }

  /// The trace that a version before logs kept of a run; `nil` if there is none.
  package func trace(of id: String) -> [UInt8]? {
    RunFolder.bytes(of: RunFolder.tracePath(path + "/" + id), limit: 1 << 30)
  }

  /// Removes a run.
  ///
  /// - Parameter id: The whole id of a run.
  /// - Throws: An error if another process is carrying it out, or its folder cannot be removed.
  public func delete(id: String) throws(JournalError) {
    guard isName(id) else { throw JournalError("run '\(id)' does not exist in '\(path)'") }
    let folder = path + "/" + id
    // No process takes it up in the meantime.
    if RunFolder.isOccupied(RunFolder.lockPath(folder)) {
      PrivateFile.remove(RunFolder.lockPath(folder))
    }
    let held = try RunFolder(path: folder)
    defer { withExtendedLifetime(held) {} }
    for name in [
      "run.json", ".run.json", Self.answersName, Self.indexName, "trace.log", "trace.json",
      ".trace.json", "journal.sqlite-wal", "journal.sqlite-shm", "journal.sqlite-journal",
      "journal.sqlite", "lock",
    ] {
      PrivateFile.remove(folder + "/" + name)
    }
    for name in Self.rowFiles(in: folder) { PrivateFile.remove(folder + "/" + name) }
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
      let found = lookUp(id)
      if let run = found.run {
        runs.append(run)
      } else if stat(path + "/" + id, &status) == 0 {
        // Either its process died before the run began, or a person may still repair the journal.
        let longestAge = if case .lost = found { longestAge.seconds } else { 3600.0 }
        if Clock.now - Double(status.modified) > longestAge { try? delete(id: id) }
      }
    }
    var left = mostBytes
    for run in runs.sorted(by: { $0.startedAt > $1.startedAt }) {
      left -= size(of: run.id)
      let isTooOld = Clock.now - (run.endedAt ?? run.startedAt) > longestAge.seconds
      // A person may still answer.
      if let end = run.waitsUntil, end > Clock.now { continue }
      if isTooOld || left < 0, run.status != .running { try? delete(id: run.id) }
    }
  }

  /// The rows of responses that wait beside a journal (`RunOptions.rowFolder`).
  private static func rowFiles(in folder: String) -> [String] {
    ((try? folderEntries(folder)) ?? []).filter { $0.hasPrefix(bytes: "rows-") }
  }

  /// Where the rows of large responses of a run wait.
  package func rowFolder(of id: String) -> String { path + "/" + id }

  /// Removes rows that waited for a run that has succeeded.
  package func removeRows(of id: String) {
    let folder = rowFolder(of: id)
    for name in Self.rowFiles(in: folder) { PrivateFile.remove(folder + "/" + name) }
  }

  private func size(of id: String) -> Int {
    let names = [
      "journal.sqlite", "journal.sqlite-wal", "trace.log", Self.answersName, Self.indexName,
    ]
    return (names + Self.rowFiles(in: path + "/" + id)).reduce(0) { sum, name in
      var status = stat()
      return stat(path + "/" + id + "/" + name, &status) == 0 ? sum + Int(status.st_size) : sum
    }
  }
}

extension stat {
  /// In seconds since 1970-01-01T00:00:00Z.
  var modified: Int {
    #if canImport(Darwin)
      st_mtimespec.tv_sec
    #else
      st_mtim.tv_sec
    #endif
  }
}
