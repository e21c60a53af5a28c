import PipelineJSONPaths
import PipelineJSONText
import PipelineSourceText

/// A pattern of `match` or `search` that is not an I-Regexp.
enum PatternSyntax: FunctionCallRule {
  static let explanation = Explanation(
    "pattern-syntax", .error,
    what: "A pattern uses a construct that RFC 9485, the patterns of JSONPath, does not have.",
    why: """
      The patterns of `match`, `search` and `regex` are I-Regexps. They are matched in linear time \
      and mean the same everywhere. They have no `\\d` or `\\w` (write `[0-9]`, `[0-9A-Za-z_]`), \
      no look-around and no back references. With an invalid pattern a query selects nothing.
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

  static func judge(_ call: FunctionCall, in node: JSONNode) -> Diagnostic? {
    call.patternProblem.map { problem in
      finding(problem.message, at: node.sourceRange(ofDecoded: problem.range))
    }
  }
}
