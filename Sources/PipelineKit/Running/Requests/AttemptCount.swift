/// How often a request has been tried: the attempts that `retry` allows, and those that a connection
/// which ended took nothing from.
struct AttemptCount: Sendable {
  /// The number of the attempt under way, from 1.
  private(set) var number = 1
  private var extra = 0

  /// The attempts so far that count against `retry`.
  var spent: Int { number - extra }

  mutating func goOn() { number += 1 }

  /// Goes on with an attempt that `retry` need not allow.
  mutating func goOnForFree() {
    number += 1
    extra += 1
  }
}
