internal import PipelinePlanning
internal import PipelineURIs
internal import Synchronization

/// Counts the times that one request leaves the machine, within the run's limits and rates.
final class RunMeter: RequestMeter {
  /// Where the request is, as the run's gates see it.
  private enum Place: Sendable {
    case outside, entered, sent
  }

  private struct State {
    var place = Place.entered
    var refusal: FailureReason?
    var sending: Sendings.Sending?
    var waitingTime = Duration.zero
  }

  private let run: RequestRun
  private let parts: RequestRun.Parts
  private let count = Atomic<Int>(0)
  private let state = Mutex(State())

  /// Counts a request that the gates have let in.
  init(_ run: RequestRun, _ parts: RequestRun.Parts) {
    self.run = run
    self.parts = parts
  }

  /// Counts the request, which leaves now if it may.
  package func begin() -> RequestPermission {
    let (gates, origin, callers) = (run.context.gates, parts.value.origin, run.unit.callers)
    do throws(FailureReason) {
      try gates.checkRight()
      if sentCount > 0, gates.hasRate(callers), !isAllowedAgain(gates, origin, callers) {
        try gates.checkRequests(callers)
        return .waits
      }
      guard state.withLock({ $0.sending?.mayLeave() ?? true }) else {
        throw FailureReason(.cancelled, "the run stopped")
      }
      try gates.countRequest(to: origin, callers)
      count.add(1, ordering: .relaxed)
      let isAnnounced = state.withLock { state in
        state.place = .sent
        return state.sending?.leave() ?? false
      }
      if !isAnnounced { run.context.journal?.countRequest() }
      gates.sends(to: origin, callers)
      return .leaves
    } catch {
      state.withLock { $0.refusal = error }
      return .isRefused
    }
  }

  /// Whether the gates let in another round of the request: one entry is for one sending.
  private func isAllowedAgain(
    _ gates: RunGates, _ origin: Origin, _ callers: [Plan]
  ) -> Bool {
    if state.withLock({ $0.place == .entered }) { return true }
    leave()
    guard gates.entersAtOnce(origin, callers) else { return false }
    state.withLock { $0.place = .entered }
    return true
  }

  /// Waits until the next round of the request may leave; `false`: it is given up.
  package func waitForTurn() async -> Bool {
    let start = run.context.options.clock.elapsed
    var failure: FailureReason?
    do throws(RequestRun.AttemptFailure) {
      _ = try await run.enter(parts)
    } catch {
      failure =
        if case .failed(let failure) = error { failure } else {
          FailureReason(.cancelled, "the run stopped")
        }
    }
    let waitingTime = run.context.options.clock.elapsed - start
    state.withLock { state in
      state.waitingTime += waitingTime
      state.refusal = failure
      if failure == nil { state.place = .entered }
    }
    return failure == nil
  }

  /// Gives back the place that the gates let it have, if any.
  func leave() {
    let place = state.withLock { state in
      defer { state.place = .outside }
      return state.place
    }
    guard place != .outside else { return }
    run.context.gates.leave(parts.value.origin, run.unit.callers, wasSent: place == .sent)
  }

  /// The time that polling leaves to a round that waited for its turn; `nil` for the request's own
  /// `timeout`.
  package var timeLimit: Duration? {
    guard let bound = run.pollBound else { return nil }
    return bound.end - run.context.options.clock.elapsed
  }

  /// The number of times that the request left.
  package var sentCount: Int { count.load(ordering: .relaxed) }

  /// How long it waited for its turn between two rounds.
  var waitingTime: Duration { state.withLock { $0.waitingTime } }

  /// The request as the journal knows it, if it must not be sent twice.
  var sending: Sendings.Sending? {
    get { state.withLock { $0.sending } }
    set { state.withLock { $0.sending = newValue } }
  }

  /// The request must not be sent now or again.
  func refuse(_ failure: FailureReason) { state.withLock { $0.refusal = failure } }

  /// The reason why the request did not leave.
  var refusal: FailureReason? { state.withLock { $0.refusal } }
}
