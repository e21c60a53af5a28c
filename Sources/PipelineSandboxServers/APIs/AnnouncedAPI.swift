internal import PipelineByteText
internal import PipelineHTTPServers
internal import PipelineHTTPTerms
internal import PipelineJSONText

/// `/limited/announced`: a limit that the server announces, as vendors spell it.
enum AnnouncedAPI {
  struct State {
    /// By dialect, limit and window.
    var limits: [[String]: AnnouncingLimit] = [:]
    /// Keys are the client's.
    static let most = 1_000
  }

  static let routes = [
    Route(
      "GET", "/limited/announced/{dialect}",
      "announces a limit of ?limit=60 in &window=60000 ms, and refuses what is beyond"
    ) { state, request, values in
      guard let dialect = AnnouncingLimit.Dialect(rawValue: values[0]) else {
        let known = AnnouncingLimit.Dialect.allCases.map(\.rawValue).joined(separator: ", ")
        return .failure(404, "the dialects are \(known)")
      }
      return answer(dialect, request, &state.announced)
    }
  ]

  private static func answer(
    _ dialect: AnnouncingLimit.Dialect, _ request: ServerRequest, _ state: inout State
  ) -> ServerResponse {
    let limit = request.integer("limit", in: 1...1_000_000, otherwise: 60)
    let window = request.integer("window", in: 10...86_400_000, otherwise: 60_000)
    if state.limits.count >= State.most { state.limits = [:] }
    let key = [dialect.rawValue, "\(limit)", "\(window)"]
    let now = Double(request.moment.unixSeconds) + Double(request.moment.nanoseconds) / 1e9
    let new = AnnouncingLimit(dialect, limit: limit, window: Double(window) / 1000)
    let answer = state.limits[key, default: new].answer(at: now)
    let fields = answer.fields.map { ServerResponse.Field($0.name, $0.value) }
    return answer.isRefused
      ? .failure(429, "too many requests", fields)
      : .object(200, fields) { $0.member("left", answer.left) }
  }
}

/// A limit that counts requests, and says so with each answer.
struct AnnouncingLimit {
  /// The spellings of vendors.
  enum Dialect: String, CaseIterable, Sendable {
    /// `RateLimit` and `RateLimit-Policy`, as the IETF has them today.
    case ratelimit
    /// `RateLimit: limit=…, remaining=…, reset=…`.
    case dictionary
    /// `RateLimit-Limit`, `RateLimit-Remaining`, `RateLimit-Reset`.
    case fields
    /// `X-RateLimit-…` with a reset in seconds since 1970.
    case github
    /// `X-Rate-Limit-…` with a reset in milliseconds since 1970.
    case milliseconds
    /// `X-RateLimit-Reset` as a date.
    case date
    /// A bucket that empties in 20 seconds, `32/40`.
    case shopify
  }

  /// An answer: whether the request is refused, what is left, and what is announced.
  struct Answer {
    let isRefused: Bool
    let left: Int
    let fields: [(name: String, value: String)]
  }

  let dialect: Dialect
  let limit: Int
  /// Seconds. A bucket has none.
  let window: Double
  /// How whole seconds are made.
  let rounding: FloatingPointRoundingRule
  /// When the window began, or the bucket was counted, in seconds since 1970.
  private var start = 0.0
  private var used = 0.0

  init(
    _ dialect: Dialect, limit: Int, window: Double, rounding: FloatingPointRoundingRule = .up
  ) {
    self.dialect = dialect
    self.limit = limit
    self.window = window
    self.rounding = rounding
  }

  /// Counts a request and answers it.
  ///
  /// - Parameter now: Seconds since 1970.
  mutating func answer(at now: Double) -> Answer {
    if dialect == .shopify {
      used = max(0, used - (now - start) * Double(limit) / 20)
      start = now
    } else if now >= start + window {
      (start, used) = (now, 0)
    }
    let isRefused = used + 1 > Double(limit)
    if !isRefused { used += 1 }
    let left = max(0, Int(Double(limit) - used))
    return Answer(isRefused: isRefused, left: left, fields: fields(left, isRefused, now))
  }

  /// A `Date`.
  static func date(_ time: Double) -> String {
    CalendarDate(unixSeconds: Int(time.rounded(.down))).httpDate
  }

  private func fields(
    _ left: Int, _ isRefused: Bool, _ now: Double
  ) -> [(name: String, value: String)] {
    let end = start + window
    let seconds = Int((end - now).rounded(rounding))
    let epoch = Int(end.rounded(rounding))
    let refusal = isRefused ? [("Retry-After", "\(max(1, seconds))")] : []
    switch dialect {
    case .ratelimit:
      return [
        ("RateLimit-Policy", "\"default\";q=\(limit);w=\(Int(window.rounded(.up)))"),
        ("RateLimit", "\"default\";r=\(left);t=\(seconds)"),
      ] + refusal
    case .dictionary:
      return [("RateLimit", "limit=\(limit), remaining=\(left), reset=\(seconds)")] + refusal
    case .fields:
      return [
        ("RateLimit-Limit", "\(limit)"), ("RateLimit-Remaining", "\(left)"),
        ("RateLimit-Reset", "\(seconds)"),
      ] + refusal
    case .github:
      return [
        ("X-RateLimit-Limit", "\(limit)"), ("X-RateLimit-Remaining", "\(left)"),
        ("X-RateLimit-Reset", "\(epoch)"), ("X-RateLimit-Used", "\(limit - left)"),
        ("X-RateLimit-Resource", "core"),
      ] + refusal
    case .milliseconds:
      return [
        ("X-Rate-Limit-Limit", "\(limit)"), ("X-Rate-Limit-Remaining", "\(left)"),
        ("X-Rate-Limit-Reset", "\(Int((end * 1000).rounded(.up)))"),
      ] + refusal
    case .date:
      return [
        ("X-RateLimit-Limit", "\(limit)"), ("X-RateLimit-Remaining", "\(left)"),
        ("X-RateLimit-Reset", Self.date(Double(epoch))),
      ] + refusal
    case .shopify:
      return [("X-Shopify-Shop-Api-Call-Limit", "\(Int(used.rounded(.up)))/\(limit)")]
        + (isRefused ? [("Retry-After", "2.0")] : [])
    }
  }
}
