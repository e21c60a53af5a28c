import PipelineJSONPaths
import PipelineLanguage
import PipelinePlanning
import PipelineSourceText

/// A login that is known only when a response is there, although a person makes it before.
enum LoginFromResponse: LintRule {
  static let explanation = Explanation(
    "login-from-response", .error, PackageResources.login_from_response_md)

  static func check(_ context: LintContext) -> [Diagnostic] {
    guard context.steps.contains(where: { mayBeLed($0.request) }),
      let plan = context.planWithCallees
    else { return [] }
    return findings(in: plan.root, plan.provenance)
  }

  private static func mayBeLed(_ request: Request?) -> Bool {
    request?.login?.uses.contains { $0.query.firstName != "inputs" || $0.query.hasInner } ?? false
  }

  private static func findings(in block: BlockPlan, _ provenance: Provenance) -> [Diagnostic] {
    block.steps.enumerated().flatMap { number, plan -> [Diagnostic] in
      if let inner = plan.inner { return findings(in: inner, provenance) }
      guard case .request(let request) = plan.step.action, let login = request.login,
        provenance.foreign(number, in: block).contains(.login),
        let use = login.uses.first(where: { $0.query.firstName != "inputs" || $0.query.hasInner })
      else { return [] }
      var finding = finding(
        "a person logs in before the run, so no response can be a part of the login; use an input",
        at: use.range)
      finding.isInherited = request.auth?.isInherited ?? false
      return [finding]
    }
  }
}
