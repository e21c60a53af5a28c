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
    // Most are zero, and taking one apart is a division of 128 bits.
    if self == .zero { return 0 }
    let (seconds, attoseconds) = components
    return Int(seconds) * 1_000_000 + Int(attoseconds / 1_000_000_000_000)
  }

  /// In milliseconds, without the fraction.
  @inlinable
  package var wholeMilliseconds: Int {
    if self == .zero { return 0 }
    let (seconds, attoseconds) = components
    return Int(seconds) * 1000 + Int(attoseconds / 1_000_000_000_000_000)
  }
}
