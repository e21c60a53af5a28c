internal import PipelineByteText
internal import PipelineHTTPTerms
internal import PipelineLanguage

/// Which responses a private cache may keep, and when it may use them (RFC 9111). Times are seconds
/// since 1970.
enum CacheRules {
  // MARK: Storing

  /// Whether the response to a GET may be kept, and is of any use then (§3).
  static func isStorable(
    status: Int, _ headers: [HeaderField], to request: [HeaderField], _ caching: Caching,
    at time: Double
  ) -> Bool {
    let control = CacheControl(of: headers)
    guard status >= 200, status != 206, status != 304, !control.hasNoStore,
      !CacheControl(of: request).hasNoStore, varyingFields(of: headers) != nil
    else { return false }
    if case .fresh = caching, status < 400, isCacheableByDefault(status) { return true }
    let isExplicit = control.maxAge != nil || headers.first("expires") != nil
    guard isExplicit || isCacheableByDefault(status) else { return false }
    return !validators(of: headers).isEmpty || lifetime(status: status, headers, at: time) > 0
  }

  /// The statuses that may be kept by default (RFC 9110 §15.1), except 206.
  static func isCacheableByDefault(_ status: Int) -> Bool {
    [200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501].contains(status)
  }

  /// The names in `Vary`, in lower case and sorted; `nil` if it has `*`, which no request matches (§4.1).
  static func varyingFields(of headers: [HeaderField]) -> [String]? {
    let names = (headers.combined("vary") ?? "").split(ascii: ",")
      .map { String($0).trimmed.lowercasedASCII }.filter { !$0.isEmpty }
    return names.contains(bytes: "*") ? nil : Set(names).sorted()
  }

  /// The fields that are kept with a response (§3.1): all except those of the connection.
  static func storedFields(of headers: [HeaderField]) -> [HeaderField] {
    let left = connectionFields(headers)
    return headers.filter { !left.contains($0.name.lowercasedASCII) }
  }

  private static func connectionFields(_ headers: [HeaderField]) -> Set<String> {
    let named = (headers.combined("connection") ?? "").split(ascii: ",")
      .map { String($0).trimmed.lowercasedASCII }
    return Set(named).union([
      "connection", "keep-alive", "proxy-connection", "te", "transfer-encoding", "upgrade",
      "proxy-authenticate", "proxy-authentication-info", "proxy-authorization",
    ])
  }

  // MARK: Freshness

  /// Whether a kept response may be used without asking the server (§4.2).
  static func isFresh(_ response: CachedResponse, _ caching: Caching, at now: Double) -> Bool {
    // The clock was set back, so the age is unknown.
    guard now >= response.responseTime else { return false }
    if case .fresh(let duration) = caching, response.status < 400 {
      return now - response.responseTime < duration.seconds
    }
    guard !CacheControl(of: response.headers).hasNoCache else { return false }
    let lifetime = lifetime(
      status: response.status, response.headers, at: response.responseTime)
    return lifetime > age(of: response, at: now)
  }

  /// How long a response is fresh (§4.2.1): as `max-age` says, or else `Expires`. Without both, a
  /// tenth of the time since it was modified (§4.2.2), at most a day. `s-maxage` is for shared
  /// caches.
  static func lifetime(status: Int, _ headers: [HeaderField], at responseTime: Double) -> Double {
    if let maxAge = CacheControl(of: headers).maxAge { return maxAge }
    let date = date("date", headers, responseTime) ?? responseTime
    if headers.first("expires") != nil {
      // A value that is not a date, such as 0, is in the past (§5.3).
      return max(0, (Self.date("expires", headers, responseTime) ?? date) - date)
    }
    guard isCacheableByDefault(status),
      let modified = Self.date("last-modified", headers, responseTime)
    else { return 0 }
    return min(max(0, (date - modified) / 10), 86_400)
  }

  /// How old a response is (§4.2.3).
  static func age(of response: CachedResponse, at now: Double) -> Double {
    let date = date("date", response.headers, response.responseTime) ?? response.responseTime
    let apparent = max(0, response.responseTime - date)
    let corrected =
      statedAge(response.headers) + max(0, response.responseTime - response.requestTime)
    return max(apparent, corrected) + max(0, now - response.responseTime)
  }

  /// The first member of the first `Age`, or 0 if it is not a number of seconds (§5.1).
  private static func statedAge(_ headers: [HeaderField]) -> Double {
    headers.first("age").flatMap { text in
      CacheControl.deltaSeconds(String(text.prefix(before: ",")).trimmed.utf8)
    } ?? 0
  }

  /// Whether a fresh response is fresh enough for what a request demands (§5.2.1).
  static func isFreshEnough(
    _ response: CachedResponse, _ caching: Caching, for request: CacheControl, at now: Double
  ) -> Bool {
    // 0 wants an answer of the server, even if the response came in this second.
    if let maxAge = request.maxAge, maxAge == 0 || age(of: response, at: now) > maxAge {
      return false
    }
    guard let minFresh = request.minFresh else { return true }
    return isFresh(response, caching, at: now + minFresh)
  }

  private static func date(_ name: String, _ headers: [HeaderField], _ now: Double) -> Double? {
    headers.first(name).flatMap { HTTPDate($0.trimmed, now: now) }?.secondsSince1970
  }

  // MARK: Validation

  /// The fields that ask whether a response still holds (§4.3.1); empty if it has nothing to ask by.
  static func validators(of headers: [HeaderField]) -> [HeaderField] {
    [("etag", "If-None-Match"), ("last-modified", "If-Modified-Since")].compactMap { name, field in
      headers.first(name).flatMap { $0.isEmpty ? nil : HeaderField(field, $0) }
    }
  }

  /// Whether a 304 speaks of the kept response (§4.3.4): its entity tag, if it has one, is the same.
  static func confirms(_ headers: [HeaderField], _ response: CachedResponse) -> Bool {
    guard let tag = headers.first("etag") else { return true }
    guard let stored = response.headers.first("etag") else { return false }
    func opaque(_ tag: String) -> Substring {
      tag.hasPrefix(bytes: "W/") ? tag.dropFirst(bytes: 2) : tag[...]
    }
    return opaque(tag).equals(bytes: opaque(stored))
  }

  /// The kept response, updated by a 304 (§3.2). Fields that describe the body stay.
  static func updated(
    _ response: CachedResponse, by headers: [HeaderField], requestTime: Double, responseTime: Double
  ) -> CachedResponse {
    var response = response
    let ofBody: Set<String> = ["content-length", "content-encoding", "content-range"]
    let news = storedFields(of: headers).filter { !ofBody.contains($0.name.lowercasedASCII) }
    let names = Set(news.map(\.name.lowercasedASCII))
    // How old the body was when it came says nothing any more.
    response.headers.removeAll {
      names.contains($0.name.lowercasedASCII) || $0.name.equalsIgnoringASCIICase("age")
    }
    response.headers += news
    response.requestTime = requestTime
    response.responseTime = responseTime
    return response
  }

  /// Whether the author of a request already asks under a condition, or for a part. Then the cache
  /// ignores its response.
  static func isConditional(_ headers: [HeaderField]) -> Bool {
    let names = [
      "if-none-match", "if-modified-since", "if-match", "if-unmodified-since", "if-range", "range",
    ]
    return headers.contains { names.contains(bytes: $0.name.lowercasedASCII) }
  }

  // MARK: Invalidation

  /// Whether a response to a method says that what is kept for its URL no longer holds (§4.4).
  static func invalidates(_ method: String, status: Int) -> Bool {
    !HTTPMethod.isSafe(method) && (200..<400).contains(status)
  }
}
