internal import PipelineJSONText
internal import PipelineKit
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// A file that events are written to while they happen, one JSON object a line.
final class EventsFile: Sendable {
  private struct State {
    var writer = JSONWriter()
    var buffer: [UInt8] = []
    var errorNumber: Int32 = 0
    /// Whether the events of an earlier run are gone.
    var isEmptied = false
  }

  let path: String
  private let descriptor: Int32
  private let state = Mutex(State())

  private static let bufferSize = 1 << 16

  /// Makes the file, unless another run is writing to it. It is emptied with the first event: a run
  /// that is refused changes nothing.
  init(path: String) throws(PathProblem) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw PathProblem(path: path, reason: SystemError.last.message) }
    self.path = path
    var status = stat()
    if fstat(descriptor, &status) == 0, let standard = standardDescriptor(writing: status) {
      // Others write there, too: nothing of theirs is removed.
      close(descriptor)
      self.descriptor = dup(standard)
      state.withLock { $0.isEmptied = true }
      return
    }
    do throws(PathProblem) {
      try Self.claim(descriptor, path)
    } catch {
      close(descriptor)
      throw error
    }
    self.descriptor = descriptor
  }

  /// Locks a file until it is closed. Terminals and pipes may have several writers.
  private static func claim(_ descriptor: Int32, _ path: String) throws(PathProblem) {
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return }
    // Events are written even on a file system without locks.
    guard flock(descriptor, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK else { return }
    throw PathProblem(
      path: path, reason: "another run writes its events there; name another file")
  }

  private func empty(_ state: inout State) {
    state.isEmptied = true
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return }
    if ftruncate(descriptor, 0) != 0 { state.errorNumber = errno }
  }

  deinit {
    close(descriptor)
  }

  func write(_ event: RunEvent) {
    state.withLock { state in
      state.writer.reset()
      event.write(to: &state.writer)
      state.buffer += state.writer.bytes
      state.buffer.append(0x0A)
      if state.buffer.count >= Self.bufferSize { flush(&state) }
    }
  }

  /// Flushes the buffer, so that a reader sees it soon.
  func flush() {
    state.withLock { flush(&$0) }
  }

  /// Writes the rest, gives the file free for another run, and gives why not all could be written.
  func finish() -> PathProblem? {
    let errorNumber = state.withLock { state in
      flush(&state)
      return state.errorNumber
    }
    // Not only when it is closed: other parts of the run may hold it for a moment longer.
    flock(descriptor, LOCK_UN)
    return errorNumber == 0
      ? nil : PathProblem(path: path, reason: SystemError(errorNumber).message)
  }

  private func flush(_ state: inout State) {
    guard !state.buffer.isEmpty else { return }
    if !state.isEmptied { empty(&state) }
    if state.errorNumber == 0 { state.errorNumber = writeAll(state.buffer, to: descriptor) }
    state.buffer.removeAll(keepingCapacity: true)
  }
}
