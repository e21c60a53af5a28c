internal import PipelineByteText
internal import PipelineHTTPTerms
internal import PipelineLanguage
internal import PipelinePlanning
internal import PipelineURIs

// The third stage: redirects are followed, each hop as its target may see it.
extension RequestRun {
  /// Sends a request, and the requests that its redirects ask for.
  func follow(
    _ first: Parts, _ attempt: inout AttemptCount
  ) async throws(AttemptFailure) -> Answer {
    var parts = first
    var redirects = 0
    var budget = timeBudget
    while true {
      let request = try prepared(parts, isRedirect: redirects > 0)
      let answer: Answer
      if let cache = context.options.cache {
        answer = try await deliverCached(request, as: parts, cache, &budget, &attempt)
      } else {
        answer = try await deliver(request, as: parts, &budget, &attempt)
      }
      guard let next = try redirect(answer, from: parts, &attempt, redirects) else {
        return answer
      }
      redirects += 1
      parts = next
      parts.value.redirect = redirects
      attempt.follow(parts)
    }
  }

  /// The request that an answer redirects to; `nil` if it redirects nowhere.
  ///
  /// - Parameter redirects: How many were followed before.
  @inline(never)
  private func redirect(
    _ answer: Answer, from parts: Parts, _ attempt: inout AttemptCount, _ redirects: Int
  ) throws(AttemptFailure) -> Parts? {
    guard plan.request.redirects > 0, let location = Self.redirection(of: answer.response) else {
      return nil
    }
    builder.hideUser(of: location)
    report(.success(answer), parts, attempt, nil)
    if !unit.isLookUp, !HTTPMethod.isIdempotent(parts.value.method),
      Sendings.isCarriedOut(answer.response.status)
    {
      unit.noteActed(true)
    }
    // The next hop is a request of its own, if there is one.
    if let sending = attempt.sending.take() {
      sendings?.redirect(sending, status: answer.response.status)
    }
    var next = Parts(try redirect(answer.response, to: location, from: parts.value))
    if let journal = context.journal, !HTTPMethod.isIdempotent(parts.value.method) {
      next.value.asked =
        parts.value.asked ?? RequestForm(parts.value, of: step, journal.fingerprints).digest
    }
    guard redirects < plan.request.redirects else {
      throw .failed(
        FailureReason(
          .limit,
          "was redirected more than \(plan.request.redirects) times; 'redirects' sets how many are"
            + " followed", at: plan.request.endpoint.range))
    }
    return next
  }

  @inline(never)
  private func prepared(
    _ parts: Parts, isRedirect: Bool
  ) throws(AttemptFailure) -> TransportRequest {
    do throws(FailureReason) {
      return try request(parts.value, isRedirect: isRedirect)
    } catch {
      throw .failed(error)
    }
  }

  /// The request as its target may see it.
  private func request(
    _ parts: RequestBuilder.Parts, isRedirect: Bool
  ) throws(FailureReason) -> TransportRequest {
    builder.hideUser(of: parts.url.text)
    var headers = parts.headers
    var connection = parts.connection
    connection.refusesPrivateAddresses =
      parts.origin != parts.home && !context.trust.holds(parts.origin)
    if parts.hasCredentials {
      let grant: CredentialPolicy.Grant
      do throws(CredentialPolicy.Refusal) {
        grant = try builder.policy(for: parts).grant(parts.credentials, to: parts.origin)
      } catch {
        throw builder.failure(error, to: parts.origin, isRedirect: isRedirect)
      }
      headers += grant.fields
      connection.credentials = grant.connection
      if !grant.hasCertificate {
        connection.certificateFile = nil
        connection.keyFile = nil
      }
      builder.noteWithheld(grant.withheld, parts.origin)
    }
    return TransportRequest(
      method: parts.method, to: parts.url, headers: headers, body: parts.body,
      timeout: plan.request.timeout?.total?.value, connectTimeout: plan.request.connectLimit,
      silence: plan.request.silenceLimit, responseLimit: limits.responseSize,
      wantsBody: plan.wantsBody, connection: connection,
      budget: context.usage.responseBudget(limits),
      clock: context.options.clock)
  }

  /// Where a redirect leads; `nil` if the response is none.
  private static func redirection(of response: TransportResponse) -> String? {
    guard [301, 302, 303, 307, 308].contains(response.status) else { return nil }
    return response.header("location")
  }

  /// The request that a redirect asks for (RFC 9110 §15.4).
  private func redirect(
    _ response: TransportResponse, to location: String, from parts: RequestBuilder.Parts
  ) throws(AttemptFailure) -> RequestBuilder.Parts {
    guard let target = parts.url.resolving(location) else {
      throw .failed(
        FailureReason(
          .network,
          "was redirected to '\(context.redactor.shown(location, to: 200))', which is not an http"
            + " or https URL",
          at: plan.request.endpoint.range))
    }
    if parts.origin.isSecure, !target.origin.isSecure {
      throw .failed(
        FailureReason(
          .network,
          "was redirected from https to http, to '\(step.shown(url: target.text))'; '\"redirects\": 0' hands the redirect back",
          at: plan.request.endpoint.range))
    }
    var next = step.moved(parts, to: target)
    let becomesGET =
      response.status == 303 && parts.method != "HEAD"
      || parts.method == "POST" && (response.status == 301 || response.status == 302)
    if becomesGET {
      next.method = "GET"
      next.body = .none
      if next.hasCredentials {
        next.credentials.own.isInBody = false
        next.credentials.inherited.isInBody = false
      }
      next.headers.removeAll { $0.name.lowercasedASCII.hasPrefix(bytes: "content-") }
    }
    return next
  }
}
