import JSONText
import SourceText

/// A credential that is written into the file.
struct HardCodedCredential: LintRule {
  static let explanation = Explanation(
    "hard-coded-credential", .warning,
    what: "A password, token or key is written into the workflow file.",
    why: """
      Whoever can read the file can use it, in all of its history. Declare an input with \
      `secret` and `env`, and insert that.
      """,
    bad: """
      {
        "steps": [
          {
            "id": "list",
            "endpoint": "GET https://api.example.com/users",
            "auth": { "bearer": "f3b1c9d27e4a" }
          }
        ]
      }
      """,
    good: """
      {
        "inputs": { "token": { "type": "string", "secret": true, "env": "API_TOKEN" } },
        "steps": [
          {
            "id": "list",
            "endpoint": "GET https://api.example.com/users",
            "auth": { "bearer": "{{inputs.token}}" }
          }
        ]
      }
      """)

  func check(_ context: LintContext) -> [Diagnostic] {
    var found: [Diagnostic] = []
    for input in context.workflow.inputs where input.isSecret {
      guard let value = input.defaultValue, value.string?.isEmpty == false else { continue }
      found.append(
        finding(
          "the default of the secret '\(input.name)' is written here; give it by 'env'",
          at: value.range))
    }
    return found
  }

  func check(_ step: LintStep, _ context: LintContext, _ found: inout [Diagnostic]) {
    for (node, site) in step.parts.literals {
      if let message = Self.judge(node, site) { found.append(finding(message, at: node.range)) }
    }
  }

  private static func judge(_ node: JSONNode, _ site: Site) -> String? {
    guard node.kind == .string else { return nil }
    let wayOut = "declare an input with 'secret' and 'env', and insert that"
    if let name = KnownCredentials.name(in: node) {
      return "this looks like \(name); \(wayOut)"
    }
    switch site {
    case .credential, .header: break
    default: return nil
    }
    guard let text = node.string, !text.isEmpty, !text.contains("{{") else { return nil }
    switch site {
    case .credential: return "a credential is written here; \(wayOut)"
    case .header where KnownCredentials.isAuthorization(text):
      return "a credential is written here; \(wayOut)"
    default: return nil
    }
  }
}
