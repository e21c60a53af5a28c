import PipelineJSONPaths
import PipelineJSONText
import PipelineLanguage
import PipelineSourceText

/// An extractor that takes the only one of several.
enum FindsMany: RecordedRule {
  static let explanation = Explanation("finds-many", .warning, PackageResources.finds_many_md)

  static func check(
    _ step: Step, _ answers: [RecordedAnswers.Answer], _ found: inout [Diagnostic]
  ) {
    let bodies = step.expected(answers).compactMap(\.body)
    for (extractor, query) in step.bodyExtractors where extractor.take?.value == .one {
      let most = bodies.map { query.value.nodes(in: QueryContext($0)).count }.max() ?? 0
      guard most > 1, let take = extractor.take else { continue }
      found.append(
        finding(
          "extractor '\(extractor.name)' takes the only value, and a recorded answer has \(most);"
            + " take the first or the last, or filter them", at: take.range))
    }
  }
}
