/// A `{{reference}}` in a query. It is bound to a value when the query is evaluated, never pasted
/// as text.
package struct Binding: Sendable, Hashable {
  /// The singular query inside the braces, rooted at the scope.
  package let query: Query
  /// UTF-8 offsets in the parsed text, with the braces.
  package let range: Range<Int>
  /// The place of the value in an evaluation's cache.
  let slot: Int
}
