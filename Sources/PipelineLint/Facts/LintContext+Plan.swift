import PipelineByteText
import PipelinePlanning

extension LintContext {
  /// The plan of the file with those of the files that it runs; `nil` if one of them has none.
  var planWithCallees: Plan? {
    var plans: [ExactText: Plan] = [:]
    for (path, callee) in callees {
      guard let plan = callee.plan else { return nil }
      plans[path] = plan
    }
    return Plan(workflow, callees: plans)
  }
}
