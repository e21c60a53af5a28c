import PipelineByteText
package import PipelineJSONText

/// What `multipleOf` divides by. Decimals are divided exactly: 0.0075 is a multiple of 0.0001.
package struct Divisor: Sendable {
  package let number: JSONNumber
  private let digits: UInt64
  private let exponent: Int

  /// - Returns: `nil` if the number is not greater than 0, or has more than 18 digits that count.
  package init?(_ number: JSONNumber) {
    let decimal = Decimal(number.utf8)
    guard !decimal.isNegative, (1...18).contains(decimal.digits.count) else { return nil }
    guard abs(decimal.exponent) < Decimal.exponentLimit else { return nil }
    self.number = number
    digits = decimal.digits.reduce(0) { $0 * 10 + UInt64($1) }
    exponent = decimal.exponent
  }

  /// Whether the number is this one times an integer.
  ///
  /// - Complexity: O(digits of the number), whatever its exponent.
  package func divides(_ number: JSONNumber) -> Bool {
    let decimal = Decimal(number.utf8)
    guard !decimal.digits.isEmpty else { return true }
    // Neither side ends in 0, so a number with more decimal places is not a multiple.
    let shift = decimal.exponent - exponent
    guard shift >= 0 else { return false }
    var rest: UInt64 = 0
    for digit in decimal.digits { rest = (rest * 10 + UInt64(digit)) % digits }
    return product(rest, powerOfTen(shift)) == 0
  }

  private func product(_ left: UInt64, _ right: UInt64) -> UInt64 {
    digits.dividingFullWidth(left.multipliedFullWidth(by: right)).remainder
  }

  /// 10^exponent modulo the divisor's digits.
  private func powerOfTen(_ exponent: Int) -> UInt64 {
    var result = 1 % digits
    var base = 10 % digits
    var exponent = exponent
    while exponent > 0 {
      if exponent & 1 == 1 { result = product(result, base) }
      base = product(base, base)
      exponent >>= 1
    }
    return result
  }
}

/// ±digits × 10^exponent. The first and the last digit are not 0, and zero has none.
private struct Decimal {
  var digits: [UInt8] = []
  var exponent = 0
  var isNegative = false

  /// Exponents stay within this. Digits beyond 60 do not decide what a number is a multiple of.
  static let exponentLimit = 1 << 40

  /// - Parameter utf8: A number by the grammar of RFC 8259 §6.
  init(_ utf8: [UInt8]) {
    var places = 0
    var written = 0
    var isAfterPoint = false
    var isInExponent = false
    var isExponentNegative = false
    for byte in utf8 {
      switch byte {
      case UInt8(ascii: "-"):
        if isInExponent { isExponentNegative = true } else { isNegative = true }
      case UInt8(ascii: "."): isAfterPoint = true
      case UInt8(ascii: "e"), UInt8(ascii: "E"): isInExponent = true
      case UInt8(ascii: "+"): break
      default:
        let digit = byte & 0xF
        if isInExponent {
          written = min(written * 10 + Int(digit), Self.exponentLimit * 2)
        } else {
          digits.append(digit)
          if isAfterPoint { places += 1 }
        }
      }
    }
    exponent = (isExponentNegative ? -written : written) - places
    while digits.last == 0 {
      digits.removeLast()
      exponent += 1
    }
    digits.removeFirst(digits.prefix { $0 == 0 }.count)
    let bound = Self.exponentLimit
    exponent = min(max(exponent, -bound), bound)
  }
}
