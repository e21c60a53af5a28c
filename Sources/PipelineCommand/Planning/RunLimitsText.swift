internal import PipelineByteText
internal import PipelineJSONText
internal import PipelineLanguage
internal import PipelineSourceText

/// The limits of a run that its author has set, in the words of the file.
struct RunLimitsText {
  /// `concurrency 4, rate 10/1s`; `nil` if none is set.
  let text: String?

  init(_ workflow: Workflow) {
    var roots = [workflow.document.root]
    if let base = workflow.base {
      roots.append(JSONDocument.parseRecovering(base.source.bytes).0.root)
    }
    var limits: [(name: String, text: String)] = []
    // The file's own come before those of its base file.
    for member in roots.flatMap({ $0["limits"].map { Array($0.members) } ?? [] })
    where workflow.limitNames.contains(member.name)
      && !limits.contains(where: { $0.name.equals(bytes: member.name) })
    {
      limits.append((member.name, member.value.string ?? member.value.text))
    }
    text =
      limits.isEmpty ? nil : limits.map { $0.name + " " + $0.text }.joined(separator: ", ")
  }
}
