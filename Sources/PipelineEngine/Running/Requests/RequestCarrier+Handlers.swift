internal import PipelineByteText
internal import PipelineJSONText
internal import PipelineLanguage
internal import PipelineRecordings
internal import Synchronization

// Steps in Swift: a handler is in the place of a server.
extension RequestCarrier {
  /// Calls the handler of a request, and gives what it returns as a response.
  func call(
    _ name: String, _ request: TransportRequest, _ meter: RunMeter
  ) async throws(TransportError) -> TransportResponse {
    guard let call = handlers.call(named: name) else {
      throw TransportError(.unusable, "there is no handler 'swift:\(name)'")
    }
    guard meter.begin() == .leaves else { throw TransportError(.cancelled, "a limit is reached") }
    let input = Self.input(of: request)
    let start = ContinuousClock.now
    let facts = facts(of: request)
    let outcome = await limited(request) {
      await HandlerCall.$current.withValue(facts) { await Self.outcome(of: call, input, name) }
    }
    switch outcome {
    case .response(var response):
      guard response.body.count <= request.responseLimit else {
        throw TransportError(
          .responseTooLarge, "body is larger than \(request.responseLimit) bytes (limit)")
      }
      response.timings.total = start.duration(to: .now)
      return response
    case .error(let error): throw error
    case .failure(let failure):
      meter.refuse(failure)
      throw TransportError(.handler, failure.message)
    }
  }

  /// What the handler may know of its call.
  private func facts(of request: TransportRequest) -> HandlerCall? {
    request.asker.map { asker in
      HandlerCall(
        runID: runID, step: asker.key.step, path: asker.key.path,
        item: asker.key.item, attempt: asker.key.attempt,
        idempotencyKey: request.headers
          .first { $0.name.equalsIgnoringASCIICase("idempotency-key") }?.value)
    }
  }

  private static func input(of request: TransportRequest) -> JSONNode {
    guard case .bytes(let bytes) = request.body, let document = try? JSONDocument.parse(bytes)
    else { return JSONValue.object([]).node }
    return document.root
  }

  /// The outcome of a handler.
  private enum Outcome: Sendable {
    case response(TransportResponse)
    case error(TransportError)
    /// Nothing that another attempt could change.
    case failure(FailureReason)
  }

  private static func outcome(
    of call: Handlers.Call, _ input: JSONNode, _ name: String
  ) async -> Outcome {
    do {
      let output = try await call(input)
      if Task.isCancelled { return .error(TransportError(.cancelled, "the run stopped")) }
      return .response(
        TransportResponse(
          status: 200, headers: [HeaderField("Content-Type", "application/json")],
          body: output.document.bytes))
    } catch let failure as FailureReason {
      return .failure(failure)
    } catch let error as TransportError {
      return .error(error)
    } catch {
      if Task.isCancelled { return .error(TransportError(.cancelled, "the run stopped")) }
      return .error(
        TransportError(.handler, "'swift:\(name)' threw: " + Handlers.message(of: error)))
    }
  }

  /// Calls a handler off the threads that carry requests, and gives it up at its time limit.
  private func limited(
    _ request: TransportRequest, _ work: @escaping @Sendable () async -> Outcome
  ) async -> Outcome {
    guard let limit = request.timeout else {
      return await withTaskGroup(of: Outcome.self) { group in
        group.addTask(executorPreference: appExecutor) { await work() }
        return await group.next() ?? .error(TransportError(.cancelled, "the run stopped"))
      }
    }
    let outcome = await clock.limiting(to: limit, on: appExecutor, work)
    return outcome ?? .error(.late(request, "no answer within"))
  }
}
