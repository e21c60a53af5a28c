/// A point in time, to a nanosecond. Leap seconds are not counted.
package struct Moment: Sendable, Hashable {
  /// From 1970-01-01T00:00:00Z, rounded down.
  package let seconds: Int
  /// What is left: from 0 to 999,999,999.
  package let nanoseconds: Int

  package init(seconds: Int, nanoseconds: Int = 0) {
    self.seconds = seconds
    self.nanoseconds = nanoseconds
  }

  /// Digits of a fraction. Digits after the ninth are dropped.
  static func nanoseconds(_ digits: some Collection<UInt8>) -> Int {
    var value = 0
    for digit in digits.prefix(9) { value = value * 10 + Int(digit &- 0x30) }
    for _ in digits.count..<max(digits.count, 9) { value *= 10 }
    return value
  }

  /// The fraction as text, with 3, 6 or 9 digits; empty if there is none.
  var fraction: String {
    if nanoseconds == 0 { return "" }
    let digits = String(nanoseconds + 1_000_000_000).utf8.dropFirst()
    let places = nanoseconds % 1_000_000 == 0 ? 3 : nanoseconds % 1000 == 0 ? 6 : 9
    return "." + String(decoding: digits.prefix(places), as: UTF8.self)
  }

  var milliseconds: Int { nanoseconds / 1_000_000 }
}

extension Int {
  /// The quotient rounded down, and a remainder that is not negative.
  func floored(by divisor: Int) -> (quotient: Int, remainder: Int) {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }
}
