import PipelineJSONText
import PipelineSourceText

/// A secret that is put into a URL.
enum SecretInURL: LintRule {
  static let explanation = Explanation(
    "secret-in-url", .warning,
    what: "A URL contains a secret input or extracted secret.",
    why: """
      URLs are kept in the logs of servers and proxies and in the histories of tools. Send a \
      secret in a header or, better, in `auth`.
      """,
    bad: """
      {
        "inputs": { "key": { "type": "string", "secret": true, "env": "API_KEY" } },
        "steps": [
          { "id": "list", "endpoint": "GET https://api.example.com/users?key={{inputs.key}}" }
        ]
      }
      """,
    good: """
      {
        "inputs": { "key": { "type": "string", "secret": true, "env": "API_KEY" } },
        "steps": [
          {
            "id": "list",
            "endpoint": "GET https://api.example.com/users",
            "headers": { "X-API-Key": "{{inputs.key}}" }
          }
        ]
      }
      """)

  static func check(_ step: LintStep, _ context: LintContext, _ found: inout [Diagnostic]) {
    let readings = context.readings[step.number]
    for number in readings.indices {
      switch step.uses[number].use.site {
      case .url, .parameter: break
      default: continue
      }
      guard readings[number].shape.isSecret else { continue }
      let use = step.uses[number]
      found.append(
        finding(
          "'\(use.use.query.shown)' is a secret, and URLs are kept in logs; "
            + "send it in a header or in 'auth'", at: use.use.range))
    }
  }
}
