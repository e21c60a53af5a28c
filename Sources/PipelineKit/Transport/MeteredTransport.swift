internal import PipelineLanguage
internal import PipelinePlanning
internal import PipelineURIs
internal import Synchronization

/// A transport that asks each time before a request leaves the machine.
///
/// Some requests leave more than once (digest authentication), others never: no connection was
/// made, or the run stopped first. The engine counts requests of any other transport when it hands
/// them over.
package protocol MeteredTransport: Transport {
  /// Sends `request`, and asks `meter` immediately before its first byte leaves, each time.
  func send(
    _ request: TransportRequest, _ meter: RequestMeter
  ) async throws(TransportError) -> TransportResponse
}

/// Counts how often one request leaves the machine, within the run's limits and rates.
package final class RequestMeter: Sendable {
  /// The decision on a request that is about to leave.
  package enum Permission: Sendable {
    case leaves
    /// It leaves once `waitForTurn` has returned `true`.
    case waits
    /// A limit is reached: it must not leave.
    case isRefused
  }

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

  private let run: (run: RequestRun, parts: RequestRun.Parts)?
  private let count = Atomic<Int>(0)
  private let state = Mutex(State())

  /// Counts a request that the gates have let in.
  init(_ run: RequestRun, _ parts: RequestRun.Parts) {
    self.run = (run, parts)
  }

  /// Counts without a limit.
  package init() {
    run = nil
  }

  /// Counts the request, which leaves now if it may.
  package func begin() -> Permission {
    guard let (run, parts) = run else {
      count.add(1, ordering: .relaxed)
      return .leaves
    }
    let (context, origin, callers) = (run.context, parts.value.origin, run.unit.callers)
    do throws(FailureReason) {
      try context.checkRight()
      if sentCount > 0, context.hasRate(callers), !isAllowedAgain(context, origin, callers) {
        try context.checkRequests(callers)
        return .waits
      }
      guard state.withLock({ $0.sending?.mayLeave() ?? true }) else {
        throw FailureReason(.cancelled, "the run stopped")
      }
      try context.countRequest(callers)
      count.add(1, ordering: .relaxed)
      let isAnnounced = state.withLock { state in
        state.place = .sent
        return state.sending?.leave() ?? false
      }
      if !isAnnounced { context.journal?.countRequest() }
      context.sends(to: origin, callers)
      return .leaves
    } catch {
      state.withLock { $0.refusal = error }
      return .isRefused
    }
  }

  /// Whether the gates let in another round of the request: one entry is for one sending.
  private func isAllowedAgain(
    _ context: RunContext, _ origin: Origin, _ callers: [Plan]
  ) -> Bool {
    if state.withLock({ $0.place == .entered }) { return true }
    leave()
    guard context.entersAtOnce(origin, callers) else { return false }
    state.withLock { $0.place = .entered }
    return true
  }

  /// Waits until the next round of the request may leave; `false`: it is given up.
  package func waitForTurn() async -> Bool {
    guard let (run, parts) = run else { return true }
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
    guard let (run, parts) = run else { return }
    let place = state.withLock { state in
      defer { state.place = .outside }
      return state.place
    }
    guard place != .outside else { return }
    run.context.leave(parts.value.origin, run.unit.callers, wasSent: place == .sent)
  }

  /// The time that polling leaves to a round that waited for its turn; `nil`: the request's own
  /// `timeout`.
  package var timeLimit: Duration? {
    guard let run = run?.run, let bound = run.pollBound else { return nil }
    return bound.end - run.context.options.clock.elapsed
  }

  /// How often the request left.
  package var sentCount: Int { count.load(ordering: .relaxed) }

  /// How long it waited for its turn between two rounds.
  var waitingTime: Duration { state.withLock { $0.waitingTime } }

  /// The request as the journal knows it, if nobody may send it twice.
  var sending: Sendings.Sending? {
    get { state.withLock { $0.sending } }
    set { state.withLock { $0.sending = newValue } }
  }

  /// The request must not be sent now or again.
  func refuse(_ failure: FailureReason) { state.withLock { $0.refusal = failure } }

  /// The reason why the request did not leave.
  var refusal: FailureReason? { state.withLock { $0.refusal } }
}
