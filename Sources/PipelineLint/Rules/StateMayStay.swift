import PipelineJSONPaths
import PipelineLanguage
import PipelinePlanning
import PipelineSourceText
import PipelineTemplates

/// A state value that stays unchanged if a value is missing.
enum StateMayStay: LintRule {
  static let explanation = Explanation(
    "state-may-stay", .note,
    what: "The step that the `next` of a state value reads may be skipped or fail.",
    why: """
      Without a value from that step, the state value stays unchanged, and the next run begins \
      where this run began. This is usually intended. If it is not, give the step an `otherwise`.
      """,
    bad: """
      {
        "inputs": { "dryRun": { "type": "boolean", "default": false } },
        "state": { "since": { "default": "2026-01-01", "next": "{{list.newest}}" } },
        "steps": [
          {
            "id": "list",
            "when": "$.inputs.dryRun == false",
            "endpoint": "GET https://api.example.com/orders",
            "query": { "since": "{{state.since}}" },
            "extract": { "newest": "$.newest" }
          }
        ]
      }
      """,
    good: """
      {
        "inputs": { "dryRun": { "type": "boolean", "default": false } },
        "state": { "since": { "default": "2026-01-01", "next": "{{list.newest}}" } },
        "steps": [
          {
            "id": "list",
            "when": "$.inputs.dryRun == false",
            "endpoint": "GET https://api.example.com/orders",
            "query": { "since": "{{state.since}}" },
            "extract": { "newest": "$.newest" },
            "otherwise": { "newest": "{{state.since}}" }
          }
        ]
      }
      """)

  static func check(_ context: LintContext) -> [Diagnostic] {
    context.nextUses.compactMap { value, use, block in
      // An extractor that is `optional` says itself that it may find nothing.
      guard value.next?.value.wholeReference != nil, use.use.query.isSingular,
        !context.read(use, inOutputsOf: block).shape.isSecret,
        let reason = context.absenceOfStep(for: use, in: block)
      else { return nil }
      return finding(
        "'\(value.name)' stays unchanged if '\(use.use.query.shown)' is absent, and \(reason)",
        at: use.use.range)
    }
  }
}
