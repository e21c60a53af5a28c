import PipelineLanguage
import PipelineSourceText

/// A query of a body that the response never has.
enum QueryOfNoBody: LintRule {
  static let explanation = Explanation(
    "query-of-no-body", .error,
    what: "A step extracts a value from the body of a response that has none.",
    why: """
      The response to a HEAD request has no body, and neither has one with status 204, 205 or 304 \
      (RFC 9110 §6.4.1). The step always fails. Read a header instead, or mark the value `optional`.
      """,
    bad: """
      {
        "steps": [
          {
            "id": "count",
            "endpoint": "HEAD https://api.example.com/users",
            "extract": { "total": "$.total" }
          }
        ],
        "outputs": { "total": "{{count.total}}" }
      }
      """,
    good: """
      {
        "steps": [
          {
            "id": "count",
            "endpoint": "HEAD https://api.example.com/users",
            "extract": { "total": { "header": "X-Total-Count", "type": "integer" } }
          }
        ],
        "outputs": { "total": "{{count.total}}" }
      }
      """)

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
