import PipelineByteText
import PipelineJSONText
package import PipelineLanguage
package import PipelineOpenAPI
package import PipelineSourceText

extension Linter {
  /// What a new version of an API breaks in a workflow: findings that the old version does not have,
  /// and values that are read and described in another way, in the order of the file.
  ///
  /// The places are in the workflow, in the new description and in the old one.
  package func breaks(
    _ text: WorkflowText, from old: APIDescription, to new: APIDescription
  ) -> [Diagnostic] {
    let (before, was) = Linter(loader: loader, described: old, others: others).lintDescribed(text)
    let (after, now) = Linter(loader: loader, described: new, others: others).lintDescribed(text)
    guard let was, let now else { return [] }
    let known = Set(before.diagnostics.map { KnownBreak(code: $0.code, range: $0.range) })
    var found = after.diagnostics.filter { finding in
      // Nothing but the description is another one.
      finding.severity != .note
        && !known.contains(KnownBreak(code: finding.code, range: finding.range))
    }
    for index in found.indices {
      // Only in the new version is there a place for it.
      found[index].related += Self.place(of: found[index].range, was)
    }
    let changes = ChangedResponse.findings(was, now)
    return (found + changes.filter { change in !found.contains { $0.range == change.range } })
      .sortedByPosition()
  }

  private struct KnownBreak: Hashable {
    let code: String
    let range: Range<Int>
  }

  /// Where the old version describes the operation of the request that a finding is about.
  private static func place(
    of range: Range<Int>, _ scope: DescribedScope
  ) -> [Diagnostic.Related] {
    let around = scope.context.steps.filter { $0.step.node.range.contains(range.lowerBound) }
    guard let step = around.min(by: { $0.step.node.range.count < $1.step.node.range.count }),
      let operation = scope.calls[step.number]?.reached.first
    else { return [] }
    return [operation.node.related("the old version describes the operation here")]
  }
}
