internal import PipelineImports
internal import PipelineJSONText
internal import PipelineLint
internal import PipelineSourceText

extension ImportReport {
  /// Refuses what lint calls an error in the workflow that was made.
  mutating func refuseErrors(in workflow: [UInt8]) {
    let source = SourceFile(name: "workflow.json", bytes: workflow)
    let errors = Linter().lint(source).diagnostics.filter { $0.severity == .error }
    guard !errors.isEmpty, let document = try? JSONDocument.parse(workflow) else { return }
    for error in errors {
      let step = Self.step(at: error.range.lowerBound, in: document.root)
      let subject = step.map { "the step '\($0)'" } ?? "the workflow"
      refuse(step: step ?? "", "\(subject) would have an error: \(error.message)")
    }
  }

  /// The innermost step that a place of a workflow is in.
  private static func step(at place: Int, in node: JSONNode) -> String? {
    guard let steps = node["steps"],
      let step = steps.elements.first(where: { $0.range.contains(place) })
    else { return nil }
    return self.step(at: place, in: step) ?? step["id"]?.string
  }
}
