/// A finding that an author silenced, and its place.
package struct Silencing {
  package let code: String
  package let codeRange: Range<Int>
  /// The object that holds the `$lint`.
  package let scope: Range<Int>
}
