/// Why a text is no query or condition.
public struct QuerySyntaxError: Error, Sendable, Hashable {
  /// One phrase that names the thing and the way out.
  public let message: String
  /// UTF-8 offsets in the parsed text.
  public let range: Range<Int>
  /// What `range` should say instead, where that is known.
  public let fix: String?

  public init(message: String, range: Range<Int>, fix: String? = nil) {
    self.message = message
    self.range = range
    self.fix = fix
  }
}
