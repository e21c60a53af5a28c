internal import Dispatch
internal import Synchronization

/// The tasks that wait for the machine's clock, and the one timer that wakes them.
///
/// A cancelled `Task.sleep` keeps its memory and its timer until its time comes. Almost every run
/// ends before its deadline, so a server would keep something of each run for an hour. Here a
/// cancelled wait is forgotten at once.
package final class SleepQueue: Sendable {
  /// The queue of `SystemClock`.
  package static let shared = SleepQueue()

  package typealias Instant = ContinuousClock.Instant
  /// Resumed with `false` if the task is cancelled before its time comes.
  private typealias Continuation = CheckedContinuation<Bool, Never>

  private enum Sleeper {
    /// It is about to wait.
    case arriving
    /// The sleeper was cancelled before it waited.
    case cancelled
    case asleep(until: Instant, Continuation)
  }

  private struct Moment: Comparable {
    let end: Instant
    let id: Int

    static func < (left: Moment, right: Moment) -> Bool {
      (left.end, left.id) < (right.end, right.id)
    }
  }

  private struct State {
    let timer: any DispatchSourceTimer
    var lastID = 0
    var sleepers: [Int: Sleeper] = [:]
    /// When sleepers must wake. Some of them may have been cancelled.
    var moments = Heap<Moment>()
    /// When the timer fires; `nil` if it is not set.
    var alarm: Instant?
  }

  private let state: Mutex<State>
  private let now: @Sendable () -> Instant

  /// The timer stands still while the machine sleeps, and the clock does not. So the clock is looked
  /// at this often while anything waits.
  private static let longestAlarm = Duration.seconds(60)

  /// - Parameter now: The clock. For a clock other than the machine's, the caller must call `wake`.
  package init(now: @escaping @Sendable () -> Instant = { .now }) {
    self.now = now
    let timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "pipeline.sleep"))
    state = Mutex(State(timer: timer))
    state.withLock { state in
      state.timer.setEventHandler { [weak self] in self?.wake() }
      state.timer.activate()
    }
  }

  deinit { state.withLock { $0.timer.cancel() } }

  /// How many tasks wait.
  package var count: Int { state.withLock { $0.sleepers.count } }

  /// How many moments are kept: those of waiting tasks, and fewer than as many again.
  package var momentCount: Int { state.withLock { $0.moments.count } }

  /// Waits, or throws when the task is cancelled.
  package func sleep(for duration: Duration) async throws {
    try Task.checkCancellation()
    guard duration > .zero else { return }
    let end = now() + duration
    let id = state.withLock { state in
      state.lastID += 1
      state.sleepers[state.lastID] = .arriving
      return state.lastID
    }
    let isOver = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in sleep(id, until: end, continuation) }
    } onCancel: {
      cancel(id)
    }
    if !isOver { throw CancellationError() }
  }

  private func sleep(_ id: Int, until end: Instant, _ continuation: Continuation) {
    let isCancelled = state.withLock { state in
      if case .cancelled? = state.sleepers[id] {
        state.sleepers[id] = nil
        return true
      }
      state.sleepers[id] = .asleep(until: end, continuation)
      state.moments.insert(Moment(end: end, id: id))
      Self.setAlarm(&state, at: now())
      return false
    }
    if isCancelled { continuation.resume(returning: false) }
  }

  private func cancel(_ id: Int) {
    let continuation = state.withLock { state -> Continuation? in
      switch state.sleepers[id] {
      case .arriving?: state.sleepers[id] = .cancelled
      case .asleep(_, let continuation)?:
        state.sleepers[id] = nil
        Self.forgetCancelled(&state)
        return continuation
      // It has woken.
      case .cancelled?, nil: break
      }
      return nil
    }
    continuation?.resume(returning: false)
  }

  /// Removes the moments of cancelled sleepers when they are the greater part.
  ///
  /// - Complexity: Constant for each cancelled sleeper, on average.
  private static func forgetCancelled(_ state: inout State) {
    guard state.moments.count > 2 * state.sleepers.count + 64 else { return }
    state.moments = Heap()
    for (id, sleeper) in state.sleepers {
      if case .asleep(let end, _) = sleeper { state.moments.insert(Moment(end: end, id: id)) }
    }
  }

  /// Wakes all whose time has come. The timer calls it.
  package func wake() {
    let due = state.withLock { state in
      let now = now()
      state.alarm = nil
      var due: [Continuation] = []
      while let first = state.moments.first {
        guard case .asleep(_, let continuation)? = state.sleepers[first.id] else {
          _ = state.moments.removeFirst()
          continue
        }
        if first.end > now { break }
        _ = state.moments.removeFirst()
        state.sleepers[first.id] = nil
        due.append(continuation)
      }
      Self.setAlarm(&state, at: now)
      return due
    }
    for continuation in due { continuation.resume(returning: true) }
  }

  /// Sets the timer for the first moment, unless it fires before.
  private static func setAlarm(_ state: inout State, at now: Instant) {
    guard let first = state.moments.first?.end else { return }
    let alarm = min(first, now + longestAlarm)
    if let set = state.alarm, set <= alarm { return }
    state.alarm = alarm
    let left = max(.zero, now.duration(to: alarm)).components
    // Rounded up, so that the moment has come when the timer fires.
    let nanoseconds = left.seconds * 1_000_000_000 + left.attoseconds / 1_000_000_000 + 1
    state.timer.schedule(deadline: .now() + .nanoseconds(Int(nanoseconds)))
  }
}
