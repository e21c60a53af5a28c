import PipelineJSONText
import PipelineLanguage
import PipelineSourceText

/// A `cache` that does not apply to the step's method.
enum UncachedMethod: LintRule {
  static let explanation = Explanation(
    "uncached-method", .error, PackageResources.uncached_method_md)

  static func check(_ step: LintStep, _ context: LintContext, _ found: inout [Diagnostic]) {
    guard let request = step.request, request.cache != nil, request.method != "GET",
      let member = step.step.node.members.first(where: { $0.name == "cache" })
    else { return }
    found.append(
      finding(
        "only responses to GET are kept, and this is \(request.method); leave 'cache' out",
        at: member.nameRange,
        fix: step.step.node.removing(member).map {
          DiagnosticFix(message: "remove 'cache'", edits: [$0], isSafe: false)
        }))
  }
}
