import PipelineLanguage
import PipelineSourceText
import PipelineTemplates

/// A request with a body whose method is not written.
enum MethodLeftOut: LintRule {
  static let explanation = Explanation(
    "method-left-out", .note, PackageResources.method_left_out_md)

  static func check(_ step: LintStep, _ context: LintContext, _ found: inout [Diagnostic]) {
    guard let request = step.request, request.body != nil, request.endpoint.value.method == nil,
      request.handler == nil, request.endpoint.value.isSound
    else { return }
    let start = request.endpoint.range.lowerBound + 1
    found.append(
      finding(
        "a request with a body is sent with POST; write \"POST \(request.endpoint.value.text)\"",
        at: request.endpoint.range,
        fix: DiagnosticFix(
          message: "write POST",
          edits: [DiagnosticFix.Edit(range: start..<start, replacement: "POST ")])))
  }
}
