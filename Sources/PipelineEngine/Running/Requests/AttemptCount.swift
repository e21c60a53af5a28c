/// Counts the tries of a request: the attempts that `retry` allows, and free ones after a
/// connection ended before the server took anything.
struct AttemptCount: Sendable {
  /// The number of the attempt under way, from 1.
  private(set) var number = 1
  private var extra = 0
  private var times: Boxed<Times>?
  /// Why the request under way is sent.
  private(set) var cause: RequestCause
  /// The request under way, if redirects led to it.
  private(set) var redirected: RequestRun.Parts?
  /// The request under way as the journal knows it, if it must not be sent twice.
  var sending: Sendings.Sending?

  init(_ cause: RequestCause) { self.cause = cause }

  /// The attempts so far that count against `retry`.
  var spent: Int { number - extra }

  /// Whether the attempt under way was let through by the gates, and how long that took.
  struct Times: Sendable {
    var waits = RunEvent.Waits()
    /// Since the run's start.
    var sent: Duration?
    /// The span of a trace that it is.
    var span: UInt64?
  }

  /// How long the attempt under way was held back.
  var waits: RunEvent.Waits { times?.value.waits ?? RunEvent.Waits() }
  /// When it was let through.
  var sent: Duration? { times?.value.sent }

  /// The attempt's span in a trace; `nil` if the run is not traced.
  var span: UInt64? {
    get { times?.value.span }
    set {
      var times = times?.value ?? Times()
      times.span = newValue
      self.times = Boxed(times)
    }
  }

  /// The attempt under way has waited.
  mutating func wait(_ waits: RunEvent.Waits) {
    var times = times?.value ?? Times()
    times.waits = times.waits + waits
    self.times = Boxed(times)
  }

  /// Nothing holds the attempt under way back any more.
  mutating func leave(at time: Duration) {
    var times = times?.value ?? Times()
    times.sent = time
    self.times = Boxed(times)
  }

  /// Another request of the attempt begins, if one has left before.
  mutating func beginRequest() {
    if sent != nil { times = nil }
  }

  mutating func goOn(_ cause: RequestCause) {
    number += 1
    sending = nil
    begin(cause)
  }

  /// Goes on with an attempt that `retry` need not allow.
  mutating func goOnForFree(_ cause: RequestCause) {
    number += 1
    extra += 1
    times = nil
    self.cause = cause
  }

  /// Makes the attempt under way again, with a new token.
  mutating func renewToken() { begin(.refusedToken) }

  private mutating func begin(_ cause: RequestCause) {
    times = nil
    redirected = nil
    self.cause = cause
  }

  /// The attempt goes on with the request that an answer redirects to.
  mutating func follow(_ next: RequestRun.Parts) {
    redirected = next
    cause = .redirect
  }

  /// The request under way asks whether a kept response is still valid. What led to a repeated
  /// request stays its cause.
  mutating func validate() {
    if cause == .first { cause = .validation }
  }
}
