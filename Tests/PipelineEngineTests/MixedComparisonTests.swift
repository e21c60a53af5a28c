import PipelineKit
import PipelineTesting
import Testing

@testable import PipelineEngine

/// A filter that compares a text with a number selects nothing, which the run tells.
struct MixedComparisonTests {
  private static let body =
    #"{"objects": [{"id": "100", "n": 1}, {"id": "101", "n": 2}, {"n": 3}]}"#

  private func notes(_ steps: String, body: String = body) async throws -> [String] {
    let transport = ScriptedTransport { _ in .text(body) }
    let text = #"{"defaults": {"baseURL": "https://a.example"}, "steps": [\#(steps)]}"#
    var notes: [String] = []
    let run = try Pipeline(text, transport: transport).run()
    for await event in run.events() {
      if case .note(let note) = event.kind { notes.append("\(note.step ?? ""): \(note.message)") }
    }
    return notes
  }

  private static let list =
    #"{"id": "list", "endpoint": "GET /o", "extract": {"objects": "$.objects"}}"#

  private func message(_ text: String, _ number: String) -> String {
    let way =
      switch (text, number) {
      case ("'1'", _): "write 1 without quotes"
      case (_, "'100'"): "write 100 in quotes"
      default: "'$text' makes a text of a number, '$number' a number of a text"
      }
    return "a filter selected nothing, because \(text) is a text and \(number) a number; \(way)"
  }

  @Test(arguments: [
    #"{"id": "a", "values": {"n": "$.list.objects[?@.id == 100].n"}}"#,
    #"{"id": "a", "values": {"n": {"$first": ["$.list.objects[?100 == @.id].n", 0]}}}"#,
    #"{"id": "a", "values": {"n": "$.list.objects[?@.n == '1'].id"}, "forEach": [1]}"#,
    #"{"id": "a", "forEach": "$.list.objects[?@.n > 0 && @.id >= 100]", "values": {"n": "{{item.n}}"}}"#,
    #"{"id": "a", "endpoint": "GET /o", "extract": {"n": {"body": "$.objects[?@.id == 100].n"}}}"#,
  ])
  func aTextNeverEqualsANumber(_ step: String) async throws {
    let notes = try await notes(Self.list + "," + step)
    let wanted = step.contains("'1'") ? message("'1'", "'@.n'") : nil
    #expect(notes.count == 1, "\(notes)")
    #expect(notes.first == "a: " + (wanted ?? message("'@.id'", "'100'")))
  }

  @Test func manyItemsTellItOnce() async throws {
    let step =
      #"{"id": "a", "forEach": [100, 101], "values": {"n": "$.list.objects[?@.id == {{item}}].n"}}"#
    #expect(try await notes(Self.list + "," + step) == ["a: " + message("'@.id'", "'{{item}}'")])
  }

  @Test(arguments: [
    ("$.list.objects[0].id == 100", "'$.list.objects[0].id'", "'100'"),
    ("$.list.objects[1].n > 1 && '1' == $.list.objects[0].n", "'1'", "'$.list.objects[0].n'"),
    (
      "$.list.objects[0].id == $.list.objects[0].n", "'$.list.objects[0].id'",
      "'$.list.objects[0].n'"
    ),
  ])
  func aConditionSaysWhyItDoesNotHold(when: String, text: String, number: String) async throws {
    let step = #"{"id": "a", "when": "\#(when)", "values": {"n": 1}}"#
    #expect(
      try await notes(Self.list + "," + step) == [
        "a: "
          + message(text, number).replacing(
            "a filter selected nothing", with: "the condition does not hold")
      ])
  }

  @Test(arguments: [
    "$.list.objects[0].n == 'one'", "$.list.objects[0].id == '7'", "$.list.objects[0].none == '7'",
    "!($.list.objects[0].id != 100)", "$.list.objects[0].id == $.list.objects[1].id",
  ])
  func otherConditionsSayNothing(when: String) async throws {
    let step = #"{"id": "a", "when": "\#(when)", "values": {"n": 1}}"#
    #expect(try await notes(Self.list + "," + step) == [])
  }

  /// What is absent, or of one type, is merely not found.
  @Test(arguments: [
    #"{"id": "a", "values": {"n": "$.list.objects[?@.id == '7'].n"}}"#,
    #"{"id": "a", "values": {"n": "$.list.objects[?@.other == 7].n"}}"#,
    #"{"id": "a", "values": {"n": "$.list.objects[?@.id != 7 && @.n == 9].n"}}"#,
    #"{"id": "a", "values": {"n": "$.list.objects[?!(@.id == 7) && @.n == 9].n"}}"#,
    #"{"id": "a", "values": {"n": "$.list.objects[?@.id == '100'].missing[?@.id == 7]"}}"#,
    #"{"id": "a", "values": {"n": "$.list.objects[?@.id == '100' || @.id == 7].n"}}"#,
  ])
  func othersTellNothing(_ step: String) async throws {
    #expect(try await notes(Self.list + "," + step) == [])
  }

  /// A response that does not meet an expectation fails the step, so it is a hint there.
  @Test(arguments: [
    #""expect": {"where": ["@.body.objects[0].n > '0'"]}"#,
    #""poll": {"until": "@.body.objects[0].n > '0'", "every": "10ms", "attempts": 2}"#,
  ])
  func anExpectationSaysItToo(_ member: String) async throws {
    let transport = ScriptedTransport { _ in .text(Self.body) }
    let text = #"{"steps": [{"id": "a", "endpoint": "GET https://a.example/o", \#(member)}]}"#
    var options = RunOptions()
    options.clock = InstantClock()
    let result = try await Pipeline(text, transport: transport, options: options).run().result
    let hints = result.report.failures.first?.failure.hints ?? []
    #expect(
      hints.contains { $0.contains("'0' is a text and '@.body.objects[0].n' a number") }, "\(hints)"
    )
  }
}
