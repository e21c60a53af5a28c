internal import PipelineHTTPServers
internal import PipelineByteText
internal import PipelineHTTPTerms
internal import PipelineJSONText

/// `/flaky`, `/limited`, `/idempotent`, `/references` and `/delete`: what a retry policy meets.
enum FlakyAPI {
  struct Bucket {
    var tokens: Double
    var filledAt: UInt64
  }

  struct State {
    /// Requests received, by key.
    var attempts: [String: Int] = [:]
    var limited = 0
    /// By rate and burst.
    var buckets: [[Int]: Bucket] = [:]
    var orders: [String: (id: Int, duplicates: Int)] = [:]
    var deleted: Set<String> = []
    /// The number of times that each order was placed, by the client's reference.
    var references: [String: Int] = [:]
    /// Keys are the client's: past this many the oldest state is not worth its memory.
    static let limit = 100_000
  }

  static let routes = [
    Route("*", "/flaky/{key}", "fails, then succeeds: ?fail=2&status=503&retryAfter=0.05") {
      state, request, values in
      flaky(request, values[0], &state.flaky)
    },
    Route("GET", "/limited", "429 to every k-th request: ?every=3&retryAfter=1") {
      state, request, _ in
      limited(request, &state.flaky)
    },
    Route("GET", "/limited/bucket", "a token bucket: 429 past ?rate=10 a second and &burst=5") {
      state, request, _ in
      bucket(request, &state.flaky)
    },
    Route("POST", "/idempotent", "one order for each Idempotency-Key; ?fail=1 loses an answer") {
      state, request, _ in
      order(request, &state.flaky)
    },
    Route("GET", "/idempotent", "the orders made, with their duplicates") { state, _, _ in
      orders(state.flaky)
    },
    Route("POST", "/references/{reference}", "an order each time; ?fail=1 loses an answer") {
      state, request, values in
      place(request, values[0], &state.flaky)
    },
    Route("GET", "/references/{reference}", "the orders of this reference, or 404") {
      state, _, values in
      guard let count = state.flaky.references[values[0]] else {
        return .failure(404, "no order has this reference")
      }
      return placed(values[0], count, 200)
    },
    Route("DELETE", "/delete/{id}", "deletes but answers 503; then 404") { state, _, values in
      forget(&state.flaky)
      guard state.flaky.deleted.insert(values[0]).inserted else {
        return .failure(404, "already deleted")
      }
      return .failure(503, "deleted, but this answer says otherwise")
    },
  ]

  private static func flaky(
    _ request: ServerRequest, _ key: String, _ state: inout State
  ) -> ServerResponse {
    forget(&state)
    let failures = request.integer("fail", in: 0...1_000_000, otherwise: 2)
    let attempt = (state.attempts[key] ?? 0) + 1
    state.attempts[key] = attempt
    guard attempt > failures else {
      let status = request.integer("status", in: 200...599, otherwise: 503)
      return .object(status, retryAfter(request)) { writer in
        writer.member("error", "failure \(attempt) of \(failures)")
        writer.member("attempt", attempt)
      }
    }
    return .object { writer in
      writer.member("key", key)
      writer.member("attempts", attempt)
      writer.member("ok", true)
    }
  }

  private static func limited(_ request: ServerRequest, _ state: inout State) -> ServerResponse {
    let every = request.integer("every", in: 1...1_000_000, otherwise: 3)
    state.limited += 1
    guard state.limited % every == 0 else {
      return .object { $0.member("request", state.limited) }
    }
    let fields = retryAfter(request)
    return .failure(
      429, "too many requests",
      fields.isEmpty ? [ServerResponse.Field("Retry-After", "1")] : fields)
  }

  private static func bucket(_ request: ServerRequest, _ state: inout State) -> ServerResponse {
    let rate = request.integer("rate", in: 1...1_000_000, otherwise: 10)
    let burst = request.integer("burst", in: 1...1_000_000, otherwise: 5)
    forget(&state)
    let now = request.moment.sinceStart
    var bucket = state.buckets[[rate, burst]] ?? Bucket(tokens: Double(burst), filledAt: now)
    let refill = Double(now - min(now, bucket.filledAt)) / 1e9 * Double(rate)
    bucket = Bucket(tokens: min(Double(burst), bucket.tokens + refill), filledAt: now)
    defer { state.buckets[[rate, burst]] = bucket }
    guard bucket.tokens >= 1 else {
      let seconds = ((1 - bucket.tokens) / Double(rate)).rounded(.up)
      return .failure(
        429, "too many requests", [ServerResponse.Field("Retry-After", "\(Int(seconds))")])
    }
    bucket.tokens -= 1
    return .object { $0.member("left", Int(bucket.tokens)) }
  }

  /// `retryAfter=` is sent as it is written; `retryDate=` names seconds from now, sent as a date.
  private static func retryAfter(_ request: ServerRequest) -> [ServerResponse.Field] {
    if let seconds = request.query("retryAfter"), Double(seconds) != nil {
      return [ServerResponse.Field("Retry-After", seconds)]
    }
    guard let seconds = request.query("retryDate").flatMap({ Int($0) }), (0...86_400) ~= seconds
    else { return [] }
    let date = CalendarDate(unixSeconds: request.moment.unixSeconds + seconds)
    return [ServerResponse.Field("Retry-After", date.httpDate)]
  }

  private static func order(_ request: ServerRequest, _ state: inout State) -> ServerResponse {
    guard let key = request.header("Idempotency-Key"), !key.isEmpty else {
      return .failure(400, "an Idempotency-Key field is needed")
    }
    forget(&state)
    let known = state.orders[key]
    let order = (
      id: known?.id ?? state.orders.count + 1, duplicates: known.map { $0.duplicates + 1 } ?? 0
    )
    state.orders[key] = order
    let failures = request.integer("fail", in: 0...1000, otherwise: 0)
    guard order.duplicates >= failures else {
      return .failure(503, "the order is made, but this answer is lost", retryAfter(request))
    }
    return .object(known == nil ? 201 : 200) { writer in
      writer.member("id", order.id)
      writer.member("key", key)
      writer.member("duplicates", order.duplicates)
    }
  }

  private static func orders(_ state: State) -> ServerResponse {
    .object { writer in
      writer.member("total", state.orders.count)
      writer.member("orders", list: state.orders.sorted { $0.value.id < $1.value.id }) {
        writer, order in
        writer.object { writer in
          writer.member("id", order.value.id)
          writer.member("key", order.key)
          writer.member("duplicates", order.value.duplicates)
        }
      }
    }
  }

  private static func place(
    _ request: ServerRequest, _ reference: String, _ state: inout State
  ) -> ServerResponse {
    forget(&state)
    let count = (state.references[reference] ?? 0) + 1
    state.references[reference] = count
    guard count > request.integer("fail", in: 0...1000, otherwise: 0) else {
      return .failure(503, "the order is placed, but this answer is lost", retryAfter(request))
    }
    return placed(reference, count, 201)
  }

  private static func placed(_ reference: String, _ count: Int, _ status: Int) -> ServerResponse {
    .object(status) { writer in
      writer.member("reference", reference)
      writer.member("orders", count)
    }
  }

  private static func forget(_ state: inout State) {
    if state.attempts.count > State.limit { state.attempts.removeAll() }
    if state.buckets.count > State.limit { state.buckets.removeAll() }
    if state.orders.count > State.limit { state.orders.removeAll() }
    if state.deleted.count > State.limit { state.deleted.removeAll() }
    if state.references.count > State.limit { state.references.removeAll() }
  }
}
