internal import PipelineByteText
internal import PipelineLanguage

/// What another tool keeps to fetch a token by OAuth 2.0.
struct ForeignOAuth2 {
  /// A parameter that the user has added to the requests for a token.
  struct Parameter: Sendable {
    enum Place: Sendable {
      case header, query, body
    }

    let name: String
    let value: ForeignText
    let place: Place
    /// Whether the page of a login gets it, which reads the URL.
    var isOfLogin = false
  }

  /// The values by their names there, in lower case and without underscores and blanks.
  private let values: [String: ForeignText]
  private let parameters: [Parameter]
  private let line: Int

  /// - Parameter values: The values by their names there. A name in an object of its own has that of
  ///   the object before it: `credentials.clientId`.
  init(_ values: [String: ForeignText], _ parameters: [Parameter], line: Int) {
    self.values = values.reduce(into: [:]) { folded, value in
      let name = value.key.lowercasedASCII.replacing(bytes: "_", with: "")
      folded[name.replacing(bytes: " ", with: "")] = value.value
    }
    self.parameters = parameters
    self.line = line
  }

  /// The first of some values that is not empty.
  private func value(_ names: String...) -> ForeignText? {
    names.lazy.compactMap { values[$0] }.first { !$0.trimmed.isEmpty }
  }

  private func word(_ names: String...) -> String {
    names.lazy.compactMap { values[$0]?.plain }.first { !$0.isEmpty }?.lowercasedASCII.trimmed ?? ""
  }

  /// The names of values that are read, or that a run makes itself.
  private static let names: Set<String> = [
    "type", "mode", "disabled", "granttype", "flow", "accesstokenurl", "authurl",
    "authorizationurl", "refreshtokenurl", "redirecturi", "redirecturl", "callbackurl", "clientid",
    "credentials.clientid", "clientsecret", "credentials.clientsecret", "clientauthentication",
    "credentialsplacement", "credentials.placement", "credentialsinbody", "scope", "audience",
    "resource", "addtokento", "tokenplacement", "tokenquerykey", "tokenconfig.placement.query",
    "headerprefix", "tokenheaderprefix", "tokenprefix", "tokenconfig.placement.header",
    "tokensource", "tokentype", "accesstoken", "refreshtoken", "username", "password",
    "resourceowner.username", "resourceowner.password", "code", "state", "usepkce", "pkce",
    "pkce.enabled", "pkce.disabled", "pkce.method", "pkcemethod", "challengealgorithm",
    "codeverifier", "responsetype", "origin", "tokenname", "credentialsid", "tokenconfig.id",
    "autofetchtoken", "autorefreshtoken", "settings.autofetchtoken", "settings.autorefreshtoken",
    "usebrowser", "usedefaultbrowser", "launchbrowsermanually", "clientidissuedat",
    "clientsecretexpiresat", "tokenurl", "deviceauthurl", "clientcredentials", "useidtoken",
    "acquireautomatically", "startaddress", "starturl",
  ]

  /// How a request authenticates: with a token that the run fetches, or with one that is an input.
  func auth(_ report: inout ImportReport) -> ImportedRequest.Auth {
    do throws(Absence) {
      return .oauth2(try settings(&report))
    } catch {
      report.approximate(line, error.reason)
      reportDifferences(&report)
      return .bearer(value("accesstoken") ?? ForeignText(parts: [.variable("accessToken")]))
    }
  }

  /// Why a run cannot fetch the token.
  private struct Absence: Error {
    let reason: String
  }

  private static let grants: [String: OAuth2.Grant] = [
    "clientcredentials": .clientCredentials, "refreshtoken": .refreshToken,
    "authorizationcode": .authorizationCode, "authorizationcodewithpkce": .authorizationCode,
    "deviceauthorization": .deviceAuthorization,
  ]

  private func grant() throws(Absence) -> OAuth2.Grant {
    let name = word("granttype", "flow")
    guard !name.isEmpty else {
      return value("authurl", "authorizationurl") == nil ? .clientCredentials : .authorizationCode
    }
    let folded = name.replacing(bytes: "_", with: "").replacing(bytes: " ", with: "")
    if let grant = Self.grants[folded] { return grant }
    let hint =
      name.contains(bytes: "password") ? "; write a step that fetches it with the password" : ""
    throw Absence(
      reason:
        "the grant '\(String(name.prefix(40)))' of OAuth 2.0 has no counterpart, so the token is a"
        + " secret input" + hint)
  }

  private func settings(
    _ report: inout ImportReport
  ) throws(Absence) -> OAuth2Settings<ForeignText> {
    let grant = try grant()
    guard let tokenURL = value("accesstokenurl", "tokenurl") else {
      throw Absence(
        reason: "OAuth 2.0 lacks the URL that issues tokens, so the token is a secret input")
    }
    let id = value("clientid", "credentials.clientid")
    var settings = OAuth2Settings(
      grant: grant, tokenURL: tokenURL.trimmed,
      clientID: id ?? ForeignText(parts: [.variable("clientId")]))
    settings.clientSecret = value("clientsecret", "credentials.clientsecret")
    settings.isSecretInBody =
      word("clientauthentication", "credentialsplacement", "credentials.placement") == "body"
      || word("credentialsinbody") == "true" || word("clientcredentials") == "in body"
    if let scope = value("scope") {
      settings.scopes = scope.split(at: " ").map(\.trimmed).filter { !$0.isEmpty }
    }
    for name in ["audience", "resource"] {
      if let text = value(name) { settings.parameters.append((name, text)) }
    }
    switch grant {
    case .authorizationCode, .deviceAuthorization:
      let url =
        grant == .authorizationCode
        ? value("authurl", "authorizationurl") : value("deviceauthurl")
      guard let url else {
        throw Absence(
          reason: "OAuth 2.0 lacks the URL of its login, so the token is a secret input")
      }
      settings.loginURL = url.trimmed
      if grant == .authorizationCode { settings.redirectURL = redirectURL(&report) }
    case .refreshToken:
      settings.refreshToken =
        value("refreshtoken") ?? ForeignText(parts: [.variable("refreshToken")])
    default:
      settings.clientSecret =
        settings.clientSecret ?? ForeignText(parts: [.variable("clientSecret")])
    }
    addParameters(to: &settings, &report)
    reportDifferences(&report)
    return settings
  }

  /// Where the browser comes back to, if that is this machine.
  private func redirectURL(_ report: inout ImportReport) -> ForeignText? {
    guard let url = value("redirecturi", "redirecturl", "callbackurl") else { return nil }
    if let plain = url.plain, LoopbackURL(plain.trimmed) != nil { return url.trimmed }
    report.approximate(
      line,
      "a login comes back to a port of this machine, and not to the address of the other tool;"
        + " register http://127.0.0.1 at the server")
    return nil
  }

  private func addParameters(
    to settings: inout OAuth2Settings<ForeignText>, _ report: inout ImportReport
  ) {
    for parameter in parameters {
      guard parameter.place != .header else {
        report.approximate(
          line, "the header '\(parameter.name)' of the request for a token is not sent")
        continue
      }
      if parameter.place == .query, !parameter.isOfLogin {
        report.approximate(
          line, "'\(parameter.name)' is sent in the body of the request for a token, not in its URL"
        )
      }
      settings.parameters.removeAll { $0.name.equals(bytes: parameter.name) }
      settings.parameters.append((parameter.name, parameter.value))
    }
  }

  /// Reports what a step sends in another way than the other tool, or does not send.
  private func reportDifferences(_ report: inout ImportReport) {
    for (name, value) in values.sorted(by: { $0.key < $1.key })
    where !Self.names.contains(name) && !value.isEmpty && value.plain != "false" {
      report.approximate(key: name, line: line)
    }
    let isInURL =
      ["queryparams", "query", "url"].contains(word("addtokento", "tokenplacement"))
      || value("tokenconfig.placement.query") != nil
    if isInURL {
      report.approximate(line, "the token is sent in a header, and not in the URL")
    }
    let prefix = word(
      "headerprefix", "tokenheaderprefix", "tokenprefix", "tokenconfig.placement.header")
    if !isInURL, !prefix.isEmpty, prefix != "bearer" {
      report.approximate(line, "the token is sent after 'Bearer', and not after '\(prefix)'")
    }
    if word("tokensource", "tokentype").hasPrefix(bytes: "id") || word("useidtoken") == "true" {
      report.approximate(line, "the access token is sent, and not the ID token")
    }
    if let url = value("refreshtokenurl"),
      url.trimmed != value("accesstokenurl", "tokenurl")?.trimmed
    {
      report.approximate(line, "tokens are renewed at the URL that issues them")
    }
  }
}
