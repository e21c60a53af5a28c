internal import PipelineByteText

extension Duration {
  /// In seconds, with the precision of a Double.
  @inlinable
  package var seconds: Double {
    let (seconds, attoseconds) = components
    return Double(seconds) + Double(attoseconds) * 1e-18
  }

  /// In microseconds, without the fraction.
  @inlinable
  package var wholeMicroseconds: Int {
    Int(wholeParts(of: 1_000_000_000_000))
  }

  /// In milliseconds, without the fraction.
  @inlinable
  package var wholeMilliseconds: Int {
    Int(wholeParts(of: 1_000_000_000_000_000))
  }

  /// How many times `unit` attoseconds fit into this duration. Most are short, and a division of
  /// 128 bits takes ten times as long as one of 64.
  @inlinable
  package func wholeParts(of unit: Int64) -> Int128 {
    let all = attoseconds
    return if let few = Int64(exactly: all) { Int128(few / unit) } else { all / Int128(unit) }
  }

  /// Seconds as a JSON number, to the microsecond.
  package var jsonSeconds: String {
    let (seconds, attoseconds) = components
    let microseconds = abs(attoseconds) / 1_000_000_000_000
    let sign = seconds < 0 || attoseconds < 0 ? "-" : ""
    guard microseconds != 0 else { return seconds == 0 ? "0" : sign + String(abs(seconds)) }
    var fraction = String(microseconds)
    fraction = String(repeating: "0", count: 6 - fraction.utf8.count) + fraction
    while fraction.hasSuffix(bytes: "0") { fraction.removeLast() }
    return "\(sign)\(abs(seconds)).\(fraction)"
  }
}
