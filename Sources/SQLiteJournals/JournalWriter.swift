internal import Dispatch
internal import PipelineJournals
internal import Synchronization

/// Writes the entries of a journal, in groups, on a private queue.
final class JournalWriter: Sendable {
  private struct Pending {
    var entries: [JournalEntry] = []
    var waiting: [CheckedContinuation<JournalError?, Never>] = []
    /// Whether a write will come by itself, and whether it comes at once.
    var isScheduled = false
    var isUrgent = false
    var problem: JournalError?

    /// Has everything written at once. Returns whether a write is to be started.
    mutating func hurry() -> Bool {
      guard !isUrgent else { return false }
      isUrgent = true
      isScheduled = true
      return true
    }
  }

  /// When a write is to be started.
  private enum Moment { case now, later, never }

  private let queue = DispatchQueue(label: "pipeline.journal")
  private let pending = Mutex(Pending())
  /// Used on the queue alone; `nil` once it is closed.
  nonisolated(unsafe) private var file: JournalFile?
  nonisolated(unsafe) private var place: JournalPlace?
  nonisolated(unsafe) private var folder: RunFolder?
  nonisolated(unsafe) private var summary: LiveSummary?
  nonisolated(unsafe) private var isRefreshDue = false
  /// Empty, with the memory of an earlier group for the next one. Used on the queue alone.
  nonisolated(unsafe) private var spare: [JournalEntry] = []

  private static let isClosed = JournalError("the journal is closed")
  private static let pause = DispatchTimeInterval.milliseconds(50)
  private static let groupSize = 500

  /// - Parameter folder: The run's folder, which no other process has while this one writes.
  init(path: String, folder: RunFolder?) throws(JournalError) {
    let place = try JournalPlace(
      path: path, companions: folder.map { [RunFolder.summaryPath($0.path)] } ?? [],
      folderCount: folder?.newFolderCount ?? 4)
    file = try JournalFile(path: path)
    place.noteLog()
    self.place = place
    self.folder = folder
    summary = folder.map { LiveSummary(folder: $0.path) }
  }

  /// Writes what is left, and closes the file.
  func close() {
    queue.sync {
      write(isAwaited: false)
      file = nil
      place = nil
      summary = nil
      folder = nil
      // Later commits must not seem to be kept.
      pending.withLock { $0.problem = $0.problem ?? Self.isClosed }
    }
  }

  func append(_ entry: JournalEntry) {
    let moment: Moment = pending.withLock { pending in
      guard pending.problem == nil else { return .never }
      pending.entries.append(entry)
      if pending.entries.count >= Self.groupSize { return pending.hurry() ? .now : .never }
      if pending.isScheduled { return .never }
      pending.isScheduled = true
      return .later
    }
    start(moment)
  }

  /// Makes the queue write. The lock is not held then, because waking its thread takes long.
  private func start(_ moment: Moment) {
    switch moment {
    case .now: queue.async { self.write(isAwaited: false) }
    case .later:
      queue.asyncAfter(deadline: .now() + Self.pause) { self.write(isAwaited: false) }
    case .never: break
    }
  }

  func commit(
    _ entry: JournalEntry, surviving survival: JournalSurvival
  ) async throws(JournalError) {
    let problem: JournalError?
    switch survival {
    case .process:
      problem =
        pending.withLock { pending in
          if pending.problem == nil { pending.entries.append(entry) }
          return pending.problem
        } ?? writeNow()
    case .power:
      problem = await withCheckedContinuation { continuation in
        let moment: Moment = pending.withLock { pending in
          if let problem = pending.problem {
            continuation.resume(returning: problem)
            return .never
          }
          pending.entries.append(entry)
          pending.waiting.append(continuation)
          return pending.hurry() ? .now : .never
        }
        self.start(moment)
      }
    }
    if let problem { throw problem }
  }

  func finish() async -> JournalError? { writeNow() }

  /// Has everything written on the calling thread, since nothing waits for the disk: a short run
  /// ends before another thread would have begun.
  private func writeNow() -> JournalError? {
    queue.sync { write(isAwaited: true) }
    return pending.withLock { $0.problem }
  }

  /// - Parameter isAwaited: Whether a caller waits that is not among those that wait for the disk.
  private func write(isAwaited: Bool) {
    var entries: [JournalEntry] = []
    swap(&entries, &spare)
    let waiting = pending.withLock { pending in
      defer {
        pending.waiting = []
        pending.isScheduled = false
        pending.isUrgent = false
      }
      swap(&pending.entries, &entries)
      return pending.waiting
    }
    defer {
      entries.removeAll(keepingCapacity: true)
      spare = entries
    }
    guard !entries.isEmpty || !waiting.isEmpty || isAwaited else { return }
    var problem = pending.withLock { $0.problem }
    if problem == nil {
      do throws(JournalError) {
        if !entries.isEmpty {
          try file?.write(entries, survivesPowerLoss: !waiting.isEmpty)
          if let file { summary?.note(entries, file) }
          refreshLater()
        }
        if !waiting.isEmpty { try place?.makeDurable() }
        if !waiting.isEmpty || isAwaited { try place?.check() }
      } catch {
        problem = error
        pending.withLock { $0.problem = error }
      }
    }
    for continuation in waiting { continuation.resume(returning: problem) }
  }

  /// Schedules the summary to be written again, if there is news that it lacks.
  private func refreshLater() {
    guard summary?.isStale == true, !isRefreshDue else { return }
    isRefreshDue = true
    queue.asyncAfter(deadline: .now() + LiveSummary.pause) {
      self.isRefreshDue = false
      self.summary?.refresh()
      self.refreshLater()
    }
  }

  /// Reads from the file.
  func read<Value>(
    _ body: (JournalFile) throws(JournalError) -> Value
  ) throws(JournalError) -> Value {
    let result: Result<Value, JournalError> = queue.sync {
      guard let file else { return .failure(Self.isClosed) }
      do throws(JournalError) { return .success(try body(file)) } catch { return .failure(error) }
    }
    return try result.get()
  }

  /// Reads from the file while the caller continues.
  func readAhead(_ body: @escaping @Sendable (JournalFile) -> Void) {
    queue.async {
      if let file = self.file { body(file) }
    }
  }
}
