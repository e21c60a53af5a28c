internal import PipelineByteText
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// A body that a sequence gives. It is read once, when a request first needs it, into a temporary
/// file that every attempt sends: a sequence cannot be asked for the same bytes again.
///
/// The file has the last part of the body's name, which servers and recordings see, and a folder of
/// its own. Both are removed with the last reference to the spool.
final class BodySpool: Sendable {
  /// Reads the sequence to its end, and writes what it gives.
  typealias Source = @Sendable (_ write: ([UInt8]) throws(FileError) -> Void) async throws -> Void

  private enum State {
    case unread(Source)
    case reading(Reading)
    case whole
    case failed(FileError)
  }

  /// The reading serves all tasks that wait for it. It continues if one of them is cancelled.
  private struct Reading {
    let task: Task<Void, Never>
    var waiters: [Int: AsyncStream<Void>.Continuation] = [:]
    var joined = 0

    /// Adds a task that waits.
    mutating func join() -> Next {
      let (end, waiter) = AsyncStream.makeStream(of: Void.self)
      joined += 1
      waiters[joined] = waiter
      return .waits(joined, end)
    }
  }

  /// The next thing for a task that needs the file.
  private enum Next {
    case waits(Int, AsyncStream<Void>)
    case goesOn
    case fails(FileError)
  }

  /// Where the file is, once it is whole.
  let path: String
  /// As the workflow names it.
  private let name: String
  private let folder: String
  private let state: Mutex<State>

  /// - Parameters:
  ///   - name: The path by which a workflow names the body.
  ///   - folder: The folder for temporary files.
  init(_ name: String, in folder: String, _ source: @escaping Source) {
    self.name = name
    self.folder = "\(folder)/pipeline-body-\(String(UInt64.random(in: 0 ... .max), radix: 16))"
    let last = name.split(ascii: "/").last.map(String.init) ?? ""
    let isUsable = last != "." && last != ".." && (1...255).contains(last.utf8.count)
    path = self.folder + "/" + (isUsable && !last.contains(bytes: "\0") ? last : "body")
    state = Mutex(.unread(source))
  }

  deinit { remove() }

  private func remove() {
    unlink(path)
    rmdir(folder)
  }

  /// Returns when the file is whole.
  ///
  /// - Parameter executor: Where the sequence is read.
  /// - Throws: `FileError` if the sequence threw, was given up, or cannot be kept.
  func fill(on executor: any TaskExecutor) async throws(FileError) {
    while true {
      switch next(on: executor) {
      case .goesOn: return
      case .fails(let error): throw error
      case .waits(let number, let end):
        // Ends when the file is whole, and when this task is cancelled.
        for await _ in end {}
        guard Task.isCancelled else { continue }
        await leave(number)
        throw givenUp
      }
    }
  }

  private func next(on executor: any TaskExecutor) -> Next {
    state.withLock { state in
      switch state {
      case .whole: return .goesOn
      case .failed(let error): return .fails(error)
      case .unread(let source):
        // Off the threads that carry requests.
        var reading = Reading(
          task: Task(executorPreference: executor) { self.settle(await self.read(source)) })
        defer { state = .reading(reading) }
        return reading.join()
      case .reading(var reading):
        defer { state = .reading(reading) }
        return reading.join()
      }
    }
  }

  /// How many tasks wait for the file.
  var waiterCount: Int {
    state.withLock { if case .reading(let reading) = $0 { reading.waiters.count } else { 0 } }
  }

  private func settle(_ error: FileError?) {
    let waiters = state.withLock { state in
      defer { state = error.map { .failed($0) } ?? .whole }
      if case .reading(let reading) = state { return Array(reading.waiters.values) }
      return []
    }
    for waiter in waiters { waiter.finish() }
  }

  /// A task was cancelled while it waited. The reading ends with the last one.
  private func leave(_ number: Int) async {
    let task = state.withLock { state -> Task<Void, Never>? in
      guard case .reading(var reading) = state else { return nil }
      reading.waiters[number] = nil
      state = .reading(reading)
      return reading.waiters.isEmpty ? reading.task : nil
    }
    task?.cancel()
    await task?.value
  }

  private func read(_ source: Source) async -> FileError? {
    mkdir(folder, 0o700)
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return unkept(SystemError.last) }
    var failure: FileError?
    do {
      try await source { bytes throws(FileError) in
        let number = writeAll(bytes, to: descriptor)
        guard number == 0 else { throw self.unkept(SystemError(number)) }
      }
      // Many sequences end, and throw nothing, if their task is cancelled.
      if Task.isCancelled { failure = givenUp }
    } catch let error as FileError {
      failure = error
    } catch {
      failure =
        Task.isCancelled
        ? givenUp
        : FileError(
          "'\(name)' cannot be read: its sequence threw: \(Handlers.message(of: error))")
    }
    if close(descriptor) != 0 { failure = failure ?? unkept(SystemError.last) }
    if failure != nil { remove() }
    return failure
  }

  private func unkept(_ error: SystemError) -> FileError {
    FileError("'\(name)' cannot be kept in '\(folder)': \(error.message)")
  }

  private var givenUp: FileError {
    FileError(
      "'\(name)' cannot be read: the steps that needed it were cancelled while its sequence was"
        + " read; add it again")
  }
}
