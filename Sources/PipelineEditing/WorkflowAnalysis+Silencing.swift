import PipelineByteText
import PipelineJSONText
package import PipelineLint
package import PipelineSourceText

extension WorkflowAnalysis {
  /// The change that silences a warning or a note in the step around it, or in the file.
  ///
  /// - Returns: `nil` for an error, which cannot be silenced.
  package func silencing(_ finding: Diagnostic) -> DiagnosticFix? {
    guard finding.severity != .error, finding.code != "unused-silencing",
      document.root.kind == .object
    else { return nil }
    let owner = step(around: finding.range.lowerBound, in: document.root) ?? document.root
    let entry = "\"\(finding.code)\": \"say why\""
    let message = "silence '\(finding.code)' here, with a reason"
    if let ignored = owner["$lint"]?["ignore"], ignored.kind == .object {
      return inserting(entry, into: ignored, message)
    }
    guard owner["$lint"] == nil else { return nil }
    return inserting("\"$lint\": { \"ignore\": { \(entry) } }", into: owner, message)
  }

  private func inserting(_ member: String, into object: JSONNode, _ message: String)
    -> DiagnosticFix
  {
    let place = object.range.lowerBound + 1
    guard let first = object.members.first(where: { _ in true })?.nameRange.lowerBound else {
      return .inserting(" \(member) ", at: place, message)
    }
    // As the first member, with the white space that is before the one that it precedes.
    return .inserting(file.text(place..<first) + member + ",", at: place, message)
  }

  private func step(around offset: Int, in node: JSONNode) -> JSONNode? {
    for key in ["steps", "finally", "choose"] {
      guard let list = node[key], list.kind == .array else { continue }
      for step in list.elements where step.kind == .object && step.range.contains(offset) {
        return self.step(around: offset, in: step) ?? step
      }
    }
    return nil
  }
}
