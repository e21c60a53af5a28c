import PipelineLanguage
import PipelineOpenAPI
import PipelineSourceText

/// A rule that compares a request with the description of the API.
protocol DescribedRule: ExplainedRule {
  static func check(
    _ request: Request, _ call: DescribedCall, _ api: DescribedOperations,
    _ found: inout [Diagnostic])
}

/// Judges the requests of workflows by the description of an API.
///
/// A request is judged only if its URL begins with a server that is described, and only by what holds
/// for every operation that it may reach.
enum DescribedRules {
  static let all: [any DescribedRule.Type] = [UndescribedOperation.self, MissingParameter.self]

  static let codes = Set(all.map { $0.explanation.code })

  static func findings(of workflow: Workflow, _ description: APIDescription) -> [Diagnostic] {
    let api = DescribedOperations(description)
    var found: [Diagnostic] = []
    check(workflow.block, api, &found)
    return found
  }

  private static func check(
    _ block: Block, _ api: DescribedOperations, _ found: inout [Diagnostic]
  ) {
    for step in block.steps + block.finally {
      switch step.action {
      case .block(let inner): check(inner, api, &found)
      case .request(let request):
        guard let call = DescribedCall(request, api) else { continue }
        for rule in all { rule.check(request, call, api, &found) }
      case .call, .values, .wait, .fail: break
      }
    }
  }
}
