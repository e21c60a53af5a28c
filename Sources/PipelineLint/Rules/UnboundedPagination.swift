import PipelineJSONText
import PipelineLanguage
import PipelineSourceText

/// A pagination that only the server ends.
enum UnboundedPagination: LintRule {
  static let explanation = Explanation(
    "unbounded-pagination", .note, PackageResources.unbounded_pagination_md)

  static let needsWholeStep = true

  static func check(_ step: LintStep, _ context: LintContext, _ found: inout [Diagnostic]) {
    guard let paginate = step.request?.paginate, paginate.items == nil,
      paginate.form.numbering == nil,
      let member = step.step.node.members.first(where: { $0.name == "paginate" }),
      member.value["maxPages"] == nil,
      // Two ways to go on are a mistake of their own.
      LanguageObject.Kind.paginate.object.choices.allSatisfy({ choice in
        choice.keys.count { member.value[$0] != nil } == 1
      })
    else { return }
    found.append(
      finding(
        "only the server ends this, or an error after \(paginate.maxPages) pages; "
          + "write 'maxPages' with the number that you expect", at: member.nameRange))
  }
}
