import PipelineLanguage
import PipelineOpenAPI
import PipelineSourceText

/// A body without a property that the API requires.
enum MissingProperty: OperationRule {
  static let explanation = Explanation(
    "missing-property", .error, PackageResources.missing_property_md)

  static func check(
    _ call: DescribedCall, _ operation: Operation, _ found: inout [Diagnostic]
  ) {
    for problem in call.bodyProblems(operation) {
      guard case .missing = problem.kind else { continue }
      found.append(finding(problem))
    }
  }
}
