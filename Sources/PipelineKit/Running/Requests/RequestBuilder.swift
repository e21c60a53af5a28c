internal import ByteText
internal import HTTPTerms
internal import JSONPaths
internal import JSONText
internal import Templates
internal import URIs
internal import Workflows

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Turns a step's request into bytes, for one scope. Everything that can be wrong with a value is
/// found here, before anything is sent.
struct RequestBuilder {
  let run: RequestRun

  var plan: RequestPlan { run.plan }
  var scope: Scope { run.unit.scope }
  var context: RunContext { run.context }
  var files: any FileAccess { run.unit.files }
  var secretRanges: Set<Range<Int>>? { run.secretRanges }
  /// How notes name the step.
  private var label: String { run.unit.label.id }

  /// What makes up a request, before it is known which credentials its target may see.
  struct Parts: Sendable {
    var method: String
    var url: String
    var origin: Origin
    var headers: [HTTPField] = []
    var body = HTTPBody.none
    var contentType: String?
    var connection = ConnectionSettings()
    /// Apart, since most parts have none.
    private var secrets: Boxed<CredentialParts>?

    init(method: String, url: String, origin: Origin) {
      self.method = method
      self.url = url
      self.origin = origin
    }

    var hasCredentials: Bool { secrets != nil }

    var credentials: CredentialParts {
      get { secrets?.value ?? CredentialParts() }
      set { secrets = Boxed(newValue) }
    }
  }

  /// The parts of a request that only a trusted origin may see.
  struct CredentialParts: Sendable {
    /// From the file's `defaults`: for the base URL's origin alone.
    var inherited: [HTTPField] = []
    /// Written in the step.
    var own: [HTTPField] = []
    /// Cookies, each `name=value`; one field holds all that a target may see (RFC 6265 §5.4).
    var inheritedCookies: [String] = []
    var ownCookies: [String] = []
    var inheritedConnection: ConnectionSettings.Credentials?
    var ownConnection: ConnectionSettings.Credentials?
    var inheritedCertificate = false
    var ownCertificate = false
    var urlHoldsSecret = false
    var bodyHoldsSecret = false
  }

  func build() throws(Failure) -> Parts {
    let url = try expandURL()
    guard let origin = context.origins.origin(of: url) else {
      throw Failure(
        .value, "'\(context.redactor.redact(url))' is no http or https URL",
        at: plan.request.endpoint.range)
    }
    var parts = Parts(method: plan.request.method, url: url, origin: origin)
    try addQuery(to: &parts)
    try addBody(to: &parts)
    try addHeaders(to: &parts)
    try addCookies(to: &parts)
    try addAuth(to: &parts)
    try addConnection(to: &parts)
    if secretRanges != nil,
      isSecret(
        plan.request.endpoint.value.url.references.map(\.reference), in: plan.request.endpoint)
    {
      parts.credentials.urlHoldsSecret = true
    }
    return parts
  }

  // MARK: URL

  private func expandURL() throws(Failure) -> String {
    let base = try expandBase()
    let url: String
    do throws(ExpansionError) {
      url = try plan.request.endpoint.value.url.expand(base: base) { scope.value(of: $0) }
    } catch {
      throw Failure(error, in: plan.request.endpoint)
    }
    return try resolveSandbox(url, at: plan.request.endpoint.range)
  }

  /// The base URL, where the step has one.
  var baseURL: String? {
    plan.request.baseURL.flatMap { base in try? base.value.expand { scope.value(of: $0) } }
  }

  private func expandBase() throws(Failure) -> String? {
    guard let base = plan.request.baseURL, plan.request.endpoint.value.url.isRelative else {
      return nil
    }
    do throws(ExpansionError) {
      return try base.value.expand { scope.value(of: $0) }
    } catch {
      throw Failure(error, in: base)
    }
  }

  /// The origin that the defaults' credentials are for.
  var baseOrigin: Origin? {
    guard let base = plan.request.baseURL, let text = baseURL,
      let url = try? resolveSandbox(text, at: base.range)
    else { return nil }
    return Origin(of: url)
  }

  /// The origins that `sendCredentials` lists.
  var listedOrigins: Set<Origin> {
    plan.request.sendCredentials.isEmpty
      ? [] : Set(plan.request.sendCredentials.compactMap { Origin(of: $0.value) })
  }

  /// Whether an origin may see the credentials of `defaults`.
  func mayHaveInherited(_ origin: Origin) -> Bool {
    // A base URL may itself come from a response.
    context.trust.holds(origin) && origin == baseOrigin
      || listedOrigins.contains(origin)
  }

  func noteDroppedCredentials(for origin: Origin) {
    context.note(
      "credentials of 'defaults' are not sent to \(origin), which "
        + (origin == baseOrigin ? "a response named" : "is not the base URL's origin")
        + "; 'sendCredentials' lists the origins that get them", step: label)
  }

  func resolveSandbox(_ url: String, at range: Range<Int>) throws(Failure) -> String {
    guard url.hasPrefix(bytes: "sandbox:") else { return url }
    guard let origin = context.options.sandboxOrigin else {
      throw Failure(
        .value,
        "'sandbox:' is served by the command; this run has no sandbox, so name a real server",
        at: range)
    }
    let path = url.dropFirst(bytes: "sandbox:".utf8.count)
    return origin + (path.hasPrefix(bytes: "/") ? path : "/" + path)
  }

  private func addQuery(to parts: inout Parts) throws(Failure) {
    guard !plan.request.query.isEmpty else { return }
    var pairs: [(name: String, value: String)] = []
    for parameter in plan.request.query {
      if isSecret(parameter.value) {
        if parameter.isInherited, !mayHaveInherited(parts.origin) {
          noteDroppedCredentials(for: parts.origin)
          continue
        }
        parts.credentials.urlHoldsSecret = true
      }
      pairs += try ParameterText(parameter, scope, files).pairs { URI.percentEncode($0) }
    }
    if !pairs.isEmpty { parts.url = URI.adding(encoded: pairs, to: parts.url) }
  }

  // MARK: Headers

  private func addHeaders(to parts: inout Parts) throws(Failure) {
    for parameter in plan.request.headers {
      let fields = try ParameterText(parameter, scope, files).headerValues().map {
        HTTPField(parameter.name, $0)
      }
      let isCredential =
        isSecret(parameter.value) || parameter.name.equalsIgnoringASCIICase("authorization")
        || parameter.name.equalsIgnoringASCIICase("cookie")
        || parameter.name.equalsIgnoringASCIICase("proxy-authorization")
      if !isCredential {
        parts.headers += fields
      } else if parameter.isInherited {
        parts.credentials.inherited += fields
      } else {
        parts.credentials.own += fields
      }
    }
    if let contentType = parts.contentType,
      !plan.request.headers.contains(where: { $0.name.equalsIgnoringASCIICase("content-type") })
    {
      parts.headers.append(HTTPField("Content-Type", contentType))
    }
  }

  private func addCookies(to parts: inout Parts) throws(Failure) {
    for parameter in plan.request.cookies {
      for value in try ParameterText(parameter, scope, files).cookieValues() {
        let pair = parameter.name + "=" + value
        if parameter.isInherited {
          parts.credentials.inheritedCookies.append(pair)
        } else {
          parts.credentials.ownCookies.append(pair)
        }
      }
    }
  }

  // MARK: Credentials

  private func addAuth(to parts: inout Parts) throws(Failure) {
    guard let auth = plan.request.auth else { return }
    var field: HTTPField?
    var credentials: ConnectionSettings.Credentials?
    switch auth.scheme {
    case .bearer(let token):
      let token = try bearerToken(token)
      context.redactor.hide(token)
      field = HTTPField("Authorization", "Bearer " + token)
    case .basic(let user, let password):
      let pair = try (headerText(user), headerText(password))
      let encoded = Data((pair.0 + ":" + pair.1).utf8).base64EncodedString()
      context.redactor.hide(pair.1)
      context.redactor.hide(encoded)
      field = HTTPField("Authorization", "Basic " + encoded)
    case .digest(let user, let password):
      let pair = try (headerText(user), headerText(password))
      context.redactor.hide(pair.1)
      credentials = .digest(user: pair.0, password: pair.1)
    case .awsSigV4(let signature):
      let secretKey = try headerText(signature.secretKey)
      context.redactor.hide(secretKey)
      let sessionToken = try signature.sessionToken.map { token throws(Failure) in
        try headerText(token)
      }
      if let sessionToken { context.redactor.hide(sessionToken) }
      credentials = .awsSigV4(
        service: try headerText(signature.service), region: try headerText(signature.region),
        accessKey: try headerText(signature.accessKey), secretKey: secretKey,
        sessionToken: sessionToken)
    case .oauth2:
      // The token is fetched, and put in, by `TokenStore` before each attempt.
      break
    }
    if let field {
      if auth.isInherited {
        parts.credentials.inherited.append(field)
      } else {
        parts.credentials.own.append(field)
      }
    }
    guard let credentials else { return }
    if auth.isInherited {
      parts.credentials.inheritedConnection = credentials
    } else {
      parts.credentials.ownConnection = credentials
    }
  }

  private func bearerToken(_ template: Written<Template>) throws(Failure) -> String {
    let token = try headerText(template)
    guard !token.isEmpty else {
      throw Failure(
        .value, "the 'bearer' token is empty; give it a value, or leave 'auth' out",
        at: template.range)
    }
    if let problem = FieldValue.problem(in: token) {
      throw Failure(.value, "the 'bearer' token \(problem.phrase)", at: template.range)
    }
    return token
  }

  private func headerText(_ template: Written<Template>) throws(Failure) -> String {
    try Evaluation.text(template, at: .header, in: scope)
  }

  private func addConnection(to parts: inout Parts) throws(Failure) {
    if let tls = plan.request.tls {
      parts.connection.caFile = try path(tls.ca)
      parts.connection.certificateFile = try path(tls.cert)
      parts.connection.keyFile = try path(tls.key)
      if tls.cert != nil {
        if tls.isInherited {
          parts.credentials.inheritedCertificate = true
        } else {
          parts.credentials.ownCertificate = true
        }
      }
    }
    if let proxy = plan.request.proxy {
      parts.connection.proxy = try Evaluation.text(proxy, at: .text, in: scope)
      if let password = parts.connection.proxy.flatMap(URI.parse)?.userinfo {
        context.redactor.hide(password)
      }
    }
  }

  private func path(_ template: Written<Template>?) throws(Failure) -> String? {
    guard let template else { return nil }
    let path = try Evaluation.path(template, in: scope)
    do throws(FileError) {
      return try files.resolve(path)
    } catch {
      throw Failure(.file, error.message, at: template.range)
    }
  }

  // MARK: Secrets

  func isSecret(_ data: DataTemplate) -> Bool {
    guard let secretRanges else { return false }
    return data.uses.contains { secretRanges.contains($0.range) }
  }

  private func isSecret<Value>(_ references: [Template.Reference], in written: Written<Value>)
    -> Bool
  {
    guard let secretRanges else { return false }
    return references.contains { secretRanges.contains(written.range(of: $0.range)) }
  }
}
