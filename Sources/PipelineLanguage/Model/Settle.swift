package import PipelineJSONPaths
import PipelineTemplates

/// The look-up that finds out whether a request that must not be sent twice was carried out.
///
/// By reference: few requests have one, and it is as large as a step.
package final class Settle: Sendable {
  /// The look-up, as a step with a GET or HEAD. Its values are those of the step that it settles.
  package let step: Step
  package let request: Request
  /// Whether the request was carried out; `@` is the response.
  package let done: Written<Condition>
  /// How long after it was sent the request may still take effect.
  package let within: Duration

  init(step: Step, request: Request, done: Written<Condition>, within: Duration) {
    self.step = step
    self.request = request
    self.done = done
    self.within = within
  }

  /// Whether the look-up reads one of these names.
  func reads(_ names: [String]) -> Bool {
    step.uses.contains { use in use.query.firstNames.contains { names.contains($0) } }
  }
}

extension Step {
  /// The look-up that finds out what became of the step's requests; `nil` if it has none.
  package var settle: Settle? {
    if case .request(let request) = action { request.settle } else { nil }
  }
}

/// `settle`.
struct LookUp: DeclaredObject {
  /// `nil`, with a report: there is none.
  let endpoint: Written<Endpoint>?
  let query: [Request.Parameter]
  let headers: [Request.Parameter]
  let auth: Auth?
  let read: ResponseFormat?
  let timeout: TimeLimits?
  let expect: Expectation
  /// `nil`, with a report: there is none.
  let done: Written<Condition>?
  let extract: [Extractor]
  let within: Duration

  init(_ keys: inout Keys) {
    endpoint = keys.required(
      "endpoint", EndpointType(), "What is asked: a GET or HEAD.",
      example: #""GET https://api.example.com/orders/{{inputs.id}}""#)
    query = keys.query()
    headers = keys.headers()
    auth = keys.auth()
    read = keys.reading()
    expect = keys.expectation() ?? .standard
    timeout = keys.timeLimits()
    done = keys.required(
      "done", .condition(of: .answer),
      "The request was carried out if this holds; `@` is the response.",
      example: #""@.body.count > 0""#)
    extract =
      keys.optional(
        "extract", ExtractorsType(), "The step's values, if the request was carried out.",
        example: #"{"id": "$.orders[0].id"}"#, names: .value) ?? []
    within = keys.value(
      "within", .duration, default: .seconds(60),
      "How long after it was sent the request may still take effect.", example: #""5m""#)
  }
}
