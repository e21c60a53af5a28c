/// A `{{reference}}` in a query. It is bound to a value when the query is evaluated, never pasted
/// as text.
public struct Binding: Sendable, Hashable {
  /// The singular query inside the braces, rooted at the scope.
  public let query: Query
  /// UTF-8 offsets in the parsed text, with the braces.
  public let range: Range<Int>
  /// The place of the value in an evaluation's cache.
  let slot: Int
}
