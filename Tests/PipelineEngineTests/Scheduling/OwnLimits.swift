import PipelineKit

/// A transport that no time limit of a request ends: neither the run nor a script has a sleeper for
/// one on the clock.
struct OwnLimits: Transport {
  let inner: any Transport

  init(_ inner: any Transport) { self.inner = inner }

  var keepsTimeLimits: Bool { true }

  func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
    try await inner.send(request)
  }
}
