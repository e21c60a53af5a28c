package import PipelineKit
package import PipelineRecordings

/// A request and its response, for people to look at, with secrets by their names.
package struct ShownExchange: Sendable {
  /// The asking step.
  package let key: RecordingKey
  /// The request as it was sent.
  package let request: RecordedExchange.Request
  /// The response.
  package let outcome: RecordedExchange.Outcome
  /// How long it took; `nil` if nothing came back.
  package let duration: Duration?
  /// The values that the extractors of the step find, in their order; empty without a response.
  package let values: [StepRequest.Value]

  /// - Parameter aliases: Origins that are shown by another name.
  ///
  /// `nil` if the request does not name its step.
  package init?(
    _ request: TransportRequest, _ result: Result<TransportResponse, TransportError>,
    _ aliases: [OriginAlias]
  ) {
    guard let asker = request.stepRequest else { return nil }
    key = asker.key
    outcome = asker.outcome(result, aliases).outcome
    self.request = RecordedExchange.Request(request, asker, aliases)
    if case .success(let response) = result {
      duration = response.timings.total
      values = asker.values(in: response)
    } else {
      duration = nil
      values = []
    }
  }
}
