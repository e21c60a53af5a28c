import Foundation
import PipelineKit
import PipelineTesting
import Testing

/// A request with an Idempotency-Key whose answer was lost, in a file that is edited before the run
/// goes on: it is sent again with its key, or a person is asked.
@Suite struct UnderWayTests {
  private static let order = """
    "endpoint": "POST https://api.example/orders", "body": {"json": {"sku": "{{item}}"}},
    "extract": {"id": "$.id"}
    """
  private static let retry = #""retry": {"attempts": 2, "unsafe": true, "delay": "0s"}"#

  private static func text(_ steps: String) -> String { #"{"steps": [\#(steps)]}"# }

  private static func loop(
    id: String = "order", _ list: String = "[7]", retry: String? = retry, more: String = ""
  ) -> String {
    #"{"id": "\#(id)", "forEach": \#(list), \#(retry.map { $0 + ", " } ?? "")\#(more)\#(order)}"#
  }

  private static func posts(_ transport: ScriptedTransport) -> [(body: String, key: String?)] {
    transport.requests.map { request in
      var body = ""
      if case .bytes(let bytes) = request.body { body = String(decoding: bytes, as: UTF8.self) }
      return (body, request.headers.first { $0.name.lowercased() == "idempotency-key" }?.value)
    }
  }

  private static func run(
    _ text: String, _ journal: MemoryJournal, losing: Bool
  ) async throws -> (report: RunReport, posts: [(body: String, key: String?)]) {
    let transport = ScriptedTransport { _ in
      losing ? .failure(TransportError(.interrupted, "reset")) : .json(["id": "1"])
    }
    var options = RunOptions()
    options.journal = journal
    let report = try await Pipeline(try plan(text), transport: transport, options: options).run()
      .result.report
    return (report, posts(transport))
  }

  /// Where the step stands, what it is called, and what comes beside it does not change its request.
  @Test(arguments: [
    loop(), loop(id: "place"), loop("[7, 8]"), loop("[8, 7]"), loop(id: "place", "[8, 7]"),
    loop(more: #""expect": {"status": 200}, "#),
    #"{"id": "box", "steps": [\#(loop())]}"#,
    #"{"id": "box", "forEach": [7], "steps": [{"id": "order", \#(retry), \#(order)}]}"#,
  ])
  func itIsSentAgainWithItsKey(_ edited: String) async throws {
    let journal = MemoryJournal()
    let first = try await Self.run(Self.text(Self.loop()), journal, losing: true)
    #expect(first.report.status == .failed && first.posts.count == 2)
    let second = try await Self.run(Self.text(edited), journal, losing: false)
    #expect(second.report.status == .succeeded, "\(second.report.failures)")
    let again = second.posts.filter { $0.body.contains("7") }
    #expect(again.map(\.key) == [first.posts[0].key], "\(edited)")
    let third = try await Self.run(Self.text(edited), journal, losing: false)
    #expect(third.posts.isEmpty)
  }

  /// Without its key it may be carried out twice.
  @Test(arguments: [
    loop(retry: nil), loop(retry: #""retry": 2"#),
    loop(more: #""headers": {"Idempotency-Key": "{{item}}-b"}, "#),
  ])
  func aPersonIsAskedIfItsKeyIsGone(_ edited: String) async throws {
    let journal = MemoryJournal()
    _ = try await Self.run(Self.text(Self.loop()), journal, losing: true)
    let asked = await #expect(throws: RunInDoubt.self) {
      try await Self.run(Self.text(edited), journal, losing: false)
    }
    let request = try #require(asked?.requests.first)
    #expect(asked?.requests.count == 1 && request.unit.name == "order[0]")
    #expect(request.state == .unanswered)
    // The answer is kept.
    journal.settle(request, as: .done(values: Array(#"{"id": "5"}"#.utf8)))
    let third = try await Self.run(Self.text(edited), journal, losing: false)
    #expect(third.report.status == .succeeded && third.posts.isEmpty)
  }

  @Test func aKeyOfTheAuthorsIsComparedWithTheOneThatWasSent() async throws {
    let text = { (key: String, body: String) in
      Self.text(
        Self.loop(retry: nil, more: #""headers": {"Idempotency-Key": "\#(key)"}, "#)
          .replacingOccurrences(of: "sku", with: body))
    }
    for (key, body, isAsked) in [("k-1", "sku", false), ("k-2", "sku", true), ("k-1", "n", true)] {
      let journal = MemoryJournal()
      _ = try await Self.run(text("k-1", "sku"), journal, losing: true)
      do {
        let second = try await Self.run(text(key, body), journal, losing: false)
        #expect(!isAsked && second.posts.map(\.key) == ["k-1"], "\(key) \(body)")
      } catch let error as RunInDoubt {
        #expect(isAsked && error.requests.count == 1, "\(key) \(body)")
      }
    }
  }
}
