internal import PipelineFiles
internal import PipelineJournals

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// The folder of one run: its journal, a lock that is held by the process that carries it out, and
/// a summary that can be read at any time.
final class RunFolder: Sendable {
  let path: String
  /// The number of folders, from this one outwards, whose entries may be new.
  let newFolderCount: Int
  /// Held for as long as the folder is in use.
  private let lock: Int32

  var journalPath: String { Self.journalPath(path) }

  static func journalPath(_ folder: String) -> String { folder + "/journal.sqlite" }
  static func summaryPath(_ folder: String) -> String { folder + "/run.json" }
  static func traceLogPath(_ folder: String) -> String { folder + "/trace.log" }
  static func tracePath(_ folder: String) -> String { folder + "/trace.json" }
  static func lockPath(_ folder: String) -> String { folder + "/lock" }

  /// Takes a run's folder, which is made if it is missing.
  ///
  /// - Parameter madeFolders: How many of the folders around it this process has made.
  /// - Throws: An error if another process has it.
  init(path: String, madeFolders: Int = 0) throws(JournalError) {
    self.path = path
    // The run's folder, the one of all runs, the store's, and the one around it.
    newFolderCount = 2 + max(2, madeFolders)
    mkdir(path, 0o700)
    let lock = PrivateFile.opened(Self.lockPath(path))
    guard lock >= 0 else {
      throw JournalError("the folder '\(path)' cannot be written: \(SystemError.last.message)")
    }
    guard Self.take(lock, of: path) else {
      close(lock)
      throw Self.isBusy(path)
    }
    // Set last: after an error, `deinit` would close the file again, and its number may already
    // belong to another file.
    self.lock = lock
    ftruncate(lock, 0)
    _ = writeAll(Array("process \(getpid())".utf8), to: lock)
  }

  /// Takes the lock for a process that carries the run out, after those that only read have ended.
  /// `false`: another process carries it out.
  private static func take(_ lock: Int32, of path: String) -> Bool {
    while flock(lock, LOCK_EX | LOCK_NB) != 0 {
      guard flock(lock, LOCK_SH | LOCK_NB) == 0 else { return false }
      flock(lock, LOCK_UN)
      FolderLock(path)?.release()
    }
    return true
  }

  deinit { Self.release(lock) }

  /// Gives a lock back, even if a child of this process has the file open until it runs its
  /// program.
  private static func release(_ lock: Int32) {
    flock(lock, LOCK_UN)
    close(lock)
  }

  /// Reads the journal of a run that no process carries out. Of several that read, each waits for
  /// its turn.
  ///
  /// - Throws: An error if a process is carrying the run out, or the journal cannot be read.
  static func reading<Value>(
    _ path: String, _ body: (JournalFile) throws(JournalError) -> Value
  ) throws(JournalError) -> Value {
    let lock = PrivateFile.opened(lockPath(path))
    guard lock >= 0 else {
      throw JournalError("the folder '\(path)' cannot be written: \(SystemError.last.message)")
    }
    defer { release(lock) }
    guard flock(lock, LOCK_SH | LOCK_NB) == 0 else { throw isBusy(path) }
    let turn = FolderLock(path)
    defer { turn?.release() }
    // Refuses what SQLite would wait for.
    let place = try JournalPlace(path: journalPath(path), companions: [], folderCount: 0)
    defer { withExtendedLifetime(place) {} }
    return try body(try JournalFile(path: journalPath(path)))
  }

  private static func isBusy(_ path: String) -> JournalError {
    let holder = text(of: lockPath(path)) ?? ""
    return JournalError(
      "another process" + (holder.isEmpty ? "" : " (\(holder))") + " is carrying this run out")
  }

  /// Whether a process is carrying the run out.
  static func isInUse(_ path: String) -> Bool {
    guard let lock = try? RegularFile.open(lockPath(path), O_RDONLY) else { return false }
    defer { release(lock) }
    return flock(lock, LOCK_SH | LOCK_NB) != 0
  }

  /// Whether something else, such as a folder or a pipe, is where one of the files should be.
  static func isOccupied(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT != S_IFREG
  }

  // MARK: The summary

  /// The run as its journal has it, which becomes its summary; `nil` if it has not begun.
  ///
  /// - Throws: An error as for `reading`.
  static func restoreSummary(_ path: String) throws(JournalError) -> StoredRun? {
    try reading(path) { journal throws(JournalError) in
      let run = try journal.summary()
      if let run { LiveSummary.write(run, to: path) }
      return run
    }
  }

  /// The content of a small file; `nil` if it cannot be read.
  static func text(of path: String) -> String? {
    bytes(of: path, limit: 1 << 16).map { String(decoding: $0, as: UTF8.self) }
  }

  /// The first bytes of a file; `nil` if it cannot be read.
  static func bytes(of path: String, limit: Int) -> [UInt8]? {
    guard let file = try? RegularFile.open(path, O_RDONLY | O_NOFOLLOW) else { return nil }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return [UInt8](unsafeUninitializedCapacity: min(limit, Int(status.st_size))) { buffer, count in
      #if canImport(Glibc)
        count = max(0, Glibc.read(file, buffer.baseAddress, buffer.count))
      #else
        count = max(0, Darwin.read(file, buffer.baseAddress, buffer.count))
      #endif
    }
  }
}

/// The turn of one of several processes that read a run.
private struct FolderLock {
  private let folder: Int32

  /// Waits for the turn. `nil` if the folder cannot be locked, so that SQLite decides.
  init?(_ path: String) {
    folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard folder >= 0 else { return nil }
    while flock(folder, LOCK_EX) != 0 {
      if errno != EINTR {
        close(folder)
        return nil
      }
    }
  }

  func release() {
    flock(folder, LOCK_UN)
    close(folder)
  }
}
