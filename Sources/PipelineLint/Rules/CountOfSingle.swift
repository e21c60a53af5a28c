import PipelineJSONPaths
import PipelineJSONText
import PipelineSourceText

/// `count(…)` of a query that selects at most one node.
enum CountOfSingle: LintRule {
  static let explanation = Explanation(
    "count-of-one", .warning,
    what: "`count` is given a query that selects at most one node.",
    why: """
      `count` returns the number of nodes that a query selects. A query such as `$.list.ids` \
      selects one node, the list, so its count is 1 however long the list is. `length($.list.ids)` \
      counts the list's elements, and so does `count($.list.ids[*])`.
      """,
    bad: """
      {
        "steps": [
          {
            "id": "list",
            "endpoint": "GET https://api.example.com/users",
            "extract": { "ids": "$.data[*].id" }
          },
          {
            "id": "warn",
            "when": "count($.list.ids) == 0",
            "endpoint": "POST https://api.example.com/warnings"
          }
        ]
      }
      """,
    good: """
      {
        "steps": [
          {
            "id": "list",
            "endpoint": "GET https://api.example.com/users",
            "extract": { "ids": "$.data[*].id" }
          },
          {
            "id": "warn",
            "when": "count($.list.ids[*]) == 0",
            "endpoint": "POST https://api.example.com/warnings"
          }
        ]
      }
      """)

  static func check(_ step: LintStep, _ context: LintContext, _ found: inout [Diagnostic]) {
    for (call, node) in step.parts.calls {
      guard call.function == .count, case .query(let query)? = call.arguments.first,
        query.isSingular
      else { continue }
      let end = node.sourceRange(ofDecoded: query.range.upperBound..<query.range.upperBound)
      found.append(
        finding(
          "'\(query.text)' selects at most one node, so its count is 1 or 0; "
            + "write count(\(query.text)[*]) for its elements",
          at: node.sourceRange(ofDecoded: call.range),
          fix: DiagnosticFix(
            message: "count the elements",
            edits: [DiagnosticFix.Edit(range: end, replacement: "[*]")],
            isSafe: false)))
    }
  }
}
