package import PipelineKit

/// Sends requests with another transport, and shows each request and its response.
package final class WatchedTransport: MeteredTransport {
  private let transport: any Transport
  private let metered: (any MeteredTransport)?
  private let watch: @Sendable (TransportRequest, Result<TransportResponse, TransportError>) -> Void

  /// - Parameters:
  ///   - transport: The transport of the requests.
  ///   - watch: Called once for each request that was not given up.
  package init(
    _ transport: any Transport,
    watch: @escaping @Sendable (TransportRequest, Result<TransportResponse, TransportError>) -> Void
  ) {
    self.transport = transport
    metered = transport as? any MeteredTransport
    self.watch = watch
  }

  package var readsAsker: Bool { true }
  /// `true`: a request that is given up at its limit is shown, too.
  package var keepsTimeLimits: Bool { true }

  package func preferredExecutor(for task: Int?) -> (any TaskExecutor)? {
    transport.preferredExecutor(for: task)
  }

  package func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
    let request = request.wantingBody
    return try await watching(request) { () async throws(TransportError) in
      try await self.transport.send(request)
    }
  }

  package func send(
    _ request: TransportRequest, _ meter: any RequestMeter
  ) async throws(TransportError) -> TransportResponse {
    let request = request.wantingBody
    return try await watching(request) { () async throws(TransportError) in
      if let metered = self.metered { return try await metered.send(request, meter) }
      guard meter.begin() == .leaves else {
        throw TransportError(.cancelled, "a limit is reached")
      }
      return try await self.transport.send(request)
    }
  }

  private func watching(
    _ request: TransportRequest,
    _ send: @escaping @Sendable () async throws(TransportError) -> TransportResponse
  ) async throws(TransportError) -> TransportResponse {
    do throws(TransportError) {
      let response =
        transport.keepsTimeLimits
        ? try await send()
        : try await request.limited(on: request.clock ?? SystemClock(), send)
      watch(request, .success(response))
      return response
    } catch {
      // A cancelled request says nothing about the server.
      if error.kind != .cancelled { watch(request, .failure(error)) }
      throw error
    }
  }
}

extension TransportRequest {
  fileprivate var wantingBody: TransportRequest {
    var request = self
    request.wantsBody = true
    return request
  }
}
