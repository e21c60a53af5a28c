internal import PipelineByteText
internal import PipelineHTTPTerms
internal import PipelineLanguage
internal import PipelinePlanning
internal import PipelineURIs

// One hop of a run that has a cache: a fresh answer sends nothing, and a stale one is validated.
extension RequestRun {
  /// Answers a request from the cache, or sends it.
  @inline(never)
  func deliverCached(
    _ request: TransportRequest, as parts: Parts, _ cache: any ResponseCache,
    _ budget: inout TimeBudget, _ attempt: inout AttemptCount
  ) async throws(AttemptFailure) -> Answer {
    guard let caching = caching(of: request) else {
      let answer = try await deliver(request, as: parts, &budget, &attempt)
      if CacheRules.invalidates(request.method, status: answer.response.status) {
        for url in changedURLs(answer) { await cache.drop(url: digest(of: url, cache)) }
      }
      return answer
    }
    let hop = CachedHop(
      cache: cache, key: key(of: request, parts, cache), caching: caching, request: request)
    let now = context.options.clock.wallTime
    let control = CacheControl(ofRequest: request.headers)
    let kept = await hop.stored()
    let stored = kept.flatMap { $0.body.count <= limits.responseSize ? $0 : nil }
    if let stored, mayTakeFresh(control, attempt), CacheRules.isFresh(stored, caching, at: now),
      CacheRules.isFreshEnough(stored, caching, for: control, at: now)
    {
      return try fresh(stored, to: parts, request, at: now)
    }
    // RFC 9111 §5.2.1.7
    if control.isOnlyIfCached {
      return Answer(TransportResponse(status: 504), to: parts, sentCount: 0, reading: nil)
    }
    guard let stored else {
      return try await deliverAndKeep(request, as: parts, hop, &budget, &attempt)
    }
    let validators = CacheRules.validators(of: stored.headers)
    guard !validators.isEmpty else {
      return try await deliverAndKeep(request, as: parts, hop, &budget, &attempt)
    }
    var conditional = request
    conditional.headers += validators
    attempt.validate()
    let answer = try await deliverAndKeep(conditional, as: parts, hop, &budget, &attempt)
    guard answer.response.status == 304 else { return answer }
    if CacheRules.confirms(answer.response.headers, stored) {
      return try await validated(stored, by: answer, hop, requestTime: now)
    }
    // The server speaks of a body that is not here.
    report(.success(answer), parts, attempt, .zero)
    attempt.goOnForFree(.validation)
    return try await deliverAndKeep(request, as: parts, hop, &budget, &attempt)
  }

  /// How the answer to a request is cached; `nil` if it is not.
  private func caching(of request: TransportRequest) -> Caching? {
    guard plan.request.cachesAnswers, !plan.hasSecretExtractors,
      plan.request.auth?.signature == nil, request.method == "GET",
      request.body == .none, !CacheRules.isConditional(request.headers),
      !CacheControl(of: request.headers).hasNoStore
    else { return nil }
    return plan.request.cache
  }

  /// Whether a response may come from the cache. A repeated request wants a new response.
  private func mayTakeFresh(_ control: CacheControl, _ attempt: AttemptCount) -> Bool {
    attempt.number == 1 && plan.request.poll == nil && !control.hasNoCache
  }

  // MARK: Keys

  private func digest(of url: String, _ cache: any ResponseCache) -> [UInt8] {
    var digest = CacheDigest(key: cache.digestKey)
    digest.add("GET")
    var url = String(url.prefix(before: "#"))
    // The sandbox of the next run is the same, at another port.
    if let sandbox = context.options.sandboxOrigin, url.hasPrefix(bytes: sandbox + "/") {
      url = "sandbox:" + url.dropFirst(bytes: sandbox.utf8.count)
    }
    digest.add(url)
    return digest.finish()
  }

  private func key(
    of request: TransportRequest, _ parts: Parts, _ cache: any ResponseCache
  ) -> CacheKey {
    var caller = CacheDigest(key: cache.digestKey)
    // A response from a private address is not shown if another response caused the request.
    caller.add(request.connection.refusesPrivateAddresses ? "foreign" : "own")
    let connection = request.connection
    caller.add(connection.certificateFile)
    switch connection.credentials {
    case nil: caller.add("")
    case .digest(let user, let password):
      for text in ["digest", user, password] { caller.add(text) }
    case .awsSigV4(let service, let region, let accessKey, let secretKey, _):
      for text in ["awsSigV4", service, region, accessKey, secretKey] { caller.add(text) }
    }
    let parts = parts.value
    if parts.hasCredentials,
      let grant = try? builder.policy(for: parts).grant(parts.credentials, to: parts.origin)
    {
      let token = parts.token
      let isToken = { (field: HeaderField) in
        token.map { field.value.equals(bytes: "Bearer " + $0.value) } ?? false
      }
      caller.add(grant.fields.filter { !isToken($0) })
      // Another token of the same client is the same caller.
      if let token, grant.fields.contains(where: isToken) {
        for text in token.key.identity { caller.add(text) }
      }
    }
    return CacheKey(url: digest(of: request.url, cache), caller: caller.finish())
  }

  /// The URLs whose kept responses a response makes invalid (RFC 9111 §4.4): its own, and those of
  /// the same origin that it names.
  private func changedURLs(_ answer: Answer) -> [String] {
    let named = ["location", "content-location"].compactMap { name -> String? in
      guard let text = answer.response.header(name), let url = answer.url.resolving(text),
        url.origin == answer.origin
      else { return nil }
      return url.text
    }
    return [answer.url.text] + named
  }

  // MARK: Answers

  private func fresh(
    _ stored: CachedResponse, to parts: Parts, _ request: TransportRequest, at now: Double
  ) throws(AttemptFailure) -> Answer {
    var headers = stored.headers.filter { !$0.name.equalsIgnoringASCIICase("age") }
    // RFC 9111 §5.1
    headers.append(HeaderField("Age", String(Int(CacheRules.age(of: stored, at: now)))))
    return try answer(
      TransportResponse(status: stored.status, headers: headers, body: stored.body), to: parts,
      .fresh,
      sentCount: 0)
  }

  /// The kept response, which a 304 has confirmed.
  private func validated(
    _ stored: CachedResponse, by answer: Answer, _ hop: CachedHop, requestTime: Double
  ) async throws(AttemptFailure) -> Answer {
    let updated = CacheRules.updated(
      stored, by: answer.response.headers, requestTime: requestTime,
      responseTime: context.options.clock.wallTime)
    await hop.store(updated, context.redactor)
    return try self.answer(
      TransportResponse(
        status: updated.status, headers: updated.headers, body: updated.body,
        version: answer.response.version, timings: answer.response.timings),
      to: answer.parts, .validated, sentCount: answer.sentCount)
  }

  private func answer(
    _ response: TransportResponse, to parts: Parts, _ use: CacheUse, sentCount: Int
  ) throws(AttemptFailure) -> Answer {
    let memory = context.usage.responseBudget(limits)
    guard memory.settle(response.body.count) else { throw .failed(.tooMuchHeld(limits)) }
    context.usage.count(use)
    return Answer(
      response, to: parts, sentCount: sentCount, memory: memory, cacheUse: use,
      reading: reading(response, to: parts))
  }

  /// Sends a request, and keeps its answer if that may be kept.
  private func deliverAndKeep(
    _ request: TransportRequest, as parts: Parts, _ hop: CachedHop, _ budget: inout TimeBudget,
    _ attempt: inout AttemptCount
  ) async throws(AttemptFailure) -> Answer {
    var request = request
    request.wantsBody = true
    let requestTime = context.options.clock.wallTime
    let answer = try await deliver(request, as: parts, &budget, &attempt)
    if answer.response.status != 304 {
      await hop.keep(
        answer.response, requestTime: requestTime, responseTime: context.options.clock.wallTime,
        context.redactor)
    }
    return answer
  }
}

/// One hop, and the keys of its responses in the cache.
final class CachedHop: Sendable {
  let cache: any ResponseCache
  private let key: CacheKey
  private let caching: Caching
  private let headers: [HeaderField]

  init(cache: any ResponseCache, key: CacheKey, caching: Caching, request: TransportRequest) {
    self.cache = cache
    self.key = key
    self.caching = caching
    headers = request.headers
  }

  /// The newest kept response that `Vary` allows to be used (RFC 9111 §4.1).
  func stored() async -> CachedResponse? {
    await cache.responses(for: key).first { $0.variant == variant($0.varyingFields) }
  }

  /// Keeps a response if it may be kept. One that may not be takes away what is kept.
  func keep(
    _ response: TransportResponse, requestTime: Double, responseTime: Double, _ redactor: Redactor
  ) async {
    let fields = response.headers
    guard response.droppedCount == 0, response.body.count <= cache.largestBody,
      CacheRules.isStorable(
        status: response.status, fields, to: headers, caching, at: responseTime),
      let varying = CacheRules.varyingFields(of: fields)
    else {
      // The server is in trouble: what it said before holds no less.
      if response.status < 500, response.status != 429 { await cache.drop(url: key.url) }
      return
    }
    let kept = CachedResponse(
      status: response.status, headers: CacheRules.storedFields(of: fields), body: response.body,
      requestTime: requestTime, responseTime: responseTime, varyingFields: varying,
      variant: variant(varying))
    await store(kept, redactor)
  }

  /// Keeps a response in which no secret is found.
  func store(_ response: CachedResponse, _ redactor: Redactor) async {
    if redactor.isActive {
      let head = response.headers.map { $0.name + ": " + $0.value }.joined(separator: "\n")
      guard redactor.places(in: Array(head.utf8)).isEmpty,
        redactor.places(in: response.body).isEmpty
      else { return await cache.drop(url: key.url) }
    }
    await cache.store(response, for: key)
  }

  /// A value of a list without the space around its commas, which means nothing (RFC 9110 §5.6.1).
  /// Names of languages, codings and charsets have no case.
  private static func normalized(_ value: String, of name: String) -> String {
    let list = CacheControl.members(of: value).map(\.trimmed).joined(separator: ",")
    return caseless.contains(bytes: name) ? list.lowercasedASCII : list
  }

  private static let caseless = ["accept-charset", "accept-encoding", "accept-language"]

  private func variant(_ names: [String]) -> [UInt8] {
    var digest = CacheDigest(key: cache.digestKey)
    for name in names {
      digest.add(name)
      digest.add(headers.combined(name).map { Self.normalized($0, of: name) })
    }
    return digest.finish()
  }
}
