import PipelineJSONText
import PipelineLanguage
import PipelineSourceText

/// A state value that no run changes.
enum StateWithoutNext: LintRule {
  static let explanation = Explanation(
    "state-without-next", .warning,
    what: "A state value has no `next`, so no run ever changes it.",
    why: """
      `next` gives the value after a successful run. A value that only people change should be an \
      input.
      """,
    bad: """
      {
        "state": { "since": { "type": "date", "default": "2026-01-01" } },
        "steps": [
          {
            "id": "list",
            "endpoint": "GET https://api.example.com/orders",
            "query": { "since": "{{state.since}}" }
          }
        ]
      }
      """,
    good: """
      {
        "state": { "since": { "type": "date", "default": "2026-01-01", "next": "now" } },
        "steps": [
          {
            "id": "list",
            "endpoint": "GET https://api.example.com/orders",
            "query": { "since": "{{state.since}}" }
          }
        ]
      }
      """)

  static func check(_ context: LintContext) -> [Diagnostic] {
    context.workflow.state.filter { $0.next == nil && $0.node.kind == .object }
      .filter { !context.incomplete.contains($0.node.index) && !context.hasUnread(in: $0.node) }
      .map { value in
        finding(
          "no run changes the state value '\(value.name)'; write \"next\": …, or "
            + (value.isOfItems ? "remove it" : "make it an input"),
          at: value.nameRange)
      }
  }
}
