internal import PipelineByteText
internal import PipelineHTTPTerms
internal import PipelineJSONPaths
internal import PipelineJSONText
internal import PipelineLanguage
internal import PipelinePlanning
internal import PipelineTemplates
internal import PipelineURIs

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Turns a step's request into bytes, for one scope. Everything that can be wrong with a value is
/// found here, before anything is sent.
struct RequestBuilder {
  let step: RequestStep
  let origins: RecentOrigin
  /// What `sandbox:` stands for; `nil` if there is nothing.
  let sandboxOrigin: String?

  var plan: RequestPlan { step.plan }
  var scope: Scope { step.scope }
  var files: any FileAccess { step.files }
  var secretRanges: Set<Range<Int>>? { step.secretRanges }
  var foreign: Provenance.Foreign { step.unit.foreign }
  var redactor: Redactor { step.redactor }

  /// The parts of a request, before it is known which credentials its target may see.
  struct Parts: Sendable {
    var method: String
    var url: RequestURL
    /// The origin of the step's endpoint, which its own credentials are for; `nil` if a response
    /// decides it. The same for all redirects and pages.
    var home: Origin?
    var headers: [HeaderField] = []
    var body = TransportBody.none
    var contentType: String?
    var connection = ConnectionSettings()
    /// The token among the credentials, if there is one.
    var token: RequestRun.Token?
    /// The page, from 0, if the step reads several.
    var page = 0
    /// The number of earlier polls, if the step polls.
    var poll = 0
    /// How many redirects were followed before.
    var redirect = 0
    /// The digest of the request that redirects lead away from; `nil` if it is this one.
    var asked: Fingerprint?
    /// Whether the request asks for a token.
    var isForToken = false
    /// Apart, since most parts have none.
    private var secrets: Boxed<CredentialParts>?

    init(method: String, url: RequestURL) {
      self.method = method
      self.url = url
    }

    var origin: Origin { url.origin }

    var hasCredentials: Bool { secrets != nil }

    var credentials: CredentialParts {
      get { secrets?.value ?? CredentialParts() }
      set { secrets = Boxed(newValue) }
    }
  }

  /// The same for the step with other values.
  func reading(_ step: RequestStep) -> RequestBuilder {
    RequestBuilder(step: step, origins: origins, sandboxOrigin: sandboxOrigin)
  }

  func build() throws(FailureReason) -> Parts {
    if let handler = plan.request.handler {
      let origin = Origin(handler: handler)
      var parts = Parts(method: plan.request.method, url: RequestURL("\(origin)", origin))
      parts.home = origin
      try addBody(to: &parts)
      return parts
    }
    let text = try expandURL()
    guard let url = origins.url(of: text) else {
      throw FailureReason(
        .value, "'\(step.shown(url: text))' is not an http or https URL",
        at: plan.request.endpoint.range)
    }
    var parts = Parts(method: plan.request.method, url: url)
    if !foreign.contains(.endpoint) { parts.home = url.origin }
    hideCredentialParameters(of: text)
    try addQuery(to: &parts)
    try addBody(to: &parts)
    try addHeaders(to: &parts)
    try addCookies(to: &parts)
    try addAuth(to: &parts)
    try addConnection(to: &parts)
    if secretRanges != nil, urlHoldsSecret { parts.credentials.own.isInURL = true }
    return parts
  }

  // MARK: URL

  private func expandURL() throws(FailureReason) -> String {
    let base = try expandBase()
    let url: String
    do throws(ExpansionError) {
      url = try plan.request.endpoint.value.url.expand(base: base) { scope.value(of: $0) }
    } catch {
      throw FailureReason(error, in: plan.request.endpoint)
    }
    return try resolveSandbox(url, at: plan.request.endpoint.range)
  }

  /// The base URL, if the step has one.
  var baseURL: String? {
    plan.request.baseURL.flatMap { base in try? base.value.expand { scope.value(of: $0) } }
  }

  private func expandBase() throws(FailureReason) -> String? {
    guard let base = plan.request.baseURL, plan.request.endpoint.value.url.isRelative else {
      return nil
    }
    do throws(ExpansionError) {
      return try base.value.expand { scope.value(of: $0) }
    } catch {
      throw FailureReason(error, in: base)
    }
  }

  func resolveSandbox(_ url: String, at range: Range<Int>) throws(FailureReason) -> String {
    guard let path = url.pathInSandbox else { return url }
    guard let origin = sandboxOrigin else {
      throw FailureReason(
        .value,
        "'sandbox:' is served by the command; this run has no sandbox, so name a real server",
        at: range)
    }
    return origin + (path.hasPrefix(bytes: "/") ? path : "/" + path)
  }

  private func addQuery(to parts: inout Parts) throws(FailureReason) {
    guard !plan.request.query.isEmpty else { return }
    var pairs: [(name: String, value: String)] = []
    for parameter in plan.request.query {
      if parameter.isCredential(secretRanges) {
        let writer = CredentialPolicy.Writer(isInherited: parameter.isInherited)
        guard policy(for: parts).mayHave(writer, parts.origin) else {
          noteWithheld([writer], parts.origin)
          continue
        }
        parts.credentials[writer].isInURL = true
      }
      let own = try ParameterText(parameter, scope, files).pairs { URI.percentEncode($0) }
      if holdsSecret(parameter) {
        for pair in own { redactor.hide(URI.percentDecode(pair.value) ?? pair.value) }
      }
      pairs += own
    }
    if !pairs.isEmpty {
      parts.url = parts.url.mapQuery { URI.adding(encoded: pairs, to: $0) }
    }
  }

  // MARK: Headers

  private func addHeaders(to parts: inout Parts) throws(FailureReason) {
    for parameter in plan.request.headers {
      let fields = try ParameterText(parameter, scope, files).headerValues().map {
        HeaderField(parameter.name, $0)
      }
      if holdsSecret(parameter) { hide(fields) }
      if parameter.isCredential(secretRanges) {
        parts.credentials[CredentialPolicy.Writer(isInherited: parameter.isInherited)].headers +=
          fields
      } else {
        parts.headers += fields
      }
    }
    if let contentType = parts.contentType,
      !plan.request.headers.contains(where: { $0.name.equalsIgnoringASCIICase("content-type") })
    {
      parts.headers.append(HeaderField("Content-Type", contentType))
    }
  }

  private func addCookies(to parts: inout Parts) throws(FailureReason) {
    for parameter in plan.request.cookies {
      for value in try ParameterText(parameter, scope, files).cookieValues() {
        if isMadeOfSecret(parameter) { redactor.hide(value) }
        parts.credentials[CredentialPolicy.Writer(isInherited: parameter.isInherited)].cookies
          .append(parameter.name + "=" + value)
      }
    }
  }

  // MARK: Credentials

  private func addAuth(to parts: inout Parts) throws(FailureReason) {
    guard let auth = plan.request.auth else { return }
    var field: HeaderField?
    var credentials: ConnectionSettings.Credentials?
    switch auth.scheme {
    case .bearer(let bearer):
      guard let text = bearer.token, let token = try bearerToken(text) else { return }
      redactor.hide(token)
      field = HeaderField("Authorization", "Bearer " + token)
    case .basic(let form):
      guard let pair = try pair(form) else { return }
      let encoded = Data((pair.0 + ":" + pair.1).utf8).base64EncodedString()
      redactor.hide(pair.1)
      redactor.hide(encoded)
      field = HeaderField("Authorization", "Basic " + encoded)
    case .digest(let form):
      guard let pair = try pair(form) else { return }
      redactor.hide(pair.1)
      credentials = .digest(user: pair.0, password: pair.1)
    case .awsSigV4(let signature):
      guard let secretKey = try required(signature.secretKey),
        let accessKey = try required(signature.accessKey),
        let service = try required(signature.service), let region = try required(signature.region)
      else { return }
      redactor.hide(secretKey)
      let sessionToken = try optional(signature.sessionToken)
      if let sessionToken { redactor.hide(sessionToken) }
      credentials = .awsSigV4(
        service: service, region: region, accessKey: accessKey, secretKey: secretKey,
        sessionToken: sessionToken)
    case .oauth2:
      // The token is fetched, and put in, by `TokenStore` before each attempt.
      break
    case .sign:
      // What is made of the final request is put in when it is sent: `RequestRun.signed`.
      break
    }
    let writer = CredentialPolicy.Writer(isInherited: auth.isInherited)
    if let field { parts.credentials[writer].headers.append(field) }
    if let credentials { parts.credentials[writer].connection = credentials }
  }

  private func pair(_ form: PasswordAuth) throws(FailureReason) -> (String, String)? {
    guard let user = try required(form.user), let password = try required(form.password) else {
      return nil
    }
    return (user, password)
  }

  /// `nil` if it is absent.
  private func bearerToken(_ template: Written<Template>) throws(FailureReason) -> String? {
    guard let token = try required(template) else { return nil }
    guard !token.isEmpty else {
      throw FailureReason(
        .value, "the 'bearer' token is empty; give it a value, or leave 'auth' out",
        at: template.range)
    }
    if let problem = FieldValue.problem(in: token) {
      throw FailureReason(.value, "the 'bearer' token \(problem.phrase)", at: template.range)
    }
    return token
  }

  /// The text of a credential; `nil` if a value in it is absent.
  func optional(_ template: Written<Template>?) throws(FailureReason) -> String? {
    guard let template, absent(in: template) == nil else { return nil }
    return try Evaluation.text(template, at: .header, in: scope)
  }

  /// The same for a credential that `auth` cannot do without, and says so.
  func required(_ template: Written<Template>) throws(FailureReason) -> String? {
    if let text = try optional(template) { return text }
    noteLeftOut(template)
    return nil
  }

  /// A private key, whose lines no header could hold; `nil` if it is absent.
  func pem(_ template: Written<Template>) throws(FailureReason) -> String? {
    guard absent(in: template) == nil else {
      noteLeftOut(template)
      return nil
    }
    return try Evaluation.text(template, at: .text, in: scope)
  }

  private func absent(in template: Written<Template>) -> Template.Reference? {
    template.value.references.first { scope.value(of: $0) == nil }
  }

  /// Says that the request is sent without `auth`.
  func noteLeftOut(_ template: Written<Template>) {
    guard let reference = absent(in: template) else { return }
    step.noteOnce("'auth' is left out, because '\(reference.text)' is absent")
  }

  func addConnection(to parts: inout Parts) throws(FailureReason) {
    if let tls = plan.request.tls {
      parts.connection.caFile = try path(tls.ca)
      parts.connection.certificateFile = try path(tls.cert)
      parts.connection.keyFile = try path(tls.key)
      if tls.cert != nil {
        parts.credentials[CredentialPolicy.Writer(isInherited: tls.isInherited)].hasCertificate =
          true
      }
    }
    if let proxy = plan.request.proxy {
      guard !foreign.contains(.proxy) else {
        throw FailureReason(
          .value,
          "a response decides the proxy, which sees where all requests go; name it in the file or"
            + " by an input", at: proxy.range)
      }
      parts.connection.proxy = try Evaluation.text(proxy, at: .text, in: scope)
      if let url = parts.connection.proxy {
        // A malformed one may have a '/' in its password.
        hideUser(in: Self.afterScheme(url))
        if let problem = ProxyURL.problem(in: url) {
          throw FailureReason(.value, "the proxy \(problem)", at: proxy.range)
        }
      }
    }
  }

  private func path(_ template: Written<Template>?) throws(FailureReason) -> String? {
    guard let template else { return nil }
    let path = try Evaluation.path(template, in: scope)
    do throws(FileError) {
      return try files.resolve(path)
    } catch {
      throw FailureReason(.file, error.message, at: template.range)
    }
  }

  // MARK: Secrets

  /// Hides the values of a URL's parameters that are credentials by their names.
  private func hideCredentialParameters(of url: String) {
    let bytes = Array(url.utf8)
    for range in CredentialNames.values(in: url) {
      let value = String(decoding: bytes[range], as: UTF8.self)
      redactor.hide(URI.percentDecode(value) ?? value)
    }
  }

  /// Hides the values of fields that are credentials by their names, even if they stand in the file:
  /// a server may repeat them.
  private func hide(_ fields: [HeaderField]) {
    for field in fields where !field.name.equalsIgnoringASCIICase("cookie") {
      // `Authorization` has a scheme before the credentials.
      let isScheme = field.name.lowercasedASCII.hasSuffix(bytes: "authorization")
      let blank = isScheme ? field.value.firstIndex(ascii: " ") : nil
      redactor.hide(blank.map { String(field.value[$0...].dropFirst(bytes: 1)) } ?? field.value)
    }
  }

  /// Whether a parameter has the name of a credential, or is made of one.
  private func holdsSecret(_ parameter: Request.Parameter) -> Bool {
    parameter.namesCredential || isMadeOfSecret(parameter)
  }

  /// Whether a form makes its value of a secret, so that it is a secret by itself.
  private func isMadeOfSecret(_ parameter: Request.Parameter) -> Bool {
    parameter.value.isKeyed
      || DataTemplate.isForm(parameter.node) && isSecret(parameter.value)
  }

  func isSecret(_ data: DataTemplate) -> Bool {
    guard let secretRanges else { return false }
    return data.uses.contains { secretRanges.contains($0.range) }
  }
}
