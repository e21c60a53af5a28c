internal import PipelineLanguage

/// The end of polling, and its message.
struct PollBound: Sendable {
  /// On the run's clock.
  let end: Duration
  let failure: FailureReason
}

/// The time left for an attempt: the step's `timeout`, for all its redirects together, but no
/// longer than polling may take.
struct TimeBudget {
  /// The author's limit; `nil` for any time.
  private let total: Duration?
  private let bound: PollBound?
  private let clock: any RunClock
  private var left: Duration?
  /// When the request under way began, if that matters.
  private var start: Duration?
  /// The end of polling, if it alone limits the request under way.
  private(set) var failure: FailureReason?

  /// - Parameters:
  ///   - total: The author's limit; `nil` for any time.
  ///   - bound: When polling is over, if the step polls.
  init(_ total: Duration?, within bound: PollBound?, on clock: any RunClock) {
    self.total = total
    self.bound = bound
    self.clock = clock
    left = total
  }

  /// The time that the requests before the one under way took.
  var timeBefore: Duration {
    guard let total, let left else { return .zero }
    return total - max(left, .zero)
  }

  private var now: Duration { clock.elapsed }

  /// The request with the time that it may take, which begins now.
  @inline(never)
  mutating func begin(
    _ request: TransportRequest
  ) throws(RequestRun.AttemptFailure) -> TransportRequest {
    failure = nil
    guard left != nil || bound != nil else { return request }
    var request = request
    let now = now
    if let left, let total, left <= .zero {
      var error = TransportError(.timeout, "no complete response within \(total.shown)")
      error.sentCount = 0
      error.timeBefore = timeBefore
      throw .transport(error)
    }
    if request.timeout != left {
      request.timeout = left
      request.statedTimeout = total
    }
    if let bound {
      let rest = bound.end - now
      guard rest > .zero else { throw .failed(bound.failure) }
      if left.map({ rest < $0 }) ?? true {
        request.timeout = rest
        failure = bound.failure
      }
    }
    start = now
    return request
  }

  /// The request that began last has ended.
  ///
  /// - Parameter waitingTime: How long it was held back in that time.
  mutating func end(without waitingTime: Duration) {
    if let start, let left { self.left = left - (now - start - waitingTime) }
    start = nil
  }
}
