import PipelineJSONPaths
import PipelineJSONText
import PipelineSourceText

extension LintedWorkflow {
  /// Whether the run's id or start may be part of a request, because a step reads `run`, or an
  /// input's default is relative to now.
  package var readsRun: Bool {
    let readsIt = TestNames(self).steps.contains { entry in
      (entry.step.uses + entry.step.iterationUses).contains {
        $0.query.firstNames.contains { $0 == "run" }
      }
    }
    if readsIt { return true }
    return workflow?.inputs.contains { input in
      (input.type == .date || input.type == .datetime)
        && input.defaultValue?.string?.utf8.starts(with: "now".utf8) == true
    } ?? false
  }
}

extension LintedWorkflow {
  /// The names of the file, of its called files and of its base file.
  package var fileNames: Set<String> {
    var names = callees.values.reduce(into: Set([file.name])) { $0.formUnion($1.fileNames) }
    if let base = workflow?.base { names.insert(base.source.name) }
    return names
  }
}
