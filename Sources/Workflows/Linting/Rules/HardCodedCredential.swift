import JSONText
import SourceText

/// A credential that is written into the file.
enum HardCodedCredential: LintRule {
  static let explanation = Explanation(
    "hard-coded-credential", .warning,
    what: "A password, token or key is written into the workflow file.",
    why: """
      Everyone who can read the file, or any version in its history, can use it. Declare an input \
      with `secret` and `env`, and insert that.
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

  static func check(_ context: LintContext) -> [Diagnostic] {
    var found: [Diagnostic] = []
    for input in context.workflow.inputs where input.isSecret {
      guard let value = input.defaultValue, value.string?.isEmpty == false else { continue }
      found.append(
        finding(
          "the default of the secret '\(input.name)' is written here; take it from 'env'",
          at: value.range))
    }
    return found
  }

  static func check(_ step: LintStep, _ context: LintContext, _ found: inout [Diagnostic]) {
    let literals = step.parts.literals
    for number in literals.indices {
      let node = literals[number].node
      if let message = Self.judge(node, literals[number].site) {
        found.append(finding(message, at: node.range))
      } else if node.kind != .string, KnownCredentials.name(in: node) != nil {
        judgeTexts(in: node, &found)
      }
    }
    guard let request = step.request else { return }
    for list in [request.headers, request.query] {
      for number in list.indices where !list[number].isInherited { judge(list[number], &found) }
    }
    if case .form(let fields)? = request.body?.content {
      for field in fields { judge(field, &found) }
    }
  }

  /// The texts in a list or object.
  private static func judgeTexts(in node: JSONNode, _ found: inout [Diagnostic]) {
    if node.kind == .string, let name = KnownCredentials.name(in: node) {
      found.append(finding("this looks like \(name); \(Self.wayOut)", at: node.range))
    }
    for element in node.elements { judgeTexts(in: element, &found) }
    for member in node.members { judgeTexts(in: member.value, &found) }
  }

  /// A parameter whose name says that it is a credential.
  private static func judge(_ parameter: Request.Parameter, _ found: inout [Diagnostic]) {
    let bytes = parameter.node.utf8
    guard bytes.count >= 8, !bytes.contains(UInt8(ascii: "{")), !bytes.contains(UInt8(ascii: "$")),
      let text = parameter.node.string, text.utf8.count >= 8,
      KnownCredentials.isName(parameter.name), KnownCredentials.name(in: parameter.node) == nil,
      !KnownCredentials.isAuthorization(text)
    else { return }
    found.append(
      finding("'\(parameter.name)' is written here; \(Self.wayOut)", at: parameter.node.range))
  }

  private static let wayOut = "declare an input with 'secret' and 'env', and insert that"

  private static func judge(_ node: JSONNode, _ site: Site) -> String? {
    guard node.kind == .string else { return nil }
    if let name = KnownCredentials.name(in: node) {
      return "this looks like \(name); \(wayOut)"
    }
    if case .url = site, let name = KnownCredentials.parameter(in: node) {
      return "'\(name)' is written here; \(wayOut)"
    }
    switch site {
    case .credential, .header: break
    default: return nil
    }
    // What is a template, or stands for a variable in a shell, is no credential.
    let bytes = node.utf8
    let brace = UInt8(ascii: "{")
    guard !bytes.contains(UInt8(ascii: "$")),
      !bytes.indices.dropLast().contains(where: { bytes[$0] == brace && bytes[$0 + 1] == brace }),
      let text = node.string, !text.isEmpty
    else { return nil }
    switch site {
    case .credential: return "a credential is written here; \(wayOut)"
    case .header where KnownCredentials.isAuthorization(text):
      return "a credential is written here; \(wayOut)"
    default: return nil
    }
  }
}
