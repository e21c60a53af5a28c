import PipelineLanguage
import PipelineSourceText

/// A query of a body that the response never has.
enum QueryOfNoBody: LintRule {
  static let explanation = Explanation(
    "query-of-no-body", .error, PackageResources.query_of_no_body_md)

  static func check(_ step: LintStep, _ context: LintContext, _ found: inout [Diagnostic]) {
    guard let request = step.request, request.handler == nil,
      let reason = reason(request, step.step)
    else { return }
    for extractor in request.extract where !extractor.isOptional && extractor.defaultValue == nil {
      guard case .body(let query) = extractor.source else { continue }
      found.append(finding("\(reason), so '\(extractor.name)' is never found", at: query.range))
    }
  }

  /// Why no response has a body; `nil` if one may.
  private static func reason(_ request: Request, _ step: Step) -> String? {
    if request.method == "HEAD" { return "a response to HEAD has no body" }
    let bodiless = [204, 205, 304]
    let status = step.expect.status.compactMap { expected in
      bodiless.first { expected == .code($0) }
    }
    guard let first = status.first, status.count == step.expect.status.count else { return nil }
    return "a response with status \(first) has no body"
  }
}
