/// Why a text is not a query or a condition.
package struct QuerySyntaxError: Error, Sendable, Hashable {
  /// One phrase that names the thing and the way out.
  package let message: String
  /// UTF-8 offsets in the parsed text.
  package let range: Range<Int>
  /// What `range` should say instead, if that is known.
  package let fix: String?
  /// Whether `fix` is only one of the things that can be meant.
  package let isGuess: Bool

  package init(message: String, range: Range<Int>, fix: String? = nil, isGuess: Bool = false) {
    self.isGuess = isGuess
    self.message = message
    self.range = range
    self.fix = fix
  }
}
