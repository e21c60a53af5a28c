import PipelineJSONText
import PipelineLanguage
import PipelineSourceText
import PipelineTemplates

/// A body that goes with a method that has none.
enum UnexpectedBody: LintRule {
  static let explanation = Explanation(
    "unexpected-body", .warning, PackageResources.unexpected_body_md)

  static func check(_ step: LintStep, _ context: LintContext, _ found: inout [Diagnostic]) {
    guard let request = step.request, let body = request.body,
      request.method == "GET" || request.method == "HEAD", request.handler == nil
    else { return }
    var finding = finding(
      "\(request.method) carries no body; use POST, or send the values in 'query'",
      at: step.step.node.range.contains(body.node.range.lowerBound)
        ? body.node.range : request.endpoint.range,
      fix: context.place(of: request.method, in: request.endpoint.range).map {
        .replacing($0, with: "POST", isSafe: false)
      })
    // A request with HEAD and a body is not sent.
    if request.method == "HEAD" { finding.severity = .error }
    found.append(finding)
  }
}
