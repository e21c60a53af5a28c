internal import URIs
internal import Workflows

/// Decides which credentials a request's target may see (language.md §11).
struct CredentialPolicy {
  let run: RequestRun

  private var builder: RequestBuilder { run.builder }
  private var context: RunContext { run.context }
  private var plan: RequestPlan { run.plan }

  /// The request as it is sent to its target.
  ///
  /// - Parameters:
  ///   - first: The origin that the step itself named, before redirects.
  /// - Throws: A failure where a credential that the step writes would go to an origin that only a
  ///   response has named.
  func request(
    _ parts: RequestBuilder.Parts, first: Origin, isRedirect: Bool
  ) throws(Failure) -> HTTPRequest {
    let isTrusted = context.trust.holds(parts.origin)
    var headers = parts.headers
    var connection = parts.connection
    connection.refusesPrivateAddresses = !isTrusted
    connection.certificateFile = nil
    connection.keyFile = nil
    if parts.hasCredentials {
      let isListed = builder.listedOrigins.contains(parts.origin)
      try add(
        parts, mayHaveOwn: isListed || (isRedirect ? parts.origin == first : isTrusted),
        isRedirect, to: &headers, &connection)
    }
    return HTTPRequest(
      method: parts.method, url: parts.url, headers: headers, body: parts.body,
      timeout: plan.request.timeout?.value, responseLimit: run.limits.responseSize,
      wantsBody: plan.wantsBody, connection: connection,
      budget: run.context.responseBudget(run.limits))
  }

  private func add(
    _ parts: RequestBuilder.Parts, mayHaveOwn: Bool, _ isRedirect: Bool,
    to headers: inout [HTTPField], _ connection: inout ConnectionSettings
  ) throws(Failure) {
    let credentials = parts.credentials
    let hasOwn =
      !credentials.own.isEmpty || !credentials.ownCookies.isEmpty
      || credentials.ownConnection != nil
      || credentials.ownCertificate || credentials.urlHoldsSecret || credentials.bodyHoldsSecret
    if hasOwn, !mayHaveOwn {
      let place = plan.request.endpoint.range
      throw isRedirect
        ? Failure.credentials(redirectedTo: parts.origin, at: place)
        : Failure.credentials(to: parts.origin, at: place)
    }
    headers += credentials.own
    connection.credentials = credentials.ownConnection
    if credentials.ownCertificate { useCertificate(parts, &connection) }

    var cookies = credentials.ownCookies
    let hasInherited =
      !credentials.inherited.isEmpty || !credentials.inheritedCookies.isEmpty
      || credentials.inheritedConnection != nil
      || credentials.inheritedCertificate
    if hasInherited {
      if builder.mayHaveInherited(parts.origin) {
        headers += credentials.inherited
        cookies = credentials.inheritedCookies + cookies
        connection.credentials = connection.credentials ?? credentials.inheritedConnection
        if credentials.inheritedCertificate { useCertificate(parts, &connection) }
      } else {
        builder.noteDroppedCredentials(for: parts.origin)
      }
    }
    if !cookies.isEmpty { headers.append(HTTPField("Cookie", cookies.joined(separator: "; "))) }
  }

  private func useCertificate(
    _ parts: RequestBuilder.Parts, _ connection: inout ConnectionSettings
  ) {
    connection.certificateFile = parts.connection.certificateFile
    connection.keyFile = parts.connection.keyFile
  }
}
