import PipelineByteText
import PipelineJSONText
import PipelineLanguage
import PipelineSourceText

/// A date that is a text, so that it is not computed.
enum DateAsText: LintRule {
  static let explanation = Explanation(
    "date-as-text", .warning,
    what: "The default of a text looks like a date that a run computes.",
    why: """
      Only a `date` or `datetime` computes `now` and `now-30d` when the run starts. In a \
      `string` it is sent as it is written.
      """,
    bad: """
      {
        "inputs": { "since": { "type": "string", "default": "now-30d" } },
        "steps": [
          { "id": "list", "endpoint": "GET https://api.example.com/users?since={{inputs.since}}" }
        ]
      }
      """,
    good: """
      {
        "inputs": { "since": { "type": "date", "default": "now-30d" } },
        "steps": [
          { "id": "list", "endpoint": "GET https://api.example.com/users?since={{inputs.since}}" }
        ]
      }
      """)

  static func check(_ context: LintContext) -> [Diagnostic] {
    context.workflow.inputs.compactMap { input in
      guard input.type == .string || input.type == nil, let value = input.defaultValue,
        let text = value.string, Timestamps.isRelative(text)
      else { return nil }
      return finding(
        "'\(text)' is a text here; write \"type\": \"date\" or \"datetime\" to have it computed",
        at: value.range,
        fix: input.node.suggesting(
          "type",
          text.hasSuffix(bytes: "h") || text.hasSuffix(bytes: "m") ? "\"datetime\"" : "\"date\""))
    }
  }
}
