import JSONPaths
import SourceText

/// A pattern of `match` or `search` that is no I-Regexp.
struct PatternSyntax: LintRule {
  static let explanation = Explanation(
    "pattern-syntax", .error,
    what: "A pattern uses what RFC 9485, the patterns of JSONPath, does not have.",
    why: """
      The patterns of `match`, `search` and `regex` are I-Regexps: they take a time that grows \
      with the text alone, and mean the same everywhere. They have no `\\d` or `\\w` (write \
      `[0-9]`, `[0-9A-Za-z_]`), no look-around, no back references and no `^` or `$` (`match` \
      always compares the whole text). With such a pattern a query selects nothing.
      """,
    bad: """
      {
        "steps": [
          {
            "id": "list",
            "endpoint": "GET https://api.example.com/orders",
            "extract": { "ids": "$.orders[?match(@.number, '\\\\\\\\d+')].id" }
          }
        ],
        "outputs": { "ids": "{{list.ids}}" }
      }
      """,
    good: """
      {
        "steps": [
          {
            "id": "list",
            "endpoint": "GET https://api.example.com/orders",
            "extract": { "ids": "$.orders[?match(@.number, '[0-9]+')].id" }
          }
        ],
        "outputs": { "ids": "{{list.ids}}" }
      }
      """)

  func check(_ context: LintContext) -> [Diagnostic] {
    var found: [Diagnostic] = []
    for step in context.steps {
      for (condition, _) in step.parts.conditions {
        found += judge(ConditionWalk(condition.value.expression).calls, in: condition)
      }
      for query in step.parts.scopeQueries + step.parts.bodyQueries.map(\.query) {
        found += judge(ConditionWalk(filtersOf: query.value).calls, in: query)
      }
    }
    for block in context.blocks {
      for query in block.outputs.scopeQueries {
        found += judge(ConditionWalk(filtersOf: query.value).calls, in: query)
      }
    }
    return found
  }

  private func judge<Value>(_ calls: [FunctionCall], in written: Written<Value>) -> [Diagnostic] {
    calls.compactMap { call in
      guard let problem = call.patternProblem else { return nil }
      return finding(problem.message, at: written.range(of: problem.range))
    }
  }
}
