import PipelineJSONText
import PipelineKit
import Synchronization
import Testing

@testable import PipelineEngine
@testable import PipelineTesting

/// Rows that are handed on as they come, and not kept.
struct StreamedRowsTests {
  private func run(
    _ workflow: String, transport: any Transport = ScriptedTransport([:])
  ) async throws -> (rows: [String], outputs: String, report: RunReport) {
    let rows = Mutex<[String]>([])
    var options = RunOptions()
    options.rowReader = { row in
      rows.withLock { $0.append(String(decoding: row, as: UTF8.self)) }
    }
    let pipeline = try Pipeline(workflow, transport: transport, options: options)
    let result = try await pipeline.run().result
    return (rows.withLock { $0 }, result.outputs.text, result.report)
  }

  private let each =
    #"{"id": "each", "forEach": {"from": 1, "to": 3}, "values": {"n": "{{item}}"}}"#

  @Test func rowsThatAreAllOfTheOutputComeInOrderAndAreNotKept() async throws {
    let result = try await run(#"{"steps": [\#(each)], "outputs": {"rows": "{{each}}"}}"#)
    #expect(result.rows == [#"{"n":1}"#, #"{"n":2}"#, #"{"n":3}"#])
    #expect(result.outputs == "{}")
    #expect(result.report.status == .succeeded && result.report.counts.items == 3)
  }

  @Test(arguments: [
    #"{"rows": "{{each}}", "more": 1}"#, #"{"rows": "{{each[0]}}"}"#, #"{"rows": ["{{each}}"]}"#,
  ])
  func otherOutputsAreKept(_ outputs: String) async throws {
    let result = try await run(#"{"steps": [\#(each)], "outputs": \#(outputs)}"#)
    #expect(result.rows.isEmpty)
    #expect(result.outputs.contains(#""n":1"#))
  }

  @Test func rowsThatAStepReadsAreKept() async throws {
    let result = try await run(
      #"""
      {"steps": [\#(each), {"id": "first", "values": {"n": "{{each[0].n}}"}}],
       "outputs": {"rows": "{{each}}"}}
      """#)
    #expect(result.rows.isEmpty)
    #expect(result.outputs == #"{"rows":[{"n":1},{"n":2},{"n":3}]}"#)
  }

  @Test func aStepThatOnlyWaitsDoesNotKeepThem() async throws {
    let result = try await run(
      #"""
      {"steps": [\#(each), {"id": "after", "dependsOn": ["each"], "values": {"n": 1}}],
       "outputs": {"rows": "{{each}}"}}
      """#)
    #expect(result.rows.count == 3)
    #expect(result.outputs == "{}")
  }

  @Test func anItemThatFailedOrWasCancelledIsNoRow() async throws {
    let transport = ScriptedTransport { request in
      if request.url.hasSuffix("/1") { return .status(500) }
      // Until the failure of the first one cancels it.
      try? await Task.sleep(for: .seconds(600))
      return .failure(TransportError(.cancelled, "cancelled"))
    }
    let result = try await run(
      #"""
      {"steps": [{"id": "each", "forEach": [1, 2, 3], "endpoint": "GET http://a.test/{{item}}",
                  "retry": {"attempts": 1}}],
       "outputs": {"rows": "{{each}}"}}
      """#, transport: transport)
    #expect(result.report.status == .failed)
    #expect(result.rows.isEmpty)
  }

  @Test func aSecretThatTheOutputRevealsIsHandedOn() async throws {
    let result = try await run(
      #"""
      {"inputs": {"key": {"type": "string", "secret": true, "default": "correct-horse"}},
       "steps": [{"id": "each", "forEach": [1], "values": {"k": "{{inputs.key}}"}}],
       "outputs": {"rows": {"value": "{{each}}", "reveal": true}}}
      """#)
    #expect(result.rows == [#"{"k":"correct-horse"}"#])
  }

  @Test func aSecretInARowIsNotHandedOn() async throws {
    let result = try await run(
      #"""
      {"inputs": {"key": {"type": "string", "secret": true, "default": "correct-horse"}},
       "steps": [{"id": "each", "forEach": [1], "values": {"k": "{{inputs.key}}"}}],
       "outputs": {"rows": "{{each}}"}}
      """#)
    #expect(result.rows.isEmpty)
    #expect(!result.outputs.contains("correct-horse"))
  }
}
