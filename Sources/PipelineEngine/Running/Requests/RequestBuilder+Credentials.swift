internal import PipelineLanguage
internal import PipelinePlanning
internal import PipelineTemplates
internal import PipelineURIs

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
