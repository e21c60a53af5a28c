import PipelineJSONPaths
import PipelineJSONText
import PipelineSourceText
import PipelineTemplates

/// A `$first` with a list of queries of which one selects many values.
enum FirstOfList: LintRule {
  static let explanation = Explanation(
    "first-of-list", .warning,
    what: "`$first` is given a list in which one element is a query for many values.",
    why: """
      `$first` gives the first value of its list that is there. A query for many values in brackets \
      is one element, and that element is a list. Without the brackets, the query's own values are \
      the list.
      """,
    bad: """
      {
        "steps": [
          {
            "id": "list",
            "endpoint": "GET https://api.example.com/authors",
            "extract": { "authors": "$.authors" }
          }
        ],
        "outputs": { "name": { "$first": ["$.list.authors[?@.id == 7].name"] } }
      }
      """,
    good: """
      {
        "steps": [
          {
            "id": "list",
            "endpoint": "GET https://api.example.com/authors",
            "extract": { "authors": "$.authors" }
          }
        ],
        "outputs": { "name": { "$first": "$.list.authors[?@.id == 7].name" } }
      }
      """)

  static func check(_ step: LintStep, _ context: LintContext, _ found: inout [Diagnostic]) {
    for data in step.parts.forms { judge(data.root, &found) }
  }

  static func check(_ context: LintContext) -> [Diagnostic] {
    var found: [Diagnostic] = []
    for block in context.blocks {
      for data in block.outputs.forms { judge(data.root, &found) }
    }
    return found
  }

  private static func judge(_ node: DataTemplate.Node, _ found: inout [Diagnostic]) {
    switch node {
    case .literal, .reference, .query, .text: break
    case .object(let members): for member in members { judge(member.value, &found) }
    case .array(let items), .merge(let items): for item in items { judge(item, &found) }
    case .base64(let inner, _), .json(let inner), .file(let inner, _, _): judge(inner, &found)
    case .join(let list, let separator, _):
      judge(list, &found)
      judge(separator, &found)
    case .form(let form, let inner, let list):
      if form == .first, case .array(let items) = inner { judge(items, in: list, &found) }
      judge(inner, &found)
    }
  }

  private static func judge(
    _ items: [DataTemplate.Node], in list: JSONNode, _ found: inout [Diagnostic]
  ) {
    for case .query(let query, let node) in items where !query.isSingular {
      let isOnly = items.count == 1
      found.append(
        finding(
          "'\(query.text)' selects many, and the list of them is one element here; "
            + (isOnly
              ? "drop the brackets" : "join the lists with {\"$concat\": …}, without the brackets"),
          at: node.range,
          fix: isOnly ? .replacing(list.range, with: node.text, isSafe: false) : nil))
      return
    }
  }
}
