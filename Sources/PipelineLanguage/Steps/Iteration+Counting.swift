package import PipelineJSONText

// What the numbers of a collection come to. Runs judge them when the step begins, and lint as far as
// they are known before.

extension Iteration {
  /// Why a collection cannot begin: one phrase.
  package struct Problem: Error, Hashable, Sendable {
    package let message: String

    package init(message: String) { self.message = message }
  }

  /// The value of a key that takes a number of items, such as `batch`.
  ///
  /// - Parameter value: `nil` if it is absent.
  package static func amount(
    _ value: JSONNode?, of key: String, atLeast minimum: Int = 1
  ) throws(Problem) -> Int {
    guard let amount = value?.number?.int, amount >= minimum else {
      throw Problem(message: "'\(key)' must be a whole number, at least \(minimum)")
    }
    return amount
  }

  /// The value of `from`, `to` or `by` of a range.
  package static func bound(_ value: JSONNode?, of key: String) throws(Problem) -> Int {
    guard let bound = value?.number?.int else {
      throw Problem(message: "'\(key)' is not a whole number of 64 bits, as a range needs")
    }
    return bound
  }

  /// The number of whole numbers in a range, both ends included.
  package static func count(from first: Int, to last: Int, by step: Int) throws(Problem) -> Int {
    guard step != 0 else { throw Problem(message: "'by' is 0, which never reaches 'to'") }
    let (span, overflow) = last.subtractingReportingOverflow(first)
    // In magnitudes, since the smallest number has no opposite.
    let steps = span.magnitude / step.magnitude
    guard !overflow, steps < Int.max.magnitude else {
      throw Problem(message: "the range is too long to count")
    }
    let isUpward = span == 0 || (span > 0) == (step > 0)
    return isUpward ? Int(steps) + 1 : 0
  }
}
