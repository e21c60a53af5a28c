extension UInt8 {
  /// The value of a hex digit of either case.
  package var hexDigit: UInt8? {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
    default: nil
    }
  }

  package static let carriageReturn: UInt8 = 13
  package static let lineFeed: UInt8 = 10
}

extension String {
  /// Bytes as lower-case hex digits.
  package init(hex bytes: some Sequence<UInt8>) {
    let digits = Array("0123456789abcdef".utf8)
    var text: [UInt8] = []
    for byte in bytes {
      text.append(digits[Int(byte >> 4)])
      text.append(digits[Int(byte & 15)])
    }
    self = String(decoding: text, as: UTF8.self)
  }
}

extension [UInt8] {
  /// Appends the digits of a number that is not negative.
  package mutating func appendDecimal(_ value: Int) {
    if value >= 10 { appendDecimal(value / 10) }
    append(UInt8(ascii: "0") + UInt8(value % 10))
  }
}
