package import PipelineJSONPaths

/// Sends a request again until a condition holds.
package struct Poll: Sendable {
  package let until: Written<Condition>
  /// Fails the step at once if it holds.
  package let failWhen: Written<Condition>?
  /// The pause before the second request. Each later one is `factor` times the previous one.
  package let every: Duration
  package let factor: Double
  package let maxEvery: Duration
  /// The longest that polling may take; `nil` if only `attempts` ends it.
  package let within: Duration?
  /// The most requests.
  package let attempts: Int?
  /// Whether a condition reads what was extracted, `@.values`.
  package let readsValues: Bool
}

extension Poll: DeclaredObject {
  init?(_ keys: inout Keys) {
    let until = keys.required(
      "until", .condition(of: .poll), "Polling ends if this holds; `@` is the response.",
      example: #""@.body.state == 'done'""#,
      foreign: ["condition while done when if"])
    failWhen = keys.optional(
      "failWhen", .condition(of: .poll), "The step fails at once if this holds.",
      example: #""@.body.state == 'failed'""#,
      foreign: ["fail"])
    every = keys.value(
      "every", .duration, default: .seconds(2), "The pause before the second request.",
      example: #""500ms""#,
      foreign: ["interval delay wait pause sleep period frequency retryInterval"])
    factor = keys.value(
      "factor", .number(atLeast: 1), default: 1,
      "Each later pause is this many times the previous one.", example: "1.5",
      foreign: ["backoff multiplier"])
    maxEvery = keys.value(
      "maxEvery", .duration, default: .seconds(30), "The maximum pause.", example: #""10s""#,
      foreign: ["maxInterval maxDelay"])
    let within = keys.optional(
      "within", .duration,
      "The maximum time of polling; a request in flight at its end is cancelled."
        + " By default 5m, or none with `attempts`.",
      example: #""1m""#, foreign: ["timeout max maxTime maxWait deadline maxDuration total"])
    attempts = keys.optional(
      "attempts", .integer(atLeast: 1),
      "The maximum number of requests; without it, only `within` ends polling.", example: "20",
      foreign: ["maxAttempts retries count limit times tries"])
    self.within = within ?? (attempts == nil ? .seconds(300) : nil)
    guard let until else { return nil }
    self.until = until
    readsValues = [until, failWhen].contains { $0?.value.mayRead("values") ?? false }
  }
}
