import PipelineByteText
import PipelineJSONText
import PipelineLanguage
import PipelinePlanning
import PipelineSourceText
import PipelineTemplates

/// Credentials that travel unencrypted.
enum PlainHTTPCredentials: LintRule {
  static let explanation = Explanation(
    "plain-http-credentials", .warning, PackageResources.plain_http_credentials_md)

  static func check(_ step: LintStep, _ context: LintContext, _ found: inout [Diagnostic]) {
    guard let request = step.request else { return }
    if case .oauth2(let oauth2)? = request.auth?.scheme {
      for url in [oauth2.tokenURL, oauth2.authorizationURL, oauth2.deviceAuthorizationURL] {
        guard let url, isPlain(url.value.text) else { continue }
        var finding = finding(
          "the client's credentials travel unencrypted over 'http:'; write 'https:'",
          at: url.range, fix: Self.encrypting(url.range, context))
        finding.isInherited = request.auth?.isInherited ?? false
        found.append(finding)
      }
    }
    for (request, _) in step.requests { check(request, of: step, context, &found) }
  }

  private static func check(
    _ request: Request, of step: LintStep, _ context: LintContext, _ found: inout [Diagnostic]
  ) {
    let url = request.endpoint.value.url
    // A look-up below the base URL is reported with its step.
    if url.isRelative, request.endpoint.range != step.request?.endpoint.range { return }
    let text = url.isRelative ? request.baseURL?.value.url.text ?? "" : url.text
    let declared = Self.plainValue(ofInputIn: text, context)
    guard declared != nil || Self.isPlain(text) else { return }
    let forecast = CredentialForecast(request, []) { url, _ in url.text }
    guard Self.hasCredentials(request, forecast) || context.sendsSecret(step, forecast) else {
      return
    }
    let range =
      url.isRelative
      ? request.baseURL?.range : request.endpoint.range(of: request.endpoint.value.urlRange)
    guard let place = declared ?? range else { return }
    var finding = finding(
      "credentials travel unencrypted over 'http:'; write 'https:'", at: place,
      fix: Self.encrypting(place, context))
    finding.isInherited = declared != nil
    found.append(finding)
  }

  /// The default, or the value of an environment, of the input that a URL begins with, if that is
  /// unencrypted.
  private static func plainValue(ofInputIn url: String, _ context: LintContext) -> Range<Int>? {
    guard url.hasPrefix(bytes: "{{inputs.") || url.hasPrefix(bytes: "{{ inputs.") else {
      return nil
    }
    let name = url.prefix(before: "}").split(ascii: ".").last.map { $0.prefix(before: " ") }
    guard let input = context.workflow.inputs.first(where: { $0.name == String(name ?? "") }) else {
      return nil
    }
    let values =
      [input.defaultValue].compactMap { $0 }
      + context.workflow.environments.flatMap(\.values).filter { $0.name == input.name }
      .map(\.value)
    return values.first { Self.isPlain($0.string ?? "") }?.range
  }

  private static func encrypting(_ range: Range<Int>, _ context: LintContext) -> DiagnosticFix? {
    context.place(of: "http", in: range).map { .replacing($0, with: "https", isSafe: false) }
  }

  private static func hasCredentials(
    _ request: Request, _ forecast: CredentialForecast
  ) -> Bool {
    func isSent(_ isInherited: Bool) -> Bool {
      forecast.outcome(.init(isInherited: isInherited)) != .withheld
    }
    if let auth = request.auth, isSent(auth.isInherited) {
      if case .digest = auth.scheme { return false }
      return true
    }
    return request.cookies.contains { isSent($0.isInherited) }
      || request.headers.contains {
        $0.name.equalsIgnoringASCIICase("authorization") && isSent($0.isInherited)
      }
  }

  private static func isPlain(_ url: String) -> Bool {
    guard url.utf8.count > 7, url.utf8.dropFirst(4).first == UInt8(ascii: ":"),
      url.lowercasedASCII.hasPrefix(bytes: "http://")
    else { return false }
    let host = url.dropFirst(bytes: 7).prefix(before: "/", ":", "?")
    return
      !(host == "localhost" || host.hasPrefix(bytes: "127.")
      || url.hasPrefix(bytes: "http://[::1]"))
  }
}

extension LintContext {
  /// Whether a header, a parameter or the body of a step's request holds a secret.
  fileprivate func sendsSecret(_ step: LintStep, _ forecast: CredentialForecast) -> Bool {
    let isInheritedSent = forecast.outcome(.defaults) != .withheld
    return zip(step.uses, readings[step.number]).contains { use, reading in
      guard reading.shape.isSecret else { return false }
      let isOwn = step.step.node.range.contains(use.use.range.lowerBound)
      guard isOwn || isInheritedSent else { return false }
      return use.use.site != .query && use.use.mode == .needs
    }
  }
}
