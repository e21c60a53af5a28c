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
  private var left: Duration?
  /// When the request under way began, where that matters.
  private var start: Duration?
  /// What ends polling, where the request that is under way has no time but what polling leaves.
  private(set) var failure: Failure?

  init(of run: RequestRun) {
    self.run = run
    left = run.plan.request.timeout?.value
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
    if let left, left <= .zero {
      throw .transport(
        TransportError(.timeout, "no complete response in time: redirects used it all"))
    }
    if request.timeout != left { request.timeout = left }
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
  mutating func end() {
    if let start, let left { self.left = left - (now - start) }
    start = nil
  }
}
