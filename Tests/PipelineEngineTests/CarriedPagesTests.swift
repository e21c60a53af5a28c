import PipelineJSONText
import PipelineKit
import PipelineLanguage
import PipelineTesting
import Testing

@testable import PipelineEngine

/// `carry` in `paginate`: what happens to the values that pages hand on.
@Suite struct CarriedPagesTests {
  private static let api = "https://api.example"

  private static let workflow = """
    {"inputs": {"key": {"type": "string", "secret": true, "optional": true}},
     "steps": [{"id": "p", "endpoint": "GET \(api)/p/{{n}}", "headers": {"X-From": "{{from}}"},
      "paginate": {"carry": {
        "n": {"default": 1, "next": "$.n"}, "from": {"default": "{{inputs.key}}", "next": "$.from"}}},
      "extract": {"ids": "$.ids[*]"}}],
     "outputs": {"ids": "{{p.ids}}"}}
    """

  private static func server(failingAt last: String = "") -> ScriptedTransport {
    ScriptedTransport { request in
      if request.url.hasSuffix(last), !last.isEmpty { return .status(500) }
      let number = Int(request.url.split(separator: "/").last ?? "") ?? 0
      let next = number < 4 ? #", "n": \#(number + 1), "from": "f\#(number)""# : ""
      return .text(#"{"ids": [\#(number)]\#(next)}"#, type: "application/json")
    }
  }

  private static func run(
    _ journal: MemoryJournal, _ transport: ScriptedTransport, key: JSONValue? = nil
  ) async throws -> RunReport {
    var options = RunOptions()
    options.journal = journal
    options.clock = InstantClock()
    let pipeline = Pipeline(try plan(workflow), transport: transport, options: options)
    return try await pipeline.run(inputs: key.map { ["key": $0] } ?? [:]).result.report
  }

  private static func sent(_ transport: ScriptedTransport) -> [String] {
    transport.requests.map { request in
      let from = request.headers.first { $0.name == "X-From" }?.value ?? "-"
      return "\(request.url.dropFirst(api.count)) \(from)"
    }
  }

  @Test func aResumedRunGoesOnWithTheValuesOfTheLastRecordedPage() async throws {
    let journal = MemoryJournal()
    let stopped = Self.server(failingAt: "/p/3")
    #expect(try await Self.run(journal, stopped).status == .failed)
    #expect(Self.sent(stopped) == ["/p/1 -", "/p/2 f1", "/p/3 f2"])
    let resumed = Self.server()
    let report = try await Self.run(journal, resumed)
    #expect(report.outputs.text == #"{"ids":[1,2,3,4]}"#)
    #expect(Self.sent(resumed) == ["/p/3 f2", "/p/4 f3"])
  }

  @Test func aSecretDefaultIsSentAndHidden() async throws {
    let transport = Self.server(failingAt: "/p/1")
    let journal = MemoryJournal()
    let report = try await Self.run(journal, transport, key: "hunter2-hunter2")
    #expect(Self.sent(transport) == ["/p/1 hunter2-hunter2"])
    #expect(report.status == .failed)
    #expect(!"\(report.failures)".contains("hunter2"))
  }
}
