import PipelineJSONPaths
import PipelineJSONText
import PipelineLanguage
import PipelineSourceText

/// A query in `paginate` that selects many values: the first is taken. A filter chooses one.
enum FirstOfMany: LintRule {
  static let explanation = Explanation("first-of-many", .warning, PackageResources.first_of_many_md)

  static func check(_ step: LintStep, _ context: LintContext, _ found: inout [Diagnostic]) {
    guard let paginate = step.request?.paginate else { return }
    for source in paginate.form.sources {
      guard let query = source.query, source.extractor.take == nil,
        let many = query.value.segments.first(where: { !$0.isSingular && !$0.isFilter })
      else { continue }
      let extractor = source.extractor
      let node = extractor.node
      let fix: DiagnosticFix? =
        node.kind == .object
        ? node.suggesting("take", "\"first\"")
        : .replacing(
          node.range, with: "{ \"body\": \(node.text), \"take\": \"first\" }", isSafe: false)
      found.append(
        finding(
          "'\(extractor.name)' is one value, but '\(query.value.text)' may select many: it is the first"
            + " of them; write the way to one value, or 'take' for the first or the last",
          at: query.range(of: many.range), fix: fix))
    }
  }
}

extension Segment {
  fileprivate var isFilter: Bool {
    guard reach == .child, selectors.count == 1, case .filter = selectors.first.kind else {
      return false
    }
    return true
  }
}
