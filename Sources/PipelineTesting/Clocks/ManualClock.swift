public import PipelineKit
internal import Synchronization

/// A clock that a test turns by hand. Nothing that waits for it continues before `advance(by:)`.
public final class ManualClock: RunClock {
  private struct Sleeper {
    let id: Int
    let end: Duration
    let continuation: CheckedContinuation<Bool, Never>
  }

  /// Waits until `count` tasks sleep.
  private struct Observer {
    let id: Int
    let count: Int
    let continuation: CheckedContinuation<Void, Never>
  }

  private struct State {
    var now = Duration.zero
    var nextID = 0
    var sleepers: [Sleeper] = []
    var cancelled: Set<Int> = []
    var observers: [Observer] = []
  }

  private let state = Mutex(State())
  private let wallStart: Double

  /// - Parameter wallTime: The clock's wall time at its start, in seconds since 1970.
  public init(wallTime: Double = 1_767_225_600) {
    wallStart = wallTime
  }

  /// How far the clock has been advanced.
  public var elapsed: Duration { state.withLock { $0.now } }

  /// The time of day, in seconds since 1970-01-01T00:00:00Z. It advances with `elapsed`.
  public var wallTime: Double { wallStart + elapsed.seconds }

  /// Advances the clock and wakes the sleepers that are due, earliest first.
  ///
  /// - Parameter duration: The time by which the clock moves.
  public func advance(by duration: Duration) {
    let due = state.withLock { state in
      state.now += duration
      let due = state.sleepers.filter { $0.end <= state.now }.sorted { $0.end < $1.end }
      state.sleepers.removeAll { $0.end <= state.now }
      return due
    }
    for sleeper in due { sleeper.continuation.resume(returning: true) }
  }

  /// Returns when at least `count` tasks wait for this clock, or when the calling task is
  /// cancelled, as at a test's time limit.
  ///
  /// - Parameter count: The number of waiting tasks.
  public func waitForSleepers(_ count: Int) async {
    let id = newID()
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isOver = state.withLock { state in
          if state.cancelled.remove(id) != nil || state.sleepers.count >= count { return true }
          state.observers.append(Observer(id: id, count: count, continuation: continuation))
          return false
        }
        if isOver { continuation.resume() }
      }
    } onCancel: {
      let observer = state.withLock { state in
        guard let index = state.observers.firstIndex(where: { $0.id == id }) else {
          state.cancelled.insert(id)
          return nil as Observer?
        }
        return state.observers.remove(at: index)
      }
      observer?.continuation.resume()
    }
  }

  private func newID() -> Int {
    state.withLock { state in
      state.nextID += 1
      return state.nextID
    }
  }

  /// The time until the next sleeper is due; `nil` if no task sleeps.
  public var nextWake: Duration? {
    state.withLock { state in state.sleepers.map(\.end).min().map { $0 - state.now } }
  }

  /// Waits until the clock has been advanced by `duration`.
  public func sleep(for duration: Duration) async throws {
    guard duration > .zero else {
      try Task.checkCancellation()
      return
    }
    let id = newID()
    let isOver = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in register(id, duration, continuation) }
    } onCancel: {
      cancel(id)
    }
    if !isOver { throw CancellationError() }
  }

  private func register(
    _ id: Int, _ duration: Duration, _ continuation: CheckedContinuation<Bool, Never>
  ) {
    let (isCancelled, observers) = state.withLock { state in
      if state.cancelled.remove(id) != nil {
        return (true, [] as [CheckedContinuation<Void, Never>])
      }
      state.sleepers.append(
        Sleeper(id: id, end: state.now + duration, continuation: continuation))
      let count = state.sleepers.count
      let reached = state.observers.filter { $0.count <= count }.map(\.continuation)
      state.observers.removeAll { $0.count <= count }
      return (false, reached)
    }
    if isCancelled { continuation.resume(returning: false) }
    for observer in observers { observer.resume() }
  }

  private func cancel(_ id: Int) {
    let sleeper = state.withLock { state in
      guard let index = state.sleepers.firstIndex(where: { $0.id == id }) else {
        state.cancelled.insert(id)
        return nil as Sleeper?
      }
      return state.sleepers.remove(at: index)
    }
    sleeper?.continuation.resume(returning: false)
  }
}
