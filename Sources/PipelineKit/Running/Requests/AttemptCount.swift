/// How often a request has been tried: the attempts that `retry` allows, and those that a connection
/// which ended took nothing from.
struct AttemptCount: Sendable {
  /// The number of the attempt under way, from 1.
  private(set) var number = 1
  private var extra = 0
  /// The request under way as the journal knows it, if it must not be sent twice.
  var sending: Sendings.Sending?

  /// The attempts so far that count against `retry`.
  var spent: Int { number - extra }

  mutating func goOn() {
    number += 1
    sending = nil
  }

  /// Goes on with an attempt that `retry` need not allow.
  mutating func goOnForFree() {
    number += 1
    extra += 1
  }
}
