import PipelineByteText
package import PipelineJSONText
import PipelineSourceText
package import PipelineTemplates

/// How a request proves its sender. A new scheme is a form in a file of its own, a case here, and
/// its part in `RequestBuilder`, which signs.
package struct Auth: Sendable {
  /// Indirect: every request that inherits one holds it.
  package indirect enum Scheme: Sendable {
    case bearer(BearerAuth)
    case basic(PasswordAuth)
    case digest(PasswordAuth)
    case oauth2(OAuth2)
    case awsSigV4(AWSSigV4)
    case sign(RequestSignature)

    package var form: any AuthForm {
      switch self {
      case .bearer(let form): form
      case .basic(let form), .digest(let form): form
      case .oauth2(let form): form
      case .awsSigV4(let form): form
      case .sign(let form): form
      }
    }
  }

  package let scheme: Scheme
  /// Whether it comes from the file's `defaults`.
  package var isInherited = false
  package let node: JSONNode
}

/// One way to prove the sender: its keys, what it reads, and its words in a plan.
package protocol AuthForm: Sendable {
  /// Calls `visit` with each part that is read for a request.
  func forEachPart(_ visit: (StepPart) -> Void)
  /// The values that must be there, or the request is sent without them; one of each list is enough.
  var needed: [[Written<Template>]] { get }
  /// The values that must not be shown.
  var secrets: [Written<Template>] { get }
  /// As `pipeline plan` shows it: `bearer {{login.token}}`.
  func planText(_ values: PlannedCredentials) -> String
}

/// How a plan shows what it knows of credentials.
package struct PlannedCredentials {
  package let text: (Written<Template>) -> String
  /// Masks what is written out.
  package let secret: (Written<Template>) -> String
  package let url: (Written<URLTemplate>) -> String

  package init(
    text: @escaping (Written<Template>) -> String, secret: @escaping (Written<Template>) -> String,
    url: @escaping (Written<URLTemplate>) -> String
  ) {
    self.text = text
    self.secret = secret
    self.url = url
  }
}

extension Auth.Scheme: DeclaredObject {
  init?(_ keys: inout Keys) {
    let schemes = Self.schemes
    let scheme = keys.one(of: schemes)
    let leads = schemes.map { "'\($0.lead)'" }
    keys.advise([
      .says(
        "type scheme kind mode", "the scheme is the key: {\"bearer\": …} or {\"basic\": …}"),
      .says("apiKey key header in headers", "write it into 'headers' or 'query'"),
      .says("none noauth", "write 'auth': null"),
      .says(
        "ntlm negotiate hawk",
        "there is none; the schemes are \(leads.dropLast().joined(separator: ", ")) and "
          + (leads.last ?? "")),
    ])
    guard let scheme else { return nil }
    self = scheme
  }

  private static var schemes: [(lead: String, read: (inout Keys) -> Self?)] {
    [
      ("bearer", { BearerAuth(&$0).map { .bearer($0) } }),
      ("basic", { $0.basic().map { .basic($0) } }),
      ("digest", { $0.digest().map { .digest($0) } }),
      ("oauth2", { $0.oauth2().map { .oauth2($0) } }),
      ("awsSigV4", { $0.awsSigV4().map { .awsSigV4($0) } }),
      ("sign", { $0.signature().map { .sign($0) } }),
    ]
  }
}

/// The value of `auth`.
struct AuthType: ValueType {
  var description: LanguageType { .object(.auth) }

  func read(_ node: JSONNode, _ name: String, _ decoder: inout WorkflowDecoder) -> Auth? {
    if let text = node.string {
      decoder.mistyped(
        node, name, "an object such as {\"bearer\": \"{{login.token}}\"}",
        hint: Self.proposal(for: text, at: node.range))
      return nil
    }
    return ObjectType<Auth.Scheme>(kind: .auth).read(node, name, &decoder).map {
      Auth(scheme: $0, node: node)
    }
  }

  /// How `none` and `Bearer {{inputs.key}}` are written.
  private static func proposal(for text: String, at range: Range<Int>) -> Proposal {
    if ["none", "noauth", "false", "off", "no", "anonymous"].contains(text.lowercased()) {
      return Proposal(
        "; write null for a request without it",
        fix: .replacing(range, with: "null", isSafe: false))
    }
    let scheme = text.prefix(before: " ")
    let token = String(text.dropFirst(bytes: scheme.utf8.count).drop { $0 == " " })
    guard scheme.lowercased() == "bearer", Template.parse(token).template.whole != nil else {
      return .none
    }
    return .write("{\"bearer\": \"\(token)\"}", for: range)
  }
}
