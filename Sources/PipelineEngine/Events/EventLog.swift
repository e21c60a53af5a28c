internal import Synchronization

/// Hands the events of a run to its listeners, and keeps the first of them for later listeners.
final class EventLog: Sendable {
  private struct State {
    var kept: [RunEvent] = []
    /// The event that ends the run, which everybody gets.
    var last: RunEvent?
    var isEnded = false
    var listeners: [Int: AsyncStream<RunEvent>.Continuation] = [:]
    var listenerCount = 0
  }

  private let limit: Int
  private let state = Mutex(State())
  /// Whether the next event goes to anybody.
  private let isWantedNow: Atomic<Bool>

  /// - Parameter limit: How many events are kept.
  init(limit: Int) {
    self.limit = max(0, limit)
    isWantedNow = Atomic(limit > 0)
  }

  /// Whether an event that is made now goes to anybody, or is kept.
  var isWanted: Bool { isWantedNow.load(ordering: .relaxed) }

  func append(_ event: RunEvent) {
    state.withLock { state in
      if state.kept.count < limit {
        state.kept.append(event)
      } else if case .runFinished = event.kind {
        state.last = event
      }
      for listener in state.listeners.values { listener.yield(event) }
      update(state)
    }
  }

  /// The events from the first one on. Those that were not kept are left out, which a note says.
  func listen() -> AsyncStream<RunEvent> {
    let (stream, listener) = AsyncStream.makeStream(of: RunEvent.self)
    let isEnded = state.withLock { state in
      for event in state.kept { listener.yield(event) }
      if limit > 0, state.kept.count == limit, let time = state.kept.last?.time {
        listener.yield(RunEvent(time: time, kind: .note(gap)))
      }
      if let last = state.last { listener.yield(last) }
      guard !state.isEnded else { return true }
      state.listenerCount += 1
      let number = state.listenerCount
      state.listeners[number] = listener
      listener.onTermination = { [weak self] _ in self?.forget(number) }
      update(state)
      return false
    }
    if isEnded { listener.finish() }
    return stream
  }

  /// The run has ended: no event follows.
  func finish() {
    let listeners = state.withLock { state in
      state.isEnded = true
      defer { state.listeners = [:] }
      return state.listeners
    }
    for listener in listeners.values { listener.finish() }
  }

  private func forget(_ number: Int) {
    let listener = state.withLock { state in
      defer { update(state) }
      return state.listeners.removeValue(forKey: number)
    }
    // Let go of here, since it may be the last reference, and ends what it refers to.
    _ = listener
  }

  private func update(_ state: State) {
    isWantedNow.store(
      !state.listeners.isEmpty || state.kept.count < limit, ordering: .relaxed)
  }

  private var gap: RunEvent.Note {
    RunEvent.Note(
      step: nil, message: "events that followed the first \(limit) are left out: they were not kept"
    )
  }
}
