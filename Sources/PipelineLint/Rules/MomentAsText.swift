import PipelineJSONPaths
import PipelineJSONText
import PipelineLanguage
import PipelineSourceText

/// A comparison of a moment, which compares texts.
enum MomentAsText: LintRule {
  static let explanation = Explanation(
    "moment-as-text", .note,
    what: "A condition or filter orders a `datetime` input by its text.",
    why: """
      RFC 9535 compares texts byte by byte. `2026-01-02T00:00:00Z` and `2026-01-02T01:00:00+01:00` are \
      one moment, but not one text. Compare only moments that are written alike, or let the server \
      filter. `$min` and `$max` compare the moments themselves.
      """,
    bad: """
      {
        "inputs": { "from": { "type": "datetime" } },
        "steps": [
          {
            "id": "list",
            "endpoint": "GET https://api.example.com/calls",
            "extract": { "calls": "$.calls" }
          }
        ],
        "outputs": { "calls": "$.list.calls[?@.started >= {{inputs.from}}]" }
      }
      """,
    good: """
      {
        "inputs": { "from": { "type": "datetime" } },
        "steps": [
          {
            "id": "list",
            "endpoint": "GET https://api.example.com/calls",
            "query": { "from": "{{inputs.from}}" },
            "extract": { "calls": "$.calls" }
          }
        ],
        "outputs": { "calls": "$.list.calls" }
      }
      """)

  static func check(_ step: LintStep, _ context: LintContext, _ found: inout [Diagnostic]) {
    judge(step.parts, context, &found)
  }

  static func check(_ context: LintContext) -> [Diagnostic] {
    var found: [Diagnostic] = []
    for block in context.blocks { judge(block.outputs, context, &found) }
    return found
  }

  private static func judge(
    _ parts: StepParts, _ context: LintContext, _ found: inout [Diagnostic]
  ) {
    for (comparison, node) in parts.comparisons {
      guard comparison.comparator != .equal, comparison.comparator != .notEqual,
        let name = moment(comparison.left, context) ?? moment(comparison.right, context)
      else { continue }
      found.append(
        finding(
          "'inputs.\(name)' is compared as a text, so both moments must be written alike; let the"
            + " server filter if they may not be",
          at: node.sourceRange(ofDecoded: comparison.range)))
    }
  }

  /// The input of the type `datetime` that a side is.
  private static func moment(_ operand: Operand, _ context: LintContext) -> String? {
    let query: Query
    switch operand {
    case .query(let plain) where plain.anchor == .root: query = plain
    case .binding(let binding): query = binding.query
    case .query, .literal, .function: return nil
    }
    guard query.firstName == "inputs", query.segments.count == 2, let name = query.segments[1].name,
      context.workflow.inputs.contains(where: { $0.name == name && $0.type == .datetime })
    else { return nil }
    return name
  }
}
