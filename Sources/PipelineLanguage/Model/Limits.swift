import PipelineJSONText

/// Bounds on a whole run.
package struct Limits: Sendable, Hashable {
  /// The most requests in flight.
  package var concurrency: Int
  /// The most requests in flight to one origin; `nil` for `concurrency`.
  package var perOrigin: Int?
  package var rate: Rate?
  package var ratePerOrigin: Rate?
  /// The most requests to one origin in a span of time, counted over all runs.
  package var quota: Rate?
  /// The longest that the run may take, `finally` not counted.
  package var deadline: Duration
  /// The longest that `finally` steps may take; `nil` for `defaultFinally`.
  package var finally: Duration?
  /// The most bytes that a decoded body may have.
  package var responseSize: Int
  /// The most requests that are sent, retries included.
  package var requests: Int
  /// The most bytes of bodies that are received; `nil` for any number.
  package var bytes: Int?
  /// The most items over all collections, and calls of other files.
  package var items: Int
  /// The longest that a `Retry-After`, or an announced limit, may hold back an origin.
  package var retryAfter: Duration
  /// Whether limits that servers announce are obeyed.
  package var announced: Bool
  /// The most bytes that rows, bodies and collected failures may hold together.
  package var memory: Int

  /// The limit of `finally` steps if the file sets none.
  package static let defaultFinally = Duration.seconds(60)

  /// The limits of a file that sets none.
  package init() {
    var keys = Keys.absent
    self.init(&keys, over: nil)
  }

  /// A number of requests in a span: `100/1m`.
  package typealias Rate = RequestRate
}

extension Limits {
  /// `limits`, over those of the base file.
  init(_ keys: inout Keys, over inherited: Limits?) {
    concurrency = keys.value(
      "concurrency", .integer(atLeast: 1), default: 16, over: inherited?.concurrency,
      "The maximum number of requests in flight.", example: "4",
      foreign: ["parallel parallelism maxConcurrency workers maxParallel threads"])
    perOrigin =
      keys.optional(
        "perOrigin", .integer(atLeast: 1),
        "The maximum number of requests in flight to one origin; by default, `concurrency`.",
        example: "2", foreign: ["perHost maxPerHost connectionsPerHost"])
      ?? inherited?.perOrigin
    rate =
      keys.optional(
        "rate", RateType(), "The maximum number of requests in a span of time.",
        example: #""100/1m""#,
        foreign: [
          .says("rateLimit requestsPerSecond rps qps throttle", "write 'rate': \"…/1s\"")
        ]) ?? inherited?.rate
    ratePerOrigin =
      keys.optional(
        "ratePerOrigin", RateType(),
        "The maximum number of requests to one origin in a span of time.", example: #""10/1s""#)
      ?? inherited?.ratePerOrigin
    quota =
      keys.optional(
        "quota", QuotaType(),
        "The maximum number of requests to one origin in a span, over all runs: the run ends there.",
        example: #""1000/1d""#,
        foreign: ["perDay requestsPerDay"]) ?? inherited?.quota
    deadline = keys.value(
      "deadline", .duration, default: .seconds(3600), over: inherited?.deadline,
      "The maximum time of the run, without `finally`.", example: #""10m""#,
      foreign: ["timeout maxDuration total maxTime"])
    finally =
      keys.optional(
        "finally", .duration, "The maximum time of the `finally` steps.",
        standard: DurationType().text(of: Self.defaultFinally), example: #""15m""#,
        foreign: ["cleanup finallyTimeout"])
      ?? inherited?.finally
    responseSize = keys.value(
      "responseSize", SizeType(), default: 64 << 20, over: inherited?.responseSize,
      "The maximum size of a response's body, decoded.", example: #""512KB""#,
      foreign: ["bodySize maxBodySize"])
    requests = keys.value(
      "requests", .integer(atLeast: 1), default: 1_000_000, over: inherited?.requests,
      "The maximum number of requests of the run, retries included.", example: "500",
      foreign: ["maxRequests"])
    bytes =
      keys.optional(
        "bytes", SizeType(), "The maximum size of all bodies that the run receives.",
        example: #""2GB""#, foreign: ["maxBytes"]) ?? inherited?.bytes
    items = keys.value(
      "items", .integer(atLeast: 1), default: 1_000_000, over: inherited?.items,
      "The maximum number of items in all collections, plus calls of other files.",
      example: "500", foreign: ["maxItems"])
    retryAfter = keys.value(
      "retryAfter", .pause, default: .seconds(300), over: inherited?.retryAfter,
      "The maximum time that a `Retry-After`, or an announced limit, may hold back an origin.",
      example: #""30s""#)
    announced = keys.value(
      "announced", .boolean, default: true, over: inherited?.announced,
      "Whether limits that servers announce hold requests back, for at most `retryAfter`.",
      example: "false", foreign: ["adaptive respectRateLimit rateLimitHeaders"])
    memory = keys.value(
      "memory", SizeType(), default: 1 << 30, over: inherited?.memory,
      "The maximum size of rows, bodies and collected failures together.",
      example: #""256MB""#)
    keys.advise([.says("retries retry", "it belongs in 'defaults' or in a step: 'retry'")])
  }
}

/// The value of `limits`.
struct LimitsType: ValueType {
  let inherited: Limits?

  var description: LanguageType { .object(.limits) }

  func read(_ node: JSONNode, _ name: String, _ decoder: inout WorkflowDecoder) -> Limits? {
    decoder.fields(of: node, .limits, .key(name)).map { fields in
      decoder.reading(fields) { Limits(&$0, over: inherited) }
    }
  }
}
