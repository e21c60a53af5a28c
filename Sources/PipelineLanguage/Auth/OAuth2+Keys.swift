import PipelineByteText
import PipelineJSONText
import PipelineSourceText
import PipelineTemplates

extension OAuth2: DeclaredObject {
  init?(_ keys: inout Keys) {
    let grant = keys.optional(
      "grant", GrantType(),
      "What the token is given for. Left out: `refreshToken` if there is one, otherwise"
        + " `clientCredentials`.", example: #""clientCredentials""#,
      foreign: [
        .says(
          "grantType flow",
          "write 'grant', which is \"clientCredentials\" or \"refreshToken\" or another of OpenAPI's"
            + " names")
      ])
    let tokenURL = keys.required(
      "tokenURL", URLType(), "The address that issues tokens.",
      example: #""https://id.example.com/token""#,
      foreign: ["url accessTokenUrl tokenUri tokenEndpoint authUrl issuer"])
    let authorizationURL = keys.optional(
      "authorizationURL", URLType(),
      "Where a person allows the login in a browser; with `authorizationCode`.",
      example: #""https://id.example.com/authorize""#,
      foreign: ["authorizationUrl authorizeUrl authorizationEndpoint authorizationUri"])
    redirectURL = keys.optional(
      "redirectURL", RedirectURLType(),
      "Where the browser goes back to, if the server knows a fixed address; with"
        + " `authorizationCode`. Left out: a free port of 127.0.0.1.",
      example: #""http://127.0.0.1:8400/callback""#,
      foreign: ["redirectUri redirectUrl callbackUrl redirect callback"])
    let deviceAuthorizationURL = keys.optional(
      "deviceAuthorizationURL", URLType(),
      "Where a login by a code begins; with `deviceAuthorization`.",
      example: #""https://id.example.com/device""#,
      foreign: ["deviceUrl deviceAuthorizationEndpoint deviceAuthorizationUrl"])
    clientID = keys.optional(
      "clientId", .template,
      "The client's public name. Required, unless an assertion names the client.",
      example: #""{{inputs.client}}""#, foreign: ["id client user"])
    clientSecret = keys.optional(
      "clientSecret", .template, "The client's secret.", example: #""{{inputs.key}}""#,
      foreign: ["secret password"])
    let clientAuth = keys.optional(
      "clientAuth", ClientAuthType(),
      "How the client proves who it is: with its secret in an `Authorization` header or in the"
        + " body, or with a token that it signs (RFC 7523).", standard: #""basic""#,
      example: #""post""#,
      foreign: [
        "authStyle authMethod tokenEndpointAuthMethod clientAuthentication credentialsIn"
      ])
    scopes =
      keys.optional(
        "scopes", ScopesType(), "The permissions to request.", example: #"["read"]"#,
        foreign: [.says("scope", "write 'scopes', a list")]) ?? []
    refreshToken = keys.optional(
      "refreshToken", .template,
      "A refresh token, used to fetch the token instead of the client credentials.",
      example: #""{{inputs.refresh}}""#, foreign: ["refresh"])
    credential = keys.optional(
      "credential", .template,
      "The name of the login, under which its tokens are kept between runs. Left out: the server"
        + " and the client.", example: #""outlook""#, foreign: ["login account profile"])
    parameters =
      keys.optional(
        "parameters", TokenParametersType(),
        "More parameters of the requests for a login and for a token, such as `audience` or"
          + " `resource`; a list repeats one.",
        example: #"{"audience": "https://api.example.com"}"#,
        foreign: [
          .says(
            "extraParams endpointParams additionalParameters requestParameters",
            "write 'parameters', an object of names and values")
        ]) ?? []
    keys.advise([
      .says("audience", "write 'parameters': {\"audience\": …}"),
      .says("resource", "write 'parameters': {\"resource\": …}"),
      .says("assertion jwt", "write 'parameters': {\"assertion\": …}"),
      .says("subjectToken", "write 'parameters': {\"subject_token\": …}"),
      .says(
        "privateKey keyId algorithm",
        "write 'clientAuth': {\"privateKeyJWT\": {\"key\": …, \"algorithm\": …}}"),
    ])
    self.clientAuth = clientAuth ?? .basic
    self.grant = grant ?? (keys.has("refreshToken") ? .refreshToken : .clientCredentials)
    self.authorizationURL = authorizationURL
    self.deviceAuthorizationURL = deviceAuthorizationURL
    guard let tokenURL else { return nil }
    self.tokenURL = tokenURL
    // What cannot be read decides nothing.
    guard grant != nil || !keys.has("grant"), clientAuth != nil || !keys.has("clientAuth") else {
      return nil
    }
    checkClient(&keys, isGrantGiven: grant != nil)
    checkGrant(&keys)
    guard checkLogin(&keys) else { return nil }
    if clientID == nil, keys.mayHave("clientId") || !self.grant.namesClientElsewhere { return nil }
  }

  /// Reports a client that has no name, or nothing to prove who it is.
  private func checkClient(_ keys: inout Keys, isGrantGiven: Bool) {
    if !keys.mayHave("clientId"), !grant.namesClientElsewhere {
      keys.missing("clientId", example: #""{{inputs.client}}""#)
    }
    switch clientAuth {
    case .privateKeyJWT:
      if !keys.mayHave("clientId"), grant.namesClientElsewhere {
        keys.missing("clientId", beside: "clientAuth", "'privateKeyJWT' needs 'clientId'")
      }
      if keys.has("clientSecret") {
        keys.conflict(
          "clientSecret", with: "clientAuth",
          "'privateKeyJWT' signs with a key, so nothing reads 'clientSecret'; remove it")
      }
      return
    case .basic, .post, .clientSecretJWT:
      // A program on a person's machine keeps no secret, so a login may do without one.
      let mayLackSecret = grant.isByPerson && !keys.has("clientAuth")
      if !keys.mayHave("clientSecret"), !mayLackSecret {
        keys.missing("clientSecret", beside: "clientAuth", "'clientAuth' needs 'clientSecret'")
      }
    }
    if !keys.mayHave("clientSecret"), !keys.mayHave("refreshToken"), grant == .clientCredentials {
      keys.missing(
        isGrantGiven
          ? "'clientCredentials' needs 'clientSecret', or 'privateKeyJWT' as 'clientAuth'"
          : "'oauth2' needs 'clientSecret' or 'refreshToken'")
    }
  }

  /// Reports what a login by a person lacks, and what only another grant reads.
  ///
  /// - Returns: Whether there is what the grant cannot do without.
  private func checkLogin(_ keys: inout Keys) -> Bool {
    let own: [(key: String, grant: Grant, isRequired: Bool)] = [
      ("authorizationURL", .authorizationCode, true),
      ("redirectURL", .authorizationCode, false),
      ("deviceAuthorizationURL", .deviceAuthorization, true),
    ]
    var isWhole = true
    for (key, grant, isRequired) in own {
      if grant == self.grant {
        guard isRequired, !keys.has(key) else { continue }
        isWhole = false
        if !keys.isMeant(key) { keys.missing("'\(grant.rawValue)' needs '\(key)'") }
      } else if keys.has(key) {
        refuse(key, of: grant, &keys)
      }
    }
    return isWhole
      && (grant != .authorizationCode || authorizationURL != nil)
      && (grant != .deviceAuthorization || deviceAuthorizationURL != nil)
  }

  /// Reports a key that only another grant reads.
  private func refuse(_ key: String, of other: Grant, _ keys: inout Keys) {
    let message =
      "'\(grant.rawValue)' does not read '\(key)', which belongs to \"grant\":"
      + " \"\(other.rawValue)\""
    if keys.has("grant") {
      keys.conflict(key, with: "grant", message)
    } else {
      keys.conflict(key, message)
    }
  }

  /// Reports what a grant lacks, and what another grant would read.
  private func checkGrant(_ keys: inout Keys) {
    let name = grant.rawValue
    if grant == .refreshToken {
      if !keys.mayHave("refreshToken") {
        keys.missing(
          "the grant '\(name)' needs the key 'refreshToken', such as"
            + " \"refreshToken\": \"{{inputs.refreshToken}}\"")
      }
    } else {
      for other in ["refreshToken", "credential"] where keys.has(other) {
        if grant.isByPerson, other == "credential" { continue }
        refuse(other, of: .refreshToken, &keys)
      }
    }
    let missing = grant.requiredParameters.filter { name in
      !parameters.contains { $0.name.equals(bytes: name) }
    }
    if !missing.isEmpty, !keys.isMeant("parameters") {
      let written = missing.map { "\"\($0)\": …" }.joined(separator: ", ")
      keys.missing("'\(name)' needs 'parameters': {\(written)}")
    }
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

/// A grant, also under the name that a specification sends.
private struct GrantType: ValueType {
  private var names: ChoiceType<OAuth2.Grant> { .choice(OAuth2.Grant.self) }

  var description: LanguageType { names.description }

  func read(
    _ node: JSONNode, _ name: String, _ decoder: inout WorkflowDecoder
  ) -> OAuth2.Grant? {
    guard let text = node.string, OAuth2.Grant(rawValue: text) == nil,
      let meant = Self.meant(by: text)
    else { return names.read(node, name, &decoder) }
    decoder.report(
      .invalidValue, "'\(name)' has the names of OpenAPI, not \"\(text)\"",
      .write("\"\(meant.rawValue)\"", for: node.range, isSafe: true), at: node.range)
    return nil
  }

  /// What other tools call them, folded.
  private static let foreign: [(words: [String], grant: OAuth2.Grant)] = [
    (["device", "devicecode", "deviceflow"], .deviceAuthorization),
    (["code", "pkce", "authcode", "authorizationcodewithpkce"], .authorizationCode),
    (["refresh"], .refreshToken),
  ]

  private static func meant(by text: String) -> OAuth2.Grant? {
    let folded = LanguageAliases.folded(text)
    if let known = foreign.first(where: { $0.words.contains(bytes: folded) }) { return known.grant }
    return OAuth2.Grant.allCases.first { $0.type.equals(bytes: text) }
      ?? OAuth2.Grant.allCases.first {
        LanguageAliases.folded($0.rawValue).equals(bytes: LanguageAliases.folded(text))
      }
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
