import PipelineKit
import PipelineTesting
import Testing

/// Bodies that are being received count against `limits.memory`.
@Suite struct BodyMemoryTests {
  /// Receives a part of each body, and then waits for the rest.
  private struct Receiving: Transport {
    let clock: ManualClock

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
      guard request.budget?.take(400_000) != false else {
        throw TransportError(.responseTooLarge, "no memory is left for the body")
      }
      try? await clock.sleep(for: .seconds(60))
      throw TransportError(.cancelled, "cancelled")
    }
  }

  private func workflow(_ items: Int) -> String {
    """
    {"limits": {"memory": "1MB", "deadline": "50s"}, "steps": [
      {"id": "a", "forEach": {"from": 1, "to": \(items)}, "concurrency": 8,
       "endpoint": "GET https://api.example/{{item}}", "retry": 3, "extract": {"n": "$"}}]}
    """
  }

  private let message =
    "rows, bodies and failures hold more than 1 MB; 'limits.memory' sets how much they may hold"

  @Test func bodiesUnderWayCount() async throws {
    let clock = ManualClock()
    var options = RunOptions()
    options.clock = clock
    let pipeline = try Pipeline(
      workflow(8), transport: Receiving(clock: clock), options: options)
    let report = try await pipeline.run().result.report
    #expect(report.status == .failed)
    #expect(report.failures.first?.failure.message == message)
  }

  /// A transport that knows nothing of it is held to it when a body is whole.
  @Test func aBodyThatIsTooLargeAtOnceFails() async throws {
    let body = "\"" + String(repeating: "x", count: 2 << 20) + "\""
    let transport = ScriptedTransport { _ in .text(body, type: "application/json") }
    let report = try await Pipeline(workflow(1), transport: transport).run().result.report
    #expect(report.failures.first?.failure.message == message)
  }

  @Test func whatWasReadIsGivenBack() async throws {
    let body = "{\"n\": 1, \"pad\": \"" + String(repeating: "x", count: 300_000) + "\"}"
    let transport = ScriptedTransport { _ in .text(body, type: "application/json") }
    let workflow = """
      {"limits": {"memory": "1MB"}, "steps": [
        {"id": "a", "forEach": {"from": 1, "to": 50}, "concurrency": 1,
         "endpoint": "GET https://api.example/{{item}}", "extract": {"n": "$.n"}}]}
      """
    let report = try await Pipeline(workflow, transport: transport).run().result.report
    #expect(report.failures.map(\.failure.message) == [])
  }

  /// The collection is over at once: its rows are lost, and it says why.
  @Test(arguments: ["\"onItemError\": \"collect\"", "\"onError\": \"recover\""])
  func aCollectionThatHoldsTooMuchHasNoRows(_ key: String) async throws {
    let workflow = """
      {"limits": {"memory": "20KB"}, "steps": [
        {"id": "a", "forEach": {"from": 1, "to": 10000}, \(key), "values": {"n": "{{item}}"}}],
       "outputs": {"n": "{{a}}", "why": "$.a.error.kind"}}
      """
    let transport = ScriptedTransport { _ in .status(500) }
    let report = try await Pipeline(workflow, transport: transport).run().result.report
    if key.contains("recover") {
      #expect(report.outputs.text == #"{"n":[],"why":"limit"}"#)
    } else {
      #expect(
        report.failures.map(\.failure.message) == [
          "rows, bodies and failures hold more than 20 KB; 'limits.memory' sets how much they may"
            + " hold"
        ])
    }
  }
}
