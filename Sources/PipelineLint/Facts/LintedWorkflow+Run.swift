import PipelineByteText
import PipelineTemplates
import PipelineJSONPaths
import PipelineJSONText
import PipelineLanguage
import PipelineSourceText

extension LintedWorkflow {
  /// Whether the run's id or start may be part of a request, because a step reads `run`, or an
  /// input's default is relative to now.
  package var readsRun: Bool {
    if files.contains(where: { $0.workflow?.block.readsRun == true }) { return true }
    return workflow?.inputs.contains { input in
      (input.type == .date || input.type == .datetime)
        && input.defaultValue?.string?.utf8.starts(with: "now".utf8) == true
    } ?? false
  }
}

extension LintedWorkflow {
  /// The file, and those that it calls at any depth, each once. There may be very many ways that
  /// lead to one file.
  package var files: [LintedWorkflow] {
    var found = [self]
    var names: Set = [ExactText(file.name)]
    var next = 0
    while next < found.count {
      for callee in found[next].callees.values
      where names.insert(ExactText(callee.file.name)).inserted {
        found.append(callee)
      }
      next += 1
    }
    return found
  }

  /// The names of the file, of its called files and of their base files.
  package var fileNames: Set<String> {
    files.reduce(into: []) { names, linted in
      names.insert(linted.file.name)
      if let base = linted.workflow?.base { names.insert(base.source.name) }
    }
  }
}

extension Block {
  /// Whether a step of the block, at any depth, reads `run`.
  fileprivate var readsRun: Bool {
    (steps + finally).contains { step in
      if (step.uses + step.iterationUses).contains(where: { use in
        use.query.firstNames.contains { $0 == "run" }
      }) {
        return true
      }
      if case .block(let block) = step.action { return block.readsRun }
      return false
    }
  }
}
