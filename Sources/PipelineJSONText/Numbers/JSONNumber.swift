/// A number with its digits as written. Comparing, hashing and `int` are exact at any length. So
/// `1.0 == 1` and `1e2 == 100`, and integers past 2⁵³ or 30-digit decimals that differ in their
/// last digit differ.
public struct JSONNumber: Sendable, Hashable, Comparable, CustomStringConvertible {
  package let utf8: [UInt8]

  /// - Parameter text: A number as JSON has it, such as `1.50` or `1e400`.
  /// - Returns: `nil` if the text is not a number by RFC 8259 §6.
  public init?(_ text: String) {
    let utf8 = Array(text.utf8)
    guard NumberGrammar.length(of: utf8[...]) == utf8.count, !utf8.isEmpty else { return nil }
    self.utf8 = utf8
  }

  /// A number with the digits of an integer.
  public init(_ value: some BinaryInteger) { utf8 = Array(String(value).utf8) }

  /// - Parameter utf8: A number by the grammar, as on the tape.
  init(checked utf8: ArraySlice<UInt8>) { self.utf8 = Array(utf8) }

  /// The number as written.
  public var text: String { String(decoding: utf8, as: UTF8.self) }
  /// The number as written, the same as `text`.
  public var description: String { text }

  /// The value if it is an integer that fits 64 bits, even if it is written `1.0` or `1e2`.
  public var int: Int? { decimal.int }

  /// The nearest double; ±infinity beyond the largest.
  public var double: Double { Double(text) ?? .nan }

  /// Whether the value has no fraction: `1`, `1.0`, `1e2`.
  public var isInteger: Bool { decimal.isInteger }

  var decimal: DecimalValue { DecimalValue(utf8[...]) }

  /// Whether two numbers have the same value, compared exactly.
  public static func == (left: JSONNumber, right: JSONNumber) -> Bool {
    left.decimal.compared(to: right.decimal) == 0
  }

  /// Whether the value of one number is less than that of another, compared exactly.
  public static func < (left: JSONNumber, right: JSONNumber) -> Bool {
    left.decimal.compared(to: right.decimal) < 0
  }

  /// Hashes the value, so that `1.0` and `1` have one hash.
  public func hash(into hasher: inout Hasher) { decimal.hash(into: &hasher) }
}
