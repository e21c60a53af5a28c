import JSONText
import SourceText

/// A secret that is put into a URL.
struct SecretInURL: LintRule {
  static let explanation = Explanation(
    "secret-in-url", .warning,
    what: "A secret input or extracted secret is put into a URL.",
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

  func check(_ context: LintContext) -> [Diagnostic] {
    var found: [Diagnostic] = []
    for (number, step) in context.steps.enumerated() {
      for insertion in step.parts.insertions
      where context.read(insertion.query, in: number).shape.isSecret {
        switch insertion.site {
        case .url: break
        case .parameter where step.request?.query.holds(insertion.range) ?? false: break
        default: continue
        }
        found.append(
          finding(
            "'\(insertion.query.shown)' is a secret, and URLs are kept in logs; "
              + "send it in a header or in 'auth'", at: insertion.range))
      }
    }
    return found
  }
}

extension [Request.Parameter] {
  fileprivate func holds(_ range: Range<Int>) -> Bool {
    contains { !$0.isInherited && $0.node.range.contains(range.lowerBound) }
  }
}
