internal import PipelineRecordings
internal import PipelineURIs

/// Brings a request to what answers it: the transport, or a handler in Swift.
final class RequestCarrier: Sendable {
  private let transport: any Transport
  private let meteredTransport: (any MeteredTransport)?
  /// Whether the transport ends requests at their limits, so that the run need not.
  private let keepsTimeLimits: Bool
  /// Answers some steps in Swift, or all.
  private let mock: (any StepMock)?
  /// The handlers that steps in Swift call.
  let handlers: Handlers
  /// Whether the transport wants to know the asking step.
  let tellsAskers: Bool
  /// Whether the transport is given what stands for secrets, and sends nothing to a server.
  let isStandIn: Bool
  private let observer: (@Sendable (Transfer) -> Void)?
  let clock: any RunClock
  let runID: String

  init(_ transport: any Transport, _ handlers: Handlers, _ options: RunOptions) {
    self.transport = transport
    self.handlers = handlers
    meteredTransport = transport as? any MeteredTransport
    keepsTimeLimits = transport.keepsTimeLimits
    mock = transport as? any StepMock
    isStandIn = transport is any StandInTransport
    tellsAskers = transport.readsAsker || options.transferObserver != nil
    observer = options.transferObserver
    clock = options.clock
    runID = options.runID ?? ""
  }

  /// Where a task runs that begins with this unit.
  func executor(for unit: Unit) -> (any TaskExecutor)? {
    clock.executor ?? transport.preferredExecutor(for: unit.id)
  }

  /// Where code of an app runs: off the threads that carry requests.
  var appExecutor: any TaskExecutor { clock.executor ?? globalConcurrentExecutor }

  /// Gets the answer to a request. `meter` decides before it leaves, and counts it.
  func carry(
    _ request: TransportRequest, _ meter: RunMeter
  ) async throws(TransportError) -> TransportResponse {
    if let name = request.origin?.handler, !isMocked(request) {
      return try received(try await call(name, request, meter), by: request.receiver)
    }
    guard let observer = observer, let asker = request.asker else {
      return try received(try await hand(request, meter), by: request.receiver)
    }
    var request = request
    request.transfer = TransferProgress(asker.key, of: request.body, observer)
    let response = try received(try await hand(request, meter), by: request.receiver)
    request.transfer?.end(received: response.bodySize)
    return response
  }

  /// A response whose body was seen whole by its receiver.
  @inline(__always)
  private func received(
    _ response: TransportResponse, by receiver: (any BodyReceiver)?
  ) throws(TransportError) -> TransportResponse {
    guard let receiver else { return response }
    var response = response
    do throws(TransportError) {
      try receiver.end(&response)
      return response
    } catch {
      var error = error
      error.status = response.status
      throw error
    }
  }

  /// Hands a request to the transport, and gives it up at its time limit.
  private func hand(
    _ request: TransportRequest, _ meter: RunMeter
  ) async throws(TransportError) -> TransportResponse {
    if keepsTimeLimits { return try await pass(request, meter) }
    return try await limited(request, meter)
  }

  /// Gives a request to the transport.
  fileprivate func pass(
    _ request: TransportRequest, _ meter: RunMeter
  ) async throws(TransportError) -> TransportResponse {
    if let meteredTransport { return try await meteredTransport.send(request, meter) }
    guard meter.begin() == .leaves else { throw TransportError(.cancelled, "a limit is reached") }
    return try await transport.send(request)
  }

  /// Whether the transport stands for the handler that a request calls.
  private func isMocked(_ request: TransportRequest) -> Bool {
    guard let mock, let step = request.asker?.key.step else { return false }
    return mock.answers(step)
  }
}

// Transports that keep no time limits themselves.
extension RequestCarrier {
  /// Has a request answered, and gives it up at its time limit.
  @inline(never)
  func limited(
    _ request: TransportRequest, _ meter: RunMeter
  ) async throws(TransportError) -> TransportResponse {
    try await request.limited(on: clock) { () async throws(TransportError) in
      try await self.pass(request, meter)
    }
  }
}

extension TransportRequest {
  /// Sends the request, and gives it up at its time limit.
  package func limited(
    on clock: any RunClock,
    _ send: @escaping @Sendable () async throws(TransportError) -> TransportResponse
  ) async throws(TransportError) -> TransportResponse {
    guard let limit = timeout else { return try await send() }
    let result = await clock.limiting(to: limit) { await Self.result(of: send) }
    guard let result else { throw .late(self, "no complete response within") }
    return try result.get()
  }

  private static func result(
    of send: @Sendable () async throws(TransportError) -> TransportResponse
  ) async -> Result<TransportResponse, TransportError> {
    do throws(TransportError) {
      return .success(try await send())
    } catch {
      return .failure(error)
    }
  }
}

extension TransportError {
  /// The failure of a request that took longer than its `timeout`.
  static func late(_ request: TransportRequest, _ what: String) -> TransportError {
    let limit = request.statedTimeout ?? request.timeout ?? .zero
    return TransportError(.timeout, "\(what) \(limit.shown)")
  }
}
