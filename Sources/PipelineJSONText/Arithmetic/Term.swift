/// A number as a whole number times a power of ten.
struct Term {
  private let bytes: ArraySlice<UInt8>
  /// From the first to the last digit that is not 0, possibly with a decimal point.
  private let digits: Range<Int>
  let isNegative: Bool
  /// The power of ten that the last digit is worth.
  let low: Int
  /// The power above that of the first digit.
  let high: Int
  /// Whether the exponent is small enough to be counted with.
  let isInReach: Bool

  var isZero: Bool { digits.isEmpty }

  private static let exponentLimit = 1 << 40

  /// - Parameter bytes: A number by the grammar of RFC 8259 §6.
  init(_ bytes: ArraySlice<UInt8>, isNegated: Bool = false) {
    self.bytes = bytes
    let isE = { (byte: UInt8) in byte | 0x20 == UInt8(ascii: "e") }
    isNegative = (bytes.first == JSONByte.minus) != isNegated
    let end = bytes.firstIndex(where: isE) ?? bytes.endIndex
    let mantissa = bytes[..<end]
    let point = mantissa.firstIndex(of: JSONByte.point)
    let first = mantissa.firstIndex { (0x31...0x39).contains($0) } ?? end
    digits = first..<end
    var exponent = 0
    var isNegativeExponent = false
    for byte in bytes[end...].dropFirst() {
      if JSONByte.isDigit(byte) {
        exponent = min(exponent * 10 + Int(byte - 0x30), Self.exponentLimit)
      } else {
        isNegativeExponent = byte == JSONByte.minus
      }
    }
    isInReach = exponent < Self.exponentLimit || first == end
    let places = point.map { end - $0 - 1 } ?? 0
    low = (isNegativeExponent ? -exponent : exponent) - places
    let holdsPoint = point.map { $0 > first } ?? false
    high = low + digits.count - (holdsPoint ? 1 : 0)
  }

  /// The digits from the last to the first, each less than ten.
  var digitsFromLow: [UInt8] {
    bytes[digits].reversed().filter { $0 != JSONByte.point }.map { $0 &- 0x30 }
  }

  /// Adds each digit to its column. The first column is worth ten to the power of `low`.
  func add(to columns: inout [Int], from low: Int) {
    var column = self.low - low
    for byte in bytes[digits].reversed() where byte != JSONByte.point {
      let digit = Int(byte - 0x30)
      columns[column] += isNegative ? -digit : digit
      column += 1
    }
  }
}
