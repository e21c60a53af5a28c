import PipelineJSONPaths
import PipelineLanguage
import PipelinePlanning
import PipelineSourceText
import PipelineTemplates

/// A proxy that a response names.
enum ProxyFromResponse: LintRule {
  static let explanation = Explanation(
    "proxy-from-response", .error,
    what: "The proxy of a request is taken out of a response.",
    why: """
      A proxy sees where all requests go, and all that is not encrypted. A run refuses one that a \
      response decides. Name it in the file, by an input, or in the environment.
      """,
    bad: """
      {
        "steps": [
          {
            "id": "where",
            "endpoint": "GET https://api.example.com/proxy",
            "extract": { "url": "$.url" }
          },
          {
            "id": "list",
            "endpoint": "GET https://api.example.com/users",
            "proxy": "{{where.url}}"
          }
        ]
      }
      """,
    good: """
      {
        "inputs": { "proxy": { "type": "string", "env": "PROXY" } },
        "steps": [
          {
            "id": "list",
            "endpoint": "GET https://api.example.com/users",
            "proxy": "{{inputs.proxy}}"
          }
        ]
      }
      """)

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
