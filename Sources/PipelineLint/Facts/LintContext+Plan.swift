import PipelineByteText
import PipelineJSONPaths
import PipelineLanguage
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

  /// The requests a setting of which a response decides, each with the first of its queries that
  /// reads anything but inputs.
  ///
  /// - Parameters:
  ///   - setting: The setting.
  ///   - queries: What a request reads for it.
  func requests(
    withForeign setting: Provenance.Foreign, reading queries: (Request) -> [Query]
  ) -> [(request: Request, query: Query)] {
    func suspect(_ request: Request) -> Query? {
      queries(request).first { $0.firstName != "inputs" || $0.hasInner }
    }
    guard steps.contains(where: { $0.request.flatMap(suspect) != nil }),
      let plan = planWithCallees
    else { return [] }
    var found: [(request: Request, query: Query)] = []
    func visit(_ block: BlockPlan) {
      for (number, step) in block.steps.enumerated() {
        if let inner = step.inner { visit(inner) }
        guard case .request(let request) = step.step.action,
          plan.provenance.foreign(number, in: block).contains(setting),
          let query = suspect(request)
        else { continue }
        found.append((request, query))
      }
    }
    visit(plan.root)
    return found
  }
}
