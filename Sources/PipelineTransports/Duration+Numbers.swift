extension Duration {
  /// In seconds, with the precision of a Double.
  @inlinable
  package var seconds: Double {
    Double(components.seconds) + Double(components.attoseconds) * 1e-18
  }

  /// In microseconds, without the fraction.
  @inlinable
  package var wholeMicroseconds: Int {
    Int(components.seconds) * 1_000_000 + Int(components.attoseconds / 1_000_000_000_000)
  }

  /// In milliseconds, without the fraction.
  @inlinable
  package var wholeMilliseconds: Int {
    Int(components.seconds) * 1000 + Int(components.attoseconds / 1_000_000_000_000_000)
  }
}
