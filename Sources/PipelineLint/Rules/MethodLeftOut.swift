import PipelineLanguage
import PipelineSourceText
import PipelineTemplates

/// A request with a body whose method is not written.
enum MethodLeftOut: LintRule {
  static let explanation = Explanation(
    "method-left-out", .note,
    what: "A step has a `body`, but its endpoint has no method.",
    why: """
      The request is sent with POST. If you write the method, readers of the file see it, and you \
      do not forget a PUT or PATCH.
      """,
    bad: """
      {
        "steps": [
          {
            "id": "list",
            "endpoint": "https://api.example.com/users",
            "body": { "json": { "name": "Ada" } }
          }
        ]
      }
      """,
    good: """
      {
        "steps": [
          {
            "id": "list",
            "endpoint": "POST https://api.example.com/users",
            "body": { "json": { "name": "Ada" } }
          }
        ]
      }
      """)

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
