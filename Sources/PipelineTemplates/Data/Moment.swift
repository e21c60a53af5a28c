internal import PipelineByteText

/// A moment that a text of RFC 3339 names, `2026-01-31T09:05:00.25+01:00`, to be compared with others.
package struct Moment: Comparable {
  /// From 1970-01-01T00:00:00Z, leap seconds not counted.
  private let seconds: Int
  /// The digits of the fraction, without zeros at its end.
  private let fraction: [UInt8]

  /// `nil` if the text is not a date and a time with its offset.
  package init?(_ text: String) {
    let bytes = Array(text.utf8)
    guard bytes.count >= 20, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"),
      bytes[10] | 0x20 == UInt8(ascii: "t"), bytes[13] == UInt8(ascii: ":"),
      bytes[16] == UInt8(ascii: ":"), let year = Self.number(bytes[0..<4]),
      let month = Self.number(bytes[5..<7]), let day = Self.number(bytes[8..<10]),
      let days = CalendarDate.days(year: year, month: month, day: day),
      let hour = Self.number(bytes[11..<13]), let minute = Self.number(bytes[14..<16]),
      let second = Self.number(bytes[17..<19]), hour < 24, minute < 60, second <= 60
    else { return nil }
    var rest = bytes[19...]
    var digits: ArraySlice<UInt8> = []
    if rest.first == UInt8(ascii: ".") {
      digits = rest.dropFirst().prefix { (0x30...0x39).contains($0) }
      guard !digits.isEmpty else { return nil }
      rest = rest[digits.endIndex...]
    }
    guard let offset = Self.offset(rest) else { return nil }
    seconds = days * 86_400 + hour * 3600 + minute * 60 + second - offset
    while digits.last == 0x30 { digits.removeLast() }
    fraction = Array(digits)
  }

  /// Seconds east of UTC: of `Z`, `+01:00`.
  private static func offset(_ text: ArraySlice<UInt8>) -> Int? {
    if text.count == 1, text.first.map({ $0 | 0x20 }) == UInt8(ascii: "z") { return 0 }
    let bytes = Array(text)
    guard bytes.count == 6, bytes[0] == UInt8(ascii: "+") || bytes[0] == UInt8(ascii: "-"),
      bytes[3] == UInt8(ascii: ":"), let hour = number(bytes[1..<3]),
      let minute = number(bytes[4..<6]), hour < 24, minute < 60
    else { return nil }
    let seconds = hour * 3600 + minute * 60
    return bytes[0] == UInt8(ascii: "-") ? -seconds : seconds
  }

  private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
    var value = 0
    for digit in digits {
      guard (0x30...0x39).contains(digit) else { return nil }
      value = value * 10 + Int(digit - 0x30)
    }
    return value
  }

  package static func < (left: Moment, right: Moment) -> Bool {
    if left.seconds != right.seconds { return left.seconds < right.seconds }
    return left.fraction.lexicographicallyPrecedes(right.fraction)
  }
}
