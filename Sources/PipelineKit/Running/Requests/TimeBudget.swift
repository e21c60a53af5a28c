internal import Workflows

/// When polling is over, and what is said then.
struct PollBound: Sendable {
  /// On the run's clock.
  let end: Duration
  let failure: Failure
}

/// What an attempt may still take: the step's `timeout`, for all its redirects together, and no
/// longer than polling may.
struct TimeBudget {
  private let run: RequestRun
  /// What the author allows; `nil`: any time.
  private let total: Duration?
  private var left: Duration?
  /// When the request under way began, where that matters.
  private var start: Duration?
  /// What ends polling, where the request that is under way has no time but what polling leaves.
  private(set) var failure: Failure?

  init(of run: RequestRun) {
    self.run = run
    total = run.plan.request.timeout?.total?.value
    left = total
  }

  /// What the requests before the one under way took.
  var timeBefore: Duration {
    guard let total, let left else { return .zero }
    return total - max(left, .zero)
  }

  private var bound: PollBound? { run.pollBound }
  private var now: Duration { run.context.options.clock.elapsed }

  /// The request with the time that it may take, which begins now.
  @inline(never)
  mutating func begin(
    _ request: HTTPRequest
  ) throws(RequestRun.AttemptFailure) -> HTTPRequest {
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
  /// - Parameter waitingTime: How long it was held back meanwhile.
  mutating func end(without waitingTime: Duration) {
    if let start, let left { self.left = left - (now - start - waitingTime) }
    start = nil
  }
}
