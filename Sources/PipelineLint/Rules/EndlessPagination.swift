import PipelineJSONText
import PipelineLanguage
import PipelineSourceText

/// Numbered pages without a last one.
enum EndlessPagination: LintRule {
  static let explanation = Explanation(
    "endless-pagination", .error,
    what: "Pages are numbered, but no key decides which page is the last.",
    why: """
      A number or an offset can always grow. The step ends with the last page only if the response \
      gives the number of pages or records, if `items` shows an empty page, or if `while` no \
      longer holds.
      """,
    bad: """
      {
        "steps": [
          {
            "id": "list",
            "endpoint": "GET https://api.example.com/users",
            "extract": { "ids": "$.data[*].id" },
            "paginate": { "page": "page" }
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
            "endpoint": "GET https://api.example.com/users",
            "extract": { "ids": "$.data[*].id" },
            "paginate": { "page": "page", "items": "$.data" }
          }
        ],
        "outputs": { "ids": "{{list.ids}}" }
      }
      """)

  static func check(_ step: LintStep, _ context: LintContext, _ found: inout [Diagnostic]) {
    guard let paginate = step.request?.paginate, paginate.items == nil, paginate.while == nil,
      let numbering = paginate.form.numbering, numbering.count == nil,
      let member = step.step.node.members.first(where: { $0.name == "paginate" }),
      !context.hasUnread(in: member.value),
      !LanguageObject.Kind.paginate.object.lacksCompanion(member.value)
    else { return }
    found.append(
      finding(
        "no key decides which page is the last; write '\(numbering.countKey)', a query for their number,"
          + " 'items', a query for a page's records, or 'while', a condition",
        at: member.nameRange))
  }
}
