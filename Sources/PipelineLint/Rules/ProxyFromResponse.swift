import PipelineJSONPaths
import PipelineLanguage
import PipelinePlanning
import PipelineSourceText
import PipelineTemplates

/// A proxy that a response names.
enum ProxyFromResponse: LintRule {
  static let explanation = Explanation(
    "proxy-from-response", .error, PackageResources.proxy_from_response_md)

  static func check(_ context: LintContext) -> [Diagnostic] {
    guard context.steps.contains(where: { mayBeLed($0.request) }) else { return [] }
    guard let plan = context.planWithCallees else { return [] }
    return findings(in: plan.root, plan.provenance)
  }

  private static func mayBeLed(_ request: Request?) -> Bool {
    request?.proxy?.value.references.contains {
      $0.query.firstName != "inputs" || $0.query.hasInner
    } ?? false
  }

  private static func findings(in block: BlockPlan, _ provenance: Provenance) -> [Diagnostic] {
    block.steps.enumerated().flatMap { number, plan -> [Diagnostic] in
      if let inner = plan.inner { return findings(in: inner, provenance) }
      guard case .request(let request) = plan.step.action, let proxy = request.proxy,
        provenance.foreign(number, in: block).contains(.proxy)
      else { return [] }
      return [
        finding(
          "a response decides the proxy, which sees where all requests go; name it in the file or"
            + " by an input", at: proxy.range)
      ]
    }
  }
}
