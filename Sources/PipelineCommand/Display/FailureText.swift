internal import PipelineKit
internal import PipelineSourceText

/// Writes failures of a run as lint writes its findings: with the place in the workflow file, and
/// below it what came back.
struct FailureText: Sendable {
  let renderer: DiagnosticRenderer

  /// Lines, each ending with a newline.
  func text(_ failed: StepFailure) -> String {
    let failure = failed.failure
    let item = failed.itemText.map { ", item " + $0 } ?? ""
    let message = "\(failed.subject)\(item): \(failure.message)"
    let range = failure.range ?? failed.stepRange
    let diagnostic = Diagnostic(
      code: failure.kind.rawValue, severity: .error, message: message, range: range)
    return renderer.render(diagnostic, in: failed.source) + facts(of: failure)
  }

  /// Lines about a failure that belongs to no step.
  func text(_ failure: FailureReason) -> String {
    "error: \(Cells.printable(failure.message)) [\(failure.kind.rawValue)]\n" + facts(of: failure)
  }

  private func facts(of failure: FailureReason) -> String {
    var facts: [String] = []
    if let request = failure.request {
      let attempts = request.attempts > 1 ? " (\(request.attempts) attempts)" : ""
      facts.append("request: \(request.method) \(request.url)\(attempts)")
    }
    if let excerpt = failure.excerpt, !excerpt.isEmpty { facts.append("body: \(excerpt)") }
    facts += failure.hints
    return facts.map { "      = " + Cells.printable($0) + "\n" }.joined()
  }
}

extension StepFailure {
  /// The item's number, after those of the items around it; `nil` if there is no item.
  var itemText: String? {
    let items = path + (item.map { [$0] } ?? [])
    return items.isEmpty ? nil : items.map(String.init).joined(separator: ".")
  }
}
