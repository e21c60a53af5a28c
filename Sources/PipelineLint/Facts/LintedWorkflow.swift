package import PipelineByteText
import PipelineJSONText
import PipelineTemplates
package import PipelineLanguage
package import PipelinePlanning
package import PipelineSourceText

/// A file that was linted.
package struct LintedWorkflow: Sendable {
  package let file: SourceFile
  let document: JSONDocument
  /// Sorted by position.
  package let diagnostics: [Diagnostic]
  /// The facts about its parts; `nil` if the file does not hold an object.
  let context: LintContext?

  /// The readable part of the workflow. It may only be run if there are no errors.
  package var workflow: Workflow? { context?.workflow }

  /// The files that its steps run, by path as written.
  package var callees: [ExactText: LintedWorkflow] { context?.callees ?? [:] }

  /// Whether anything keeps the workflow from being run.
  package var hasErrors: Bool { diagnostics.contains { $0.severity == .error } }

  /// The plan of the workflow and of its called files; `nil` if there are errors.
  package var plan: Plan? {
    plan(PlanMemory())
  }

  /// - Parameter memory: Results that the file and its called files share.
  func plan(_ memory: PlanMemory) -> Plan? {
    var plans: [ExactText: Plan] = [:]
    return plan(&plans, memory)
  }

  /// - Parameter plans: The plans made so far, by the file's name: a file may be called many times.
  private func plan(_ plans: inout [ExactText: Plan], _ memory: PlanMemory) -> Plan? {
    if let plan = plans[ExactText(file.name)] { return plan }
    guard !hasErrors, let workflow else { return nil }
    var called: [ExactText: Plan] = [:]
    for (path, callee) in callees {
      guard let plan = callee.plan(&plans, memory) else { return nil }
      called[path] = plan
    }
    let plan = Plan(workflow, callees: called, memory: memory)
    plans[ExactText(file.name)] = plan
    return plan
  }
}
