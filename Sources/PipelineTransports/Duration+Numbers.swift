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
}
