import PipelineByteText
import PipelineJSONPaths
import PipelineLanguage
import PipelinePlanning
import PipelineSourceText

/// The steps that a step waits for because it reads them.
package struct InferredDependency: Sendable {
  /// The byte after the step's id.
  package let place: Int
  /// Their ids, in the order of the file.
  package let steps: [String]
}

extension WorkflowAnalysis {
  /// What each step waits for without a `dependsOn` that says so.
  package var inferredDependencies: [InferredDependency] {
    guard let context else { return [] }
    return context.steps.compactMap { step in
      let viewpoint = Viewpoint(block: step.block, step: step.number)
      let written = step.step.dependsOn.map { ExactText($0.value) }
      var indexes: Set<Int> = []
      for use in step.uses {
        guard let name = use.use.query.firstName,
          case .step(level: 0, let index) = context.definition(of: name, from: viewpoint),
          context.blocks[step.block].steps[index] != step.number,
          !written.contains(ExactText(name))
        else { continue }
        indexes.insert(index)
      }
      let range = step.step.id.range
      guard !indexes.isEmpty, range.upperBound <= file.bytes.count else { return nil }
      let block = context.blocks[step.block]
      return InferredDependency(
        place: range.upperBound,
        steps: indexes.sorted().map { context.steps[block.steps[$0]].step.id.value })
    }
  }
}
