import PipelineKit
import PipelineTesting
import PipelineTransports
import Testing

/// Limits that are wrong, or meant to hold a run for ever.
@Suite(.timeLimit(.minutes(2))) struct HostileLimitTests {
  private func time(
    _ fields: [(String, String)], limits: String = "", requests: Int = 5, status: Int = 200
  ) async throws -> Duration {
    let clock = VirtualClock()
    var options = RunOptions()
    options.clock = clock
    let transport = ScriptedTransport { _ in
      .response(
        TransportResponse(
          status: status, headers: fields.map { HeaderField($0.0, $0.1) }, body: Array("{}".utf8)))
    }
    let workflow = """
      {"limits": {"concurrency": 1\(limits)},
       "steps": [{"id": "get", "forEach": {"from": 1, "to": \(requests)},
                  "endpoint": "GET https://api.example/{{item}}"}]}
      """
    let report = try await Pipeline(workflow, transport: transport, options: options).run().result
    #expect(report.status == .succeeded)
    #expect(transport.requests.count == requests)
    return clock.elapsed
  }

  @Test(arguments: [
    [("X-RateLimit-Remaining", "0"), ("X-RateLimit-Reset", "32503680000")],
    [("X-RateLimit-Remaining", "0"), ("X-RateLimit-Reset", "99999999999999999999")],
    [("X-RateLimit-Remaining", "0"), ("X-RateLimit-Reset", "-1")],
    [("X-RateLimit-Remaining", "0"), ("X-RateLimit-Reset", "nan")],
    [("X-RateLimit-Remaining", "0"), ("X-RateLimit-Reset", "Fri, 01 Jan 3000 00:00:00 GMT")],
    [("X-RateLimit-Remaining", "0"), ("X-RateLimit-Reset", "1000000000")],
    [("X-RateLimit-Remaining", "0")],
    [("X-RateLimit-Remaining", "-1"), ("X-RateLimit-Reset", "9999999")],
    [("X-RateLimit-Remaining", "NaN"), ("X-RateLimit-Reset", "30")],
    [("X-RateLimit-Limit", "0"), ("X-RateLimit-Remaining", "0"), ("X-RateLimit-Reset", "30")],
    [("RateLimit", "\"a\";r=0;t=999999999999999999")],
    [("RateLimit", "\"a\";r=;t="), ("RateLimit-Policy", "\"a\";q=-1;w=-1")],
    [("X-Shopify-Shop-Api-Call-Limit", "999/0")],
    [("X-RateLimit-Remaining", "99999999999999999999"), ("X-RateLimit-Reset", "1")],
  ])
  func whatMakesNoSenseHoldsNothing(_ fields: [(String, String)]) async throws {
    #expect(try await time(fields) == .zero)
  }

  @Test func aPauseIsNoLongerThanRetryAfter() async throws {
    let fields = [("X-RateLimit-Remaining", "0"), ("X-RateLimit-Reset", "120")]
    #expect(try await time(fields, limits: #", "retryAfter": "1m""#) == .zero)
    let obeyed = try await time(fields, limits: #", "retryAfter": "3m""#)
    #expect(obeyed >= .seconds(480) && obeyed < .seconds(500))
  }

  @Test func contradictingFieldsCountTogether() async throws {
    let time = try await time([
      ("RateLimit", "\"a\";r=1000;t=60"), ("X-RateLimit-Remaining", "0"),
      ("X-RateLimit-Reset", "10"), ("X-Shopify-Shop-Api-Call-Limit", "41/40"),
    ])
    #expect(time >= .seconds(40) && time < .seconds(50))
  }

  @Test func announcedFalseTurnsItOff() async throws {
    let fields = [("X-RateLimit-Remaining", "0"), ("X-RateLimit-Reset", "120")]
    #expect(try await time(fields, limits: #", "announced": false"#) == .zero)
  }

  @Test func aServerThatNoLongerAnnouncesIsNotHeldBack() async throws {
    let clock = VirtualClock()
    var options = RunOptions()
    options.clock = clock
    let transport = ScriptedTransport([
      "GET https://api.example/*": [
        .status(
          200,
          headers: [
            HeaderField("RateLimit", "limit=1, remaining=0, reset=10"),
            HeaderField("Content-Type", "application/json"),
          ]), .json([:]),
      ]
    ])
    let workflow = """
      {"steps": [{"id": "get", "forEach": {"from": 1, "to": 50},
                  "endpoint": "GET https://api.example/{{item}}", "concurrency": 1}]}
      """
    let report = try await Pipeline(workflow, transport: transport, options: options).run().result
    #expect(report.status == .succeeded)
    #expect(clock.elapsed < .seconds(15))
  }
}
