import PipelineKit
import PipelineTesting
import Testing

/// The limits that requests are handed over with, and what is said when one ends them.
@Suite struct TimeLimitTests {
  private func send(
    _ timeout: String, _ defaults: String = "", failing error: TransportError? = nil
  ) async throws -> (request: TransportRequest, failure: FailureReason?) {
    let plan = try plan(
      """
      {"defaults": {"timeout": \(defaults.isEmpty ? "\"1h\"" : defaults)},
       "steps": [{"id": "a", "endpoint": "GET https://api.example/a", "timeout": \(timeout)}]}
      """)
    let transport = ScriptedTransport { _ in error.map { .failure($0) } ?? .json([:]) }
    let report = try await Pipeline(plan, transport: transport).run().result.report
    return (try #require(transport.requests.first), report.failures.first?.failure)
  }

  @Test(
    arguments: [
      ("null", nil, 10, 60), (#""5s""#, 5, 10, 60), (#""5m""#, 300, 10, 300),
      (#"{"total": "5m"}"#, 300, 10, 300), (#"{"total": "5m", "silence": "90s"}"#, 300, 10, 90),
      (#"{"silence": "20m"}"#, nil, 10, 1200), (#"{"connect": "2s"}"#, nil, 2, 60),
    ] as [(String, Int?, Int, Int)])
  func limitsAreThoseOfTheStep(
    _ timeout: String, _ total: Int?, _ connect: Int, _ silence: Int
  ) async throws {
    let request = try await send(timeout).request
    #expect(request.timeout == total.map { .seconds($0) })
    #expect(request.connectTimeout == .seconds(connect))
    #expect(request.silence == .seconds(silence))
  }

  @Test func aStepsLimitsReplaceTheDefaults() async throws {
    let request = try await send(#""20s""#, #"{"total": "5s", "connect": "1s"}"#).request
    #expect(request.timeout == .seconds(20))
    #expect(request.connectTimeout == .seconds(10))
  }

  @Test(
    arguments: [
      (.silence, "null", #"60 s is the default; '"timeout": {"silence": …}' sets another limit"#),
      (.connect, #""1h""#, #"10 s is the default; '"timeout": {"connect": …}' sets another limit"#),
      (.silence, #"{"silence": "90s"}"#, "'silence' of 'timeout' allows 90 s"),
      (.silence, #""5m""#, nil), (nil, #""5m""#, nil),
    ] as [(TransportError.Limit?, String, String?)])
  func aFailureSaysWhereItsLimitComesFrom(
    _ limit: TransportError.Limit?, _ timeout: String, _ hint: String?
  ) async throws {
    var error = TransportError(.timeout, "nothing came")
    error.limit = limit
    let failure = try #require(try await send(timeout, failing: error).failure)
    #expect(failure.kind == .timeout)
    #expect(failure.hints == (hint.map { [$0] } ?? []))
  }
}
