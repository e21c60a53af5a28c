/// Finds secret numbers in other spellings: `1234567.50`, `1.2345675e6` and `1,234,567.5` are one.
struct NumeralIndex: Sendable {
  private var known: Set<Numeral> = []

  var isEmpty: Bool { known.isEmpty }

  /// Adds a secret, if it is a number.
  mutating func insert(_ secret: [UInt8]) {
    guard let numeral = Numeral(secret[...]) else { return }
    known.insert(numeral)
    // The result of a program that has at most 64 bits for a number.
    if let double = Double(String(decoding: secret, as: UTF8.self)), double.isFinite,
      let rounded = Numeral(Array(double.description.utf8)[...])
    {
      known.insert(rounded)
    }
  }

  /// Calls `body` with the place of each secret number in `text`.
  ///
  /// - Complexity: O(bytes).
  func forEachMatch(in text: [UInt8], _ body: (Range<Int>) -> Void) {
    guard !isEmpty else { return }
    var index = 0
    while index < text.count {
      guard Numeral.isDigit(text[index]) else {
        index += 1
        continue
      }
      var end = index + 1
      while end < text.count, Numeral.mayContinue(text, at: end) { end += 1 }
      while !Numeral.isDigit(text[end - 1]) { end -= 1 }
      if let numeral = Numeral(text[index..<end]), known.contains(numeral) { body(index..<end) }
      index = end
    }
  }
}

/// A decimal number by its value: its digits without zeros at either end, and a power of ten.
private struct Numeral: Hashable {
  private var digits: [UInt8] = []
  private var exponent = 0

  static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }

  /// Whether a number may go on: with digits, a point, a separator of thousands, an exponent.
  static func mayContinue(_ text: [UInt8], at index: Int) -> Bool {
    let (byte, last) = (text[index], text[index - 1])
    if isDigit(byte) { return true }
    switch byte {
    case UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "e"), UInt8(ascii: "E"):
      return isDigit(last)
    case UInt8(ascii: ","):
      // Else it is between two numbers.
      let group = text[(index + 1)...].prefix(4).prefix(while: isDigit)
      return isDigit(last) && group.count == 3
    case UInt8(ascii: "+"), UInt8(ascii: "-"): return last | 0x20 == UInt8(ascii: "e")
    default: return false
    }
  }

  init?(_ text: ArraySlice<UInt8>) {
    var rest = text
    if rest.first == UInt8(ascii: "-") { rest.removeFirst() }
    guard let first = rest.first, Self.isDigit(first) else { return nil }
    var isFraction = false
    while let byte = rest.popFirst() {
      if Self.isDigit(byte) {
        digits.append(byte)
        if isFraction { exponent -= 1 }
      } else if byte == UInt8(ascii: "."), !isFraction {
        isFraction = true
      } else if byte | 0x20 == UInt8(ascii: "e") {
        guard let power = Int(String(decoding: rest, as: UTF8.self)), abs(power) < 1 << 32 else {
          return nil
        }
        exponent += power
        break
      } else if isFraction || byte != UInt8(ascii: ",") && byte != UInt8(ascii: "_") {
        return nil
      }
    }
    while digits.last == 0x30 {
      digits.removeLast()
      exponent += 1
    }
    digits = Array(digits.drop { $0 == 0x30 })
    guard !digits.isEmpty else { return nil }
  }
}
