import PipelineByteText
import PipelineHTTPTerms
import PipelineJSONText
import PipelineSourceText
import PipelineTemplates

// `settle`: the look-up that says whether a request was carried out.
extension WorkflowDecoder {
  /// The request with its look-up, whose other settings are those of the request itself.
  mutating func settled(
    _ request: Request, _ lookUp: LookUp?, _ fields: ObjectFields
  ) -> Request {
    guard let member = fields.member("settle") else { return request }
    checkSettle(member, beside: request, fields)
    guard let lookUp else { return request }
    if let endpoint = lookUp.endpoint { checkLookUp(endpoint) }
    checkValues(of: member, lookUp.extract, for: request.extract)
    guard let endpoint = lookUp.endpoint, let done = lookUp.done else {
      incomplete.insert(member.value.index)
      return request
    }
    let asked = Request(
      endpoint: endpoint, baseURL: defaults.baseURL, query: lookUp.query, headers: lookUp.headers,
      cookies: defaults.request.cookies, auth: lookUp.auth, tls: request.tls,
      proxy: request.proxy, redirects: request.redirects,
      sendCredentials: request.sendCredentials, body: nil, extract: lookUp.extract,
      retry: defaults.retry ?? .none, timeout: lookUp.timeout, poll: nil, paginate: nil, save: nil,
      cache: nil, read: lookUp.read)
    let step = Step(
      id: Written("settle", at: member.value), description: nil, action: .request(asked),
      dependsOn: [], when: nil, otherwise: nil, onError: .fail, priority: 0, forEach: nil,
      expect: lookUp.expect, node: member.value)
    return request.settled(
      by: Settle(step: step, request: asked, done: done, within: lookUp.within))
  }

  /// Reports a look-up beside what it cannot settle.
  private mutating func checkSettle(
    _ member: JSONMember, beside request: Request, _ fields: ObjectFields
  ) {
    let removal = DiagnosticFix.suggesting("remove it", [fields.node.removing(member)])
    if HTTPMethod.isIdempotent(request.method) {
      report(
        .conflictingKeys,
        "'settle' is for requests that must not be sent twice, and \(request.method) may be sent"
          + " again; remove it", at: member.nameRange, fix: removal)
    } else if request.retry.unsafe {
      report(
        .conflictingKeys,
        "with '\"unsafe\": true' the request may be sent twice, so 'settle' decides nothing; remove"
          + " one of them", at: member.nameRange, fix: removal)
    }
    for name in ["paginate", "poll", "save"] {
      guard let other = fields.member(name) else { continue }
      report(
        .conflictingKeys,
        "'settle' finds one request, and cannot give what '\(name)' brings; do that in a later step",
        at: member.nameRange,
        related: [.init(range: other.nameRange, message: "'\(name)' is here")])
    }
  }

  private mutating func checkLookUp(_ endpoint: Written<Endpoint>) {
    if endpoint.value.url.handler != nil {
      report(
        .invalidValue, "'settle' asks a server, and cannot call Swift; write a GET or HEAD",
        at: endpoint.range)
    } else {
      noteBase(of: endpoint)
    }
    guard let method = endpoint.value.method, method != "GET", method != "HEAD" else { return }
    let range = endpoint.range(of: 0..<method.utf8.count)
    report(
      .invalidValue, "'settle' only looks, so it is a GET or HEAD", at: range,
      fix: .replacing(range, with: "GET", isSafe: false))
  }

  /// Reports values of the step that its look-up does not give.
  private mutating func checkValues(
    of member: JSONMember, _ given: [Extractor], for wanted: [Extractor]
  ) {
    for extractor in wanted where !incomplete.contains(extractor.node.index) {
      guard let own = given.first(where: { $0.name.equals(bytes: extractor.name) }) else {
        if extractor.isOptional || extractor.defaultValue != nil { continue }
        report(
          .missingKey,
          "'settle' does not give '\(extractor.name)', which the step extracts; write \"extract\":"
            + " {\"\(extractor.name)\": …}", at: member.nameRange)
        continue
      }
      if extractor.isSecret, !own.isSecret {
        report(
          .missingKey,
          "'\(own.name)' is secret where the step extracts it; write \"secret\": true here, too",
          at: own.nameRange)
      }
    }
  }

  /// Reports a look-up that is the same for all items of its step.
  mutating func checkSettle(_ action: Step.Action, for iteration: Iteration?) {
    guard let iteration, case .request(let request) = action, let settle = request.settle,
      !incomplete.contains(settle.step.node.index)
    else { return }
    guard let name = iteration.itemName, !settle.reads(iteration.names) else { return }
    report(
      .invalidValue,
      "the look-up is the same for every item, so one request that was carried out would settle"
        + " all; use '\(name)'", at: settle.step.node.range)
  }
}
