import PipelineByteText
import PipelineJSONPaths
import PipelineTemplates

/// Where the rows come from that somebody asks for by name.
package enum RowSource: Sendable, Hashable {
  /// The rows of a collection of the file, by the number of the step, during the run.
  ///
  /// `output`: the position of the output that is these rows; `nil`: the step was named.
  case collection(step: Int, output: Int?)
  /// The value of an output, by its position, when the run has ended.
  case output(Int)
}

extension Plan {
  /// Where the rows of an output, or of a step with `forEach`, come from; `nil`: the file has
  /// neither of that name. An output comes before a step.
  package func rowSource(named name: String) -> RowSource? {
    let outputs = workflow.block.outputs ?? []
    if let output = outputs.firstIndex(where: { $0.name.equals(bytes: name) }) {
      let step = collection(thatIs: outputs[output])
      return step.map { .collection(step: $0, output: output) } ?? .output(output)
    }
    return root.steps.firstIndex { $0.step.id.value.equals(bytes: name) && $0.step.forEach != nil }
      .map { .collection(step: $0, output: nil) }
  }

  /// The collection whose rows are all of an output's value.
  private func collection(thatIs output: Field) -> Int? {
    guard let query = output.value.wholeReference, query.segments.count == 1,
      query.firstNames.count == 1,
      let read = root.outputReads.first(where: { $0.name.equals(bytes: query.firstNames[0]) }),
      case .step(level: 0, let step) = read.definition, root.steps[step].step.forEach != nil
    else { return nil }
    return step
  }

  /// Whether a step, an output or the state reads the rows of a collection.
  ///
  /// - Parameter outputs: The positions of outputs that do not count.
  package func readsRows(of step: Int, besides outputs: Set<Int>) -> Bool {
    let definition = Definition.step(level: 0, index: step)
    if root.nextReads.contains(where: { $0.definition == definition }) || isRead(step) {
      return true
    }
    let names = root.outputReads.filter { $0.definition == definition }.map(\.name)
    return (workflow.block.outputs ?? []).enumerated().contains { position, output in
      !outputs.contains(position)
        && output.value.uses.contains { use in use.query.firstNames.contains { names.contains($0) }
        }
    }
  }

  /// The secret parts of each row.
  package func rowTaint(of source: RowSource) -> Taint {
    switch source {
    case .collection(let step, nil): secrecy[root].steps[step].values
    case .collection(_, let output?), .output(let output):
      (workflow.block.outputs ?? [])[output].isRevealed ? .none : secrecy[root].outputs[output]
    }
  }

  /// Whether the author has asked to see the rows as they are, secrets included.
  package func revealsRows(of source: RowSource) -> Bool {
    switch source {
    case .collection(_, nil): false
    case .collection(_, let output?), .output(let output):
      (workflow.block.outputs ?? [])[output].isRevealed
    }
  }
}
