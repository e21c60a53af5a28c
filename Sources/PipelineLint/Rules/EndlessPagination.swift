import PipelineJSONText
import PipelineLanguage
import PipelinePlanning
import PipelineSourceText

/// Pages without a last one: of numbers, or of values that nothing reads.
enum EndlessPagination: LintRule {
  static let explanation = Explanation(
    "endless-pagination", .error, PackageResources.endless_pagination_md)

  static let needsWholeStep = true

  static func check(_ step: LintStep, _ context: LintContext, _ found: inout [Diagnostic]) {
    if let unread = unreadValue(step) { found.append(unread) }
    guard let paginate = step.request?.paginate, paginate.items == nil, paginate.while == nil,
      let numbering = paginate.form.numbering, numbering.count == nil,
      let member = step.step.node.members.first(where: { $0.name == "paginate" }),
      !LanguageObject.Kind.paginate.object.lacksCompanion(member.value)
    else { return }
    found.append(
      finding(
        "no key decides which page is the last; write '\(numbering.countKey)', a query for their number,"
          + " 'items', a query for a page's records, or 'while', a condition",
        at: member.nameRange))
  }

  /// The finding that no setting reads what the pages carry.
  private static func unreadValue(_ step: LintStep) -> Diagnostic? {
    // A name that nothing has is another mistake, and may be meant for one of them.
    guard let value = step.step.pageValues.first,
      !step.uses.contains(where: { use in
        if case .pageValue? = use.definition { true } else { use.definition == nil }
      })
    else { return nil }
    return finding(
      "nothing reads '\(value.name)', so each page is the same; insert {{\(value.name)}} where the"
        + " request takes it, such as in 'query'", at: value.nameRange)
  }
}
