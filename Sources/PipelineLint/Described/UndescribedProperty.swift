import PipelineLanguage
import PipelineOpenAPI
import PipelineSourceText

/// A property in a body that the API does not describe.
enum UndescribedProperty: OperationRule {
  static let explanation = Explanation(
    "undescribed-property", .warning, PackageResources.undescribed_property_md)

  static func check(
    _ call: DescribedCall, _ operation: Operation, _ found: inout [Diagnostic]
  ) {
    for problem in call.bodyProblems(operation) {
      guard case .undescribed(let isRuledOut) = problem.kind else { continue }
      var finding = finding(problem)
      if isRuledOut { finding.severity = .error }
      found.append(finding)
    }
  }
}
