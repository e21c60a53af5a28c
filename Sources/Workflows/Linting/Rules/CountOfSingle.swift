import JSONPaths
import SourceText

/// `count(…)` of a query that selects at most one node.
struct CountOfSingle: LintRule {
  static let explanation = Explanation(
    "count-of-one", .warning,
    what: "`count` is given a query that selects at most one thing.",
    why: """
      `count` says how many nodes a query selects. A query such as `$.list.ids` selects one node, \
      the list, so its count is 1 however long the list is. `length($.list.ids)` counts the list's \
      elements; so does `count($.list.ids[*])`.
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

  func check(_ context: LintContext) -> [Diagnostic] {
    var found: [Diagnostic] = []
    for step in context.steps {
      for (condition, _) in step.parts.conditions {
        let calls = ConditionWalk(condition.value.expression).calls
        found += judge(calls) { condition.range(of: $0) }
      }
      for query in step.parts.scopeQueries + step.parts.bodyQueries.map(\.query) {
        found += judge(ConditionWalk(filtersOf: query.value).calls) { query.range(of: $0) }
      }
    }
    return found
  }

  private func judge(_ calls: [FunctionCall], _ place: (Range<Int>) -> Range<Int>) -> [Diagnostic] {
    calls.compactMap { call in
      guard call.function == .count, case .query(let query)? = call.arguments.first,
        query.isSingular
      else { return nil }
      return finding(
        "'\(query.text)' selects one thing, so its count is 1 or 0; "
          + "write count(\(query.text)[*]) for its elements",
        at: place(call.range),
        fix: Fix(
          message: "count the elements",
          edits: [
            Fix.Edit(
              range: place(query.range.upperBound..<query.range.upperBound), replacement: "[*]")
          ]))
    }
  }
}
