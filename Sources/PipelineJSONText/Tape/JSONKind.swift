/// The six kinds of value of RFC 8259 §3.
public enum JSONKind: String, Sendable, Hashable, CaseIterable {
  /// Members in braces.
  case object
  /// Elements in brackets.
  case array
  /// A text in quotes.
  case string
  /// A decimal number.
  case number
  /// `true` or `false`.
  case boolean
  /// `null`.
  case null
}
