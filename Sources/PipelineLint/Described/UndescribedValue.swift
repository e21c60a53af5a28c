import PipelineLanguage
import PipelineOpenAPI
import PipelineSourceText

/// A value in a request that the API does not take.
enum UndescribedValue: OperationRule {
  static let explanation = Explanation(
    "undescribed-value", .error, PackageResources.undescribed_value_md)

  static func check(
    _ call: DescribedCall, _ operation: Operation, _ found: inout [Diagnostic]
  ) {
    for problem in call.parameterProblems(operation) + call.bodyProblems(operation) {
      switch problem.kind {
      case .value: found.append(finding(problem))
      case .format:
        var finding = finding(problem)
        finding.severity = .warning
        found.append(finding)
      case .missing, .undescribed, .deprecated: break
      }
    }
  }
}
