import PipelineJSONText
import PipelineLanguage
import PipelinePlanning
import PipelineSourceText

/// Pages of numbers without a last one.
enum EndlessPagination: LintRule {
  static let explanation = Explanation(
    "endless-pagination", .error, PackageResources.endless_pagination_md)

  static let needsWholeStep = true

  static func check(_ step: LintStep, _ context: LintContext, _ found: inout [Diagnostic]) {
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
}
