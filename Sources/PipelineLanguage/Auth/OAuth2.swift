import PipelineByteText
import PipelineJSONText
import PipelineSourceText
package import PipelineTemplates

/// A token that the run fetches (RFC 6749): with client credentials (§4.4), or with a refresh token
/// (§6).
package struct OAuth2: AuthForm {
  package let tokenURL: Written<URLTemplate>
  package let clientID: Written<Template>
  package let clientSecret: Written<Template>?
  package let clientAuth: ClientAuth
  package let scopes: [Written<Template>]
  package let refreshToken: Written<Template>?
  /// Sent with the token request, under the names of the specifications: `audience`, `resource`.
  package let parameters: [Request.Parameter]

  /// How the client's secret is sent (RFC 6749 §2.3.1).
  package enum ClientAuth: String, Sendable, CaseIterable {
    case basic
    /// In the body, beside the client's name.
    case post
  }

  package func forEachPart(_ visit: (StepPart) -> Void) {
    visit(StepPart(content: .url(tokenURL), mode: .needs))
    visit(.text(clientID))
    if let clientSecret { visit(.text(clientSecret, .credential)) }
    for scope in scopes { visit(.text(scope)) }
    if let refreshToken { visit(.text(refreshToken, .credential)) }
    for parameter in parameters { visit(.parameter(parameter, .field(parameter.style))) }
  }

  package var needed: [[Written<Template>]] { [[clientID], secrets].filter { !$0.isEmpty } }
  package var secrets: [Written<Template>] { [clientSecret, refreshToken].compactMap(\.self) }

  package func planText(_ values: PlannedCredentials) -> String {
    "oauth2 " + values.url(tokenURL) + (clientAuth == .post ? ", secret in the body" : "")
      + (parameters.isEmpty ? "" : ", with " + parameters.map(\.name).joined(separator: ", "))
  }
}

extension OAuth2: DeclaredObject {
  init?(_ keys: inout Keys) {
    let tokenURL = keys.required(
      "tokenURL", URLType(), "The address that issues tokens.",
      example: #""https://id.example.com/token""#,
      foreign: ["url accessTokenUrl tokenUri tokenEndpoint authUrl issuer"])
    let clientID = keys.required(
      "clientId", .template, "The client's public name.", example: #""{{inputs.client}}""#,
      foreign: ["id client user"])
    clientSecret = keys.optional(
      "clientSecret", .template, "The client's secret.", example: #""{{inputs.key}}""#,
      foreign: ["secret password"])
    clientAuth = keys.value(
      "clientAuth", .choice(ClientAuth.self), default: .basic,
      "How the client's id and secret are sent: in an `Authorization` header, or in the body.",
      example: #""post""#, beside: ["clientSecret"],
      foreign: [
        .says(
          "authStyle authMethod tokenEndpointAuthMethod clientAuthentication credentialsIn",
          "write 'clientAuth': \"basic\" or \"post\"")
      ])
    scopes =
      keys.optional(
        "scopes", ScopesType(), "The permissions to request.", example: #"["read"]"#,
        foreign: [.says("scope", "write 'scopes', a list")]) ?? []
    refreshToken = keys.optional(
      "refreshToken", .template,
      "A refresh token, used to fetch the token instead of the client credentials.",
      example: #""{{inputs.refresh}}""#, foreign: ["refresh"])
    parameters =
      keys.optional(
        "parameters", TokenParametersType(),
        "More parameters of the token request, such as `audience` or `resource`; a list repeats one.",
        example: #"{"audience": "https://api.example.com"}"#,
        foreign: [
          .says(
            "extraParams endpointParams additionalParameters tokenParams requestParameters",
            "write 'parameters', an object of names and values")
        ]) ?? []
    keys.advise([
      .says("audience", "write 'parameters': {\"audience\": …}"),
      .says("resource", "write 'parameters': {\"resource\": …}"),
      .says(
        "grantType grant flow",
        "leave it out: client credentials are sent, or the refresh token if 'refreshToken' is"
          + " given"),
    ])
    if !keys.has("clientSecret"), !keys.has("refreshToken") {
      keys.missing("'oauth2' needs 'clientSecret' or 'refreshToken'")
    }
    guard let tokenURL, let clientID else { return nil }
    self.tokenURL = tokenURL
    self.clientID = clientID
  }
}

extension Keys {
  mutating func oauth2() -> OAuth2? {
    optional(
      "oauth2", .object(.oauth2, OAuth2.self),
      "A token that the run fetches and renews itself (RFC 6749).",
      example:
        #"{"tokenURL": "https://id.example.com/token", "clientId": "{{inputs.client}}", "clientSecret": "{{inputs.key}}"}"#,
      foreign: [
        .says(
          "oauth clientCredentials clientId clientSecret tokenUrl",
          "write 'oauth2': {\"tokenURL\": …, \"clientId\": …, \"clientSecret\": …}")
      ])
  }
}

/// A list of texts, which other tools write as one text.
private struct ScopesType: ValueType {
  var description: LanguageType { .list(.template) }

  func read(
    _ node: JSONNode, _ name: String, _ decoder: inout WorkflowDecoder
  ) -> [Written<Template>]? {
    if node.kind == .array {
      return node.elements.compactMap { decoder.template($0, name, allowsEmpty: false) }
    }
    let scopes = node.string?.split(ascii: " ", omittingEmptySubsequences: true) ?? []
    decoder.mistyped(
      node, name, "a list of texts",
      hint: scopes.isEmpty
        ? .none
        : .write(
          "[\(scopes.map { "\"\($0)\"" }.joined(separator: ", "))]", for: node.range,
          isSafe: true))
    return nil
  }
}
