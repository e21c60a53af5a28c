import PipelineJSONPaths
import PipelineLanguage
import PipelinePlanning
import PipelineSourceText

/// A login that is known only when a response is there, although a person makes it before.
enum LoginFromResponse: LintRule {
  static let explanation = Explanation(
    "login-from-response", .error,
    what: "A login that a person makes is made of a response.",
    why: """
      A person logs in with `pipeline login` before a run. So the server, the client, the scopes, \
      the parameters and the name of the login must be known then: from the file's own text, from \
      inputs, or from a list of them.
      """,
    bad: """
      {
        "steps": [
          {
            "id": "tenant",
            "endpoint": "GET https://api.example.com/tenant",
            "extract": { "client": "$.client" }
          },
          {
            "id": "me",
            "endpoint": "GET https://api.example.com/me",
            "auth": {
              "oauth2": {
                "grant": "deviceAuthorization",
                "deviceAuthorizationURL": "https://id.example.com/device",
                "tokenURL": "https://id.example.com/token",
                "clientId": "{{tenant.client}}"
              }
            }
          }
        ]
      }
      """,
    good: """
      {
        "inputs": { "client": { "type": "string", "env": "CLIENT" } },
        "steps": [
          {
            "id": "me",
            "endpoint": "GET https://api.example.com/me",
            "auth": {
              "oauth2": {
                "grant": "deviceAuthorization",
                "deviceAuthorizationURL": "https://id.example.com/device",
                "tokenURL": "https://id.example.com/token",
                "clientId": "{{inputs.client}}"
              }
            }
          }
        ]
      }
      """)

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
