import PipelineJSONPaths
import PipelineTemplates

/// `settle`.
struct LookUp: DeclaredObject {
  /// `nil`, with a report: there is none.
  let endpoint: Written<Endpoint>?
  let query: [RequestParameter]
  let headers: [RequestParameter]
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
      example: #""GET https://api.example.com/orders/{{inputs.id}}""#, foreign: ["url uri request"])
    query = keys.query()
    headers = keys.headers()
    auth = keys.auth()
    read = keys.reading()
    expect = keys.expectation() ?? .standard
    timeout = keys.timeLimits()
    done = keys.required(
      "done", .condition(of: .answer),
      "The request was carried out if this holds; `@` is the response.",
      example: #""@.body.count > 0""#, foreign: ["where when until if condition"])
    extract =
      keys.optional(
        "extract", ExtractorsType(), "The step's values, if the request was carried out.",
        example: #"{"id": "$.orders[0].id"}"#, names: .value) ?? []
    within = keys.value(
      "within", .duration, default: .seconds(60),
      "How long after it was sent the request may still take effect.", example: #""5m""#)
  }
}
