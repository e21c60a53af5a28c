internal import PipelineByteText
internal import PipelineLanguage
internal import PipelinePlanning
internal import PipelineTemplates
internal import PipelineURIs

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

// Which origins the author wrote the credentials of a request for.
extension RequestBuilder {
  /// The readers of a request's credentials.
  func policy(for parts: Parts) -> CredentialPolicy {
    CredentialPolicy(own: parts.home, base: baseOrigin(parts), listed: listedOrigins)
  }

  /// The origin that the credentials of `defaults` are for.
  private func baseOrigin(_ parts: Parts) -> Origin? {
    guard let base = plan.request.baseURL, !foreign.contains(.baseURL) else { return nil }
    if plan.request.endpoint.value.url.isRelative { return parts.home }
    guard let text = baseURL, let url = try? resolveSandbox(text, at: base.range) else {
      return nil
    }
    return origins.url(of: url)?.origin
  }

  // MARK: User and password in a URL

  /// Hides the user and the password of a URL, which are sent as credentials: a server may repeat
  /// them.
  func hideUser(of url: String) {
    guard url.utf8.contains(UInt8(ascii: "@")) else { return }
    let rest = Self.afterScheme(url)
    let end = rest.utf8.firstIndex {
      [UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#")].contains($0)
    }
    hideUser(in: rest[..<(end ?? rest.endIndex)])
  }

  static func afterScheme(_ url: String) -> Substring {
    url.firstRange(bytes: "//").map { url[$0.upperBound...] } ?? url[...]
  }

  /// Hides what precedes the host in an authority (RFC 3986 §3.2.1): as it is written, decoded, and
  /// in base64 as it is sent (RFC 7617 §2).
  func hideUser(in authority: Substring) {
    guard let at = authority.lastIndex(ascii: "@") else { return }
    let written = authority[..<at]
    redactor.hide(String(written))
    let colon = written.firstIndex(ascii: ":")
    let parts = [
      written[..<(colon ?? written.endIndex)],
      written[(colon ?? written.endIndex)...].dropFirst(bytes: 1),
    ]
    .map(String.init)
    let decoded = parts.map { URI.percentDecode($0) ?? $0 }
    // Without a password, the user is the credential.
    for secret in [parts, decoded].map({ $0[1].isEmpty ? $0[0] : $0[1] }) { redactor.hide(secret) }
    redactor.hide(Data((decoded[0] + ":" + decoded[1]).utf8).base64EncodedString())
  }

  // MARK: Origins

  var listedOrigins: Set<Origin> {
    plan.request.listedOrigins { origin in
      // A caller may have passed a value of a response to a called file.
      if foreign.contains(.listed) { return nil }
      return try? origin.value.expand { scope.value(of: $0) }
    }
  }

  /// Whether a secret is in the author's own text of the URL.
  var urlHoldsSecret: Bool {
    let endpoint = plan.request.endpoint
    if holdsSecret(endpoint.value.url, in: endpoint) { return true }
    guard endpoint.value.url.isRelative, let base = plan.request.baseURL else { return false }
    return holdsSecret(base.value.url, in: base)
  }

  private func holdsSecret<Value>(_ url: URLTemplate, in written: Written<Value>) -> Bool {
    guard let secretRanges else { return false }
    var holdsSecret = false
    url.forEachReference { reference, _ in
      holdsSecret = holdsSecret || secretRanges.contains(written.range(of: reference.range))
    }
    return holdsSecret
  }

  /// Whose credentials the target of a request does not get.
  func withheld(from parts: Parts) -> [CredentialPolicy.Writer] {
    let policy = policy(for: parts)
    var writers = (try? policy.grant(parts.credentials, to: parts.origin))?.withheld ?? []
    // These are put in before each attempt, so they are not among the parts.
    if let auth = plan.request.auth, auth.isAddedLater {
      let writer = CredentialPolicy.Writer(isInherited: auth.isInherited)
      if !writers.contains(writer), !policy.mayHave(writer, parts.origin) { writers.append(writer) }
    }
    return writers
  }

  // MARK: What is said of them

  /// Says once for each origin that it does not get a request's credentials.
  func noteWithheld(_ writers: [CredentialPolicy.Writer], _ origin: Origin) {
    for writer in writers {
      step.noteOnce(withheldText(writer, origin))
    }
  }

  /// `credentials of 'defaults' are not sent to https://…, which …`
  func withheldText(_ writer: CredentialPolicy.Writer, _ origin: Origin) -> String {
    let subject = writer == .step ? "the step's credentials" : "credentials of 'defaults'"
    return "\(subject) are not sent to \(origin), which \(reason(writer, origin)); "
      + "'sendCredentials' lists the origins that get them"
  }

  /// Why an origin does not get what `writer` wrote.
  private func reason(_ writer: CredentialPolicy.Writer, _ origin: Origin) -> String {
    switch writer {
    case .step: "a response named"
    case .defaults where plan.request.baseURL == nil: "no 'baseURL' names"
    case .defaults: foreign.contains(.baseURL) ? "a response named" : "is not the base URL's origin"
    }
  }

  /// The failure of a request that cannot be sent without a secret.
  func failure(
    _ refusal: CredentialPolicy.Refusal, to origin: Origin, isRedirect: Bool
  ) -> FailureReason {
    let place = refusal.place == .url ? "URL" : "body"
    let range = plan.request.endpoint.range
    if isRedirect {
      return FailureReason(
        .value,
        "was redirected to \(origin), and the \(place) holds a secret that is not for it; list"
          + " \"\(origin)\" in 'sendCredentials', or hand the redirect back with '\"redirects\": 0'",
        at: range)
    }
    return FailureReason(
      .value,
      "would send a secret in the \(place) to \(origin), which \(reason(refusal.writer, origin));"
        + " list \"\(origin)\" in 'sendCredentials' if this is intended", at: range)
  }
}

extension Auth {
  /// Whether what proves the sender is put in just before a request is sent.
  fileprivate var isAddedLater: Bool {
    if case .oauth2 = scheme { true } else { signature != nil }
  }
}
