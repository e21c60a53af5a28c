internal import PipelineHTTPTerms
internal import PipelineLanguage

/// Whether and when a request is sent again, as its policy and the answer say.
struct RetrySchedule: Sendable {
  let policy: RetryPolicy
  /// Whether the method may be repeated at all.
  let isAllowed: Bool
  /// Whether the server must know that attempts are one request: the method is not idempotent, and
  /// is repeated all the same.
  let needsKey: Bool

  init(_ request: Request) {
    policy = request.retry
    let isIdempotent = HTTPMethod.isIdempotent(request.method)
    isAllowed = policy.unsafe || isIdempotent || request.settle != nil
    needsKey = policy.attempts > 1 && policy.unsafe && !isIdempotent
  }

  /// For requests that may be sent twice, whatever their method is.
  init(repeating policy: RetryPolicy) {
    self.policy = policy
    isAllowed = true
    needsKey = false
  }

  func retries(_ error: TransportError) -> Bool {
    switch error.kind {
    case .timeout: policy.on.contains(.timeout)
    case .nameResolution, .connection, .tls, .interrupted, .decoding, .proxy, .handler, .other:
      policy.on.contains(.network)
    case .responseTooLarge, .refusedAddress, .file, .cancelled, .unusable: false
    }
  }

  func retries(status: Int) -> Bool {
    policy.on.contains { cause in
      if case .status(let pattern) = cause { pattern.matches(status) } else { false }
    }
  }

  /// The pause before attempt `attempt` + 1.
  ///
  /// - Parameter random: From `0..<1`.
  func delay(after attempt: Int, random: Double) -> Duration {
    policy.delay(after: attempt, random: random)
  }
}

/// The pause between two attempts.
struct RetryPause: Sendable {
  let duration: Duration
  /// Whether the server asked for it, with `Retry-After`.
  let isAsked: Bool
  /// Why the request is sent again.
  let cause: RequestCause
}
