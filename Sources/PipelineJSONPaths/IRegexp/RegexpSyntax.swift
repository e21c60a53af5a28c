/// The structure of an I-Regexp (RFC 9485 §3).
indirect enum RegexpSyntax: Sendable, Hashable {
  /// Matches the empty text.
  case empty
  case scalars(ScalarSet)
  /// `^`: nothing, at the start of the text.
  case textStart
  /// `$`: nothing, at the end of the text.
  case textEnd
  case sequence([RegexpSyntax])
  case choice([RegexpSyntax])
  /// `most` is `nil` if there is no upper bound.
  case repetition(RegexpSyntax, least: Int, most: Int?)
  /// A group in parentheses. Only the first of a pattern is captured.
  case group(RegexpSyntax, number: Int)
}
