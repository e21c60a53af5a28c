import PipelineKit
import PipelineTesting
import Synchronization
import Testing

/// The requests of an app's runs belong to the app's trace.
@Suite struct RequestTracingTests {
  private let trace = "4bf92f3577b34da6a3ce929d0e0e4736"
  private var caller: String { "00-\(trace)-00f067aa0ba902b7-01" }

  private let text = """
    {"steps": [
      {"id": "a", "endpoint": "GET https://api.example/a", "extract": {"next": "$.next"}},
      {"id": "b", "endpoint": "GET {{a.next}}"},
      {"id": "c", "endpoint": "GET https://api.example/c",
       "headers": {"traceparent": "00-00000000000000000000000000000001-0000000000000002-01"}}]}
    """

  private func run(_ tracing: RequestTracing) async throws -> (
    fields: [String: [String: String]], spans: [String: String]
  ) {
    let transport = ScriptedTransport([
      "GET https://api.example/a": [.json(["next": "https://other.example/b"])],
      "GET https://other.example/b": [.json([:])],
      "GET https://api.example/c": [.json([:])],
    ])
    var options = RunOptions()
    options.tracing = tracing
    let spans = Mutex<[String: String]>([:])
    options.observer = { event in
      guard case .requestFinished(let request) = event.kind else { return }
      spans.withLock { $0[request.step] = request.spanID ?? "none" }
    }
    try await Pipeline(text, transport: transport, options: options).run().result.get()
    var fields: [String: [String: String]] = [:]
    for request in transport.requests {
      let step = String(request.url.suffix(1))
      for field in request.headers where field.name.hasPrefix("trace") {
        fields[step, default: [:]][field.name] = field.value
      }
    }
    return (fields, spans.withLock { $0 })
  }

  @Test func requestsNameTheSpanOfTheCaller() async throws {
    let tracing = try #require(RequestTracing(traceparent: caller, tracestate: "vendor=1"))
    let (fields, spans) = try await run(tracing)
    #expect(fields["a"] == ["traceparent": caller, "tracestate": "vendor=1"])
    #expect(fields["b"] == nil, "a response named this origin")
    #expect(
      fields["c"] == ["traceparent": "00-00000000000000000000000000000001-0000000000000002-01"])
    #expect(spans == ["a": "none", "b": "none", "c": "none"])
  }

  @Test func requestsHaveSpansOfTheirOwn() async throws {
    let tracing = try #require(RequestTracing(traceparent: caller, parent: .request))
    let (fields, spans) = try await run(tracing)
    let span = try #require(spans["a"])
    #expect(span.utf8.count == 16 && span != "00f067aa0ba902b7")
    #expect(fields["a"] == ["traceparent": "00-\(trace)-\(span)-01"])
  }

  @Test(arguments: ["", "00-1-2-01", "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"])
  func aFieldThatIsNotValidMarksNothing(_ traceparent: String) {
    #expect(RequestTracing(traceparent: traceparent) == nil)
  }

  @Test func aStateThatWouldBreakTheRequestIsLeftOut() async throws {
    let tracing = try #require(
      RequestTracing(traceparent: caller, tracestate: "a=1\r\nX-Other: 1"))
    #expect(try await run(tracing).fields["a"] == ["traceparent": caller])
  }
}
