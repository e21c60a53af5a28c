internal import PipelineLanguage
internal import PipelinePlanning
internal import Synchronization

/// The limits of a called file, for all of its calls together.
final class CalledFile: Sendable {
  /// `nil` if the file does not limit the requests in flight.
  let gates: OriginGates?
  private let workflow: Workflow
  private let requests = Atomic<Int>(0)
  private let received = Atomic<Int>(0)

  init(
    _ workflow: Workflow, clock: any RunClock, sharing: (any LimitSharing)? = nil
  ) {
    self.workflow = workflow
    let names = workflow.limitNames
    guard !names.isDisjoint(with: ["concurrency", "perOrigin", "rate", "ratePerOrigin"]) else {
      gates = nil
      return
    }
    let limits = workflow.limits
    gates = OriginGates(
      limits: OriginGates.Limits(
        run: names.contains("concurrency") ? limits.concurrency : .max,
        origin: limits.perOrigin ?? .max, runRate: limits.rate, originRate: limits.ratePerOrigin),
      clock: clock, sharing: sharing, of: workflow.source.name)
  }

  /// - Throws: A failure if the file has sent as many requests, or received as much, as it may.
  func checkRequests() throws(FailureReason) {
    let names = workflow.limitNames
    if names.contains("requests"), requests.load(ordering: .relaxed) >= workflow.limits.requests {
      throw tooManyRequests
    }
    if let bytes = workflow.limits.bytes, received.load(ordering: .relaxed) >= bytes {
      throw FailureReason(
        .limit,
        "'\(workflow.name)' has received \(SizeText.text(bytes)); its 'limits.bytes' sets how much"
          + " it may receive")
    }
  }

  func countReceived(_ count: Int) { received.add(count, ordering: .relaxed) }

  func countRequest() throws(FailureReason) {
    let count = requests.add(1, ordering: .relaxed).newValue
    guard count <= workflow.limits.requests else {
      requests.subtract(1, ordering: .relaxed)
      throw tooManyRequests
    }
  }

  private var tooManyRequests: FailureReason {
    let most = workflow.limits.requests
    return FailureReason(
      .limit,
      "'\(workflow.name)' has sent \(most) request\(most == 1 ? "" : "s"); its 'limits.requests'"
        + " sets how many it may send")
  }
}

extension Limits {
  /// The limits on one request, lowered by those of the called files around it.
  func lowered(by callers: [Plan]) -> Limits {
    guard !callers.isEmpty else { return self }
    var lowered = self
    for caller in callers {
      let names = caller.workflow.limitNames
      let other = caller.workflow.limits
      if names.contains("responseSize") {
        lowered.responseSize = min(lowered.responseSize, other.responseSize)
      }
      if names.contains("retryAfter") {
        lowered.retryAfter = min(lowered.retryAfter, other.retryAfter)
      }
      if names.contains("memory") { lowered.memory = min(lowered.memory, other.memory) }
    }
    return lowered
  }
}
