import PipelineJSONText
import PipelineTemplates
import PipelineLanguage
import PipelinePlanning
import PipelineSourceText

/// A number of items, or a bound of a range, that is not a number.
enum BoundType: LintRule {
  static let explanation = Explanation("bound-type", .error, PackageResources.bound_type_md)

  static func check(_ step: LintStep, _ context: LintContext, _ found: inout [Diagnostic]) {
    for (use, reading) in zip(step.uses, context.readings[step.number]) {
      guard case .bound = use.use.site, use.use.isWhole, case .shape(let shape) = reading,
        let kinds = shape.possibleKinds, !kinds.contains(.number), !shape.isContainer
      else { continue }
      found.append(
        finding(
          "'\(use.use.query.shown)' is \(shape.words), but a whole number is needed here; give it"
            + " \"type\": \"integer\" where it is declared or extracted", at: use.use.range,
          fix: context.typing(use.use.query, as: "integer", in: step)))
    }
  }
}
