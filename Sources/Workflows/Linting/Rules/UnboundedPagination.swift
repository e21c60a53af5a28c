import JSONText
import SourceText

/// A pagination that only the server ends.
enum UnboundedPagination: LintRule {
  static let explanation = Explanation(
    "unbounded-pagination", .note,
    what:
      "`paginate` follows the server from page to page and has neither `maxPages` nor `items` that would end it.",
    why: """
      It ends where the server says so, and as an error after 1,000 pages. `maxPages` says how \
      many you expect.
      """,
    bad: """
      {
        "steps": [
          {
            "id": "list",
            "endpoint": "GET https://api.example.com/users",
            "extract": { "ids": "$.data[*].id" },
            "paginate": { "next": "$.next" }
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
            "paginate": { "next": "$.next", "maxPages": 50 }
          }
        ],
        "outputs": { "ids": "{{list.ids}}" }
      }
      """)

  static func check(_ step: LintStep, _ context: LintContext, _ found: inout [Diagnostic]) {
    guard let paginate = step.request?.paginate, paginate.items == nil,
      let member = step.step.node.members.first(where: { $0.name == "paginate" }),
      member.value["maxPages"] == nil
    else { return }
    switch paginate.form {
    case .page, .offset: return
    case .link, .next, .cursor: break
    }
    found.append(
      finding(
        "only the server ends this, or an error after \(paginate.maxPages) pages; "
          + "write 'maxPages' for what you expect", at: member.nameRange))
  }
}
