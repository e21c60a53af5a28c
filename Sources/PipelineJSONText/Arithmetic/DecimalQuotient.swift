/// Divides numbers to a given number of decimal places, and rounds half away from zero.
package enum DecimalQuotient {
  package enum Problem: Error {
    /// The divisor is zero.
    case zero
    /// There would be too many digits.
    case digits
  }

  /// The quotient as JSON text with exactly this number of decimal places.
  package static func text(
    of first: JSONNode, by second: JSONNode, places: Int
  ) -> Result<String, Problem> {
    let (first, second) = (Term(first.utf8), Term(second.utf8))
    guard !second.isZero else { return .failure(.zero) }
    guard first.isInReach, second.isInReach else { return .failure(.digits) }
    if first.isZero { return .success(DecimalSum.text(of: [0], from: -places)) }
    // first · 10^shift ÷ second is a whole number of the last place.
    let shift = first.low - second.low + places
    let limit = DecimalSum.digitLimit
    guard first.high - second.high + places <= limit else { return .failure(.digits) }
    // Too small to round to anything but zero.
    if first.high - second.high + places < -1 {
      return .success(DecimalSum.text(of: [0], from: -places))
    }
    guard abs(shift) <= 2 * limit else { return .failure(.digits) }
    let dividend = Natural(digits: first.digitsFromLow, zeros: max(shift, 0))
    let divisor = Natural(digits: second.digitsFromLow, zeros: max(-shift, 0))
    let (quotient, remainder) = dividend.divided(by: divisor)
    let isUp = divisor.isAtMost(remainder.times(Natural(digits: [2])))
    let rounded = isUp ? quotient.next : quotient
    let columns = rounded.columns(isNegative: first.isNegative != second.isNegative)
    return .success(DecimalSum.text(of: columns.isEmpty ? [0] : columns, from: -places))
  }
}
