/// The exact value of a JSON number's text, as a view of its digits: nothing is converted, so no
/// exponent can make it large.
///
/// The value is ±0.d₁d₂d₃… × 10^`exponent`, where d₁ and the last digit are not 0. Zero has none.
struct DecimalValue {
  private let bytes: ArraySlice<UInt8>
  let isNegative: Bool
  /// From the first to the last digit that counts, possibly with a decimal point.
  private let digits: Range<Int>
  /// ±`farExponent` if the written exponent exceeds ±`exponentLimit`. Then the exponent's own
  /// digits decide.
  let exponent: Int
  private let writtenExponent: Range<Int>

  private static let exponentLimit = 1 << 56
  private static let farExponent = 1 << 60

  var isZero: Bool { digits.isEmpty }

  /// - Parameter bytes: A number by the grammar of RFC 8259 §6.
  init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    var at = bytes.startIndex
    let end = bytes.endIndex
    isNegative = at < end && bytes[at] == JSONByte.minus
    if isNegative { at += 1 }
    var first: Int?
    var last = at
    var pointAt: Int?
    while at < end {
      let byte = bytes[at]
      if byte == JSONByte.point {
        pointAt = at
      } else if JSONByte.isDigit(byte) {
        if byte != 0x30 {
          first = first ?? at
          last = at
        }
      } else {
        break
      }
      at += 1
    }
    let mantissaEnd = at
    guard let first else {
      digits = mantissaEnd..<mantissaEnd
      exponent = 0
      writtenExponent = mantissaEnd..<mantissaEnd
      return
    }
    digits = first..<last + 1
    let point = pointAt ?? mantissaEnd
    // The count of digits before the point, or minus the zeros between the point and the first.
    let scale = first < point ? point - first : point + 1 - first
    var written = 0
    var negative = false
    at = min(mantissaEnd + 1, end)
    if at < end, !JSONByte.isDigit(bytes[at]) {
      negative = bytes[at] == JSONByte.minus
      at += 1
    }
    while at < end, bytes[at] == 0x30 { at += 1 }
    writtenExponent = at..<end
    while at < end, written < Self.exponentLimit {
      written = min(written * 10 + Int(bytes[at] &- 0x30), Self.exponentLimit)
      at += 1
    }
    let saturated = written == Self.exponentLimit
    exponent =
      saturated
      ? (negative ? -Self.farExponent : Self.farExponent)
      : scale + (negative ? -written : written)
  }

  /// −1, 0 or 1 as this value is less than, equal to or greater than the other.
  func compared(to other: DecimalValue) -> Int {
    if isZero || other.isZero {
      if isZero && other.isZero { return 0 }
      return isZero ? (other.isNegative ? 1 : -1) : (isNegative ? -1 : 1)
    }
    guard isNegative == other.isNegative else { return isNegative ? -1 : 1 }
    let sign = isNegative ? -1 : 1
    if exponent != other.exponent { return exponent < other.exponent ? -sign : sign }
    if abs(exponent) == Self.farExponent {
      let order = writtenExponentCompared(to: other)
      if order != 0 { return exponent < 0 ? -order * sign : order * sign }
    }
    return digitsCompared(to: other) * sign
  }

  private func writtenExponentCompared(to other: DecimalValue) -> Int {
    if writtenExponent.count != other.writtenExponent.count {
      return writtenExponent.count < other.writtenExponent.count ? -1 : 1
    }
    for (left, right) in zip(bytes[writtenExponent], other.bytes[other.writtenExponent])
    where left != right {
      return left < right ? -1 : 1
    }
    return 0
  }

  private func digitsCompared(to other: DecimalValue) -> Int {
    var left = digits.lowerBound
    var right = other.digits.lowerBound
    while left < digits.upperBound, right < other.digits.upperBound {
      if bytes[left] == JSONByte.point {
        left += 1
        continue
      }
      if other.bytes[right] == JSONByte.point {
        right += 1
        continue
      }
      if bytes[left] != other.bytes[right] { return bytes[left] < other.bytes[right] ? -1 : 1 }
      left += 1
      right += 1
    }
    // The last digit is not 0, so what is longer is greater.
    return left < digits.upperBound ? 1 : right < other.digits.upperBound ? -1 : 0
  }

  /// The same for values that compare as equal.
  func hash(into hasher: inout Hasher) {
    guard !isZero else { return hasher.combine(0) }
    hasher.combine(isNegative)
    hasher.combine(exponent)
    for digit in significantDigits { hasher.combine(digit) }
  }

  /// The digits that count, without the point.
  var significantDigits: some Sequence<UInt8> {
    bytes[digits].lazy.filter { $0 != JSONByte.point }.map { $0 &- 0x30 }
  }

  var isInteger: Bool {
    isZero || exponent >= significantDigits.reduce(0) { count, _ in count + 1 }
  }

  /// The value if it is an integer that 64 bits hold.
  var int: Int? { integer(Int.self) }

  /// The value if it is an integer that the type holds.
  func integer<Integer: FixedWidthInteger>(_ type: Integer.Type) -> Integer? {
    if isZero { return 0 }
    guard exponent > 0, exponent <= 39 else { return nil }  // no type here holds 40 digits
    var value: Integer = 0
    var places = 0
    for digit in significantDigits {
      places += 1
      guard places <= exponent, let next = shifted(value, adding: digit) else { return nil }
      value = next
    }
    while places < exponent {
      places += 1
      guard let next = shifted(value, adding: 0) else { return nil }
      value = next
    }
    return value
  }

  private func shifted<Integer: FixedWidthInteger>(
    _ value: Integer, adding digit: UInt8
  ) -> Integer? {
    let (product, overflow) = value.multipliedReportingOverflow(by: 10)
    let (sum, carry) =
      isNegative
      ? product.subtractingReportingOverflow(Integer(digit))
      : product.addingReportingOverflow(Integer(digit))
    return overflow || carry ? nil : sum
  }
}
