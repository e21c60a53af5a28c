/// A problem at one place of a YAML text, and the way out.
package struct YAMLProblem: Error, Sendable, Hashable {
  /// One phrase without a period.
  package let message: String
  /// The bytes in question, counted in the whole text. May be empty.
  package let range: Range<Int>
  /// The kind of the problem.
  package let code: Code
  /// The place that this one repeats, of a duplicate key.
  package let first: Range<Int>?

  /// A problem at `range`, of the kind `code`.
  package init(_ message: String, range: Range<Int>, code: Code = .syntax, first: Range<Int>? = nil)
  {
    self.message = message
    self.range = range
    self.code = code
    self.first = first
  }

  /// Stable names of the problems.
  package enum Code: String, Sendable, Hashable, CaseIterable {
    /// The text breaks the grammar of YAML 1.2.2.
    case syntax = "yaml-syntax"
    /// The bytes are not UTF-8, or contain a control character (YAML 1.2.2 §5.1).
    case encoding = "yaml-encoding"
    /// The text has no document, or more than one.
    case documents = "yaml-documents"
    /// A value has no counterpart in JSON, such as a key that is a list.
    case notJSON = "yaml-not-json"
    /// Collections nest deeper than the limit.
    case depth = "yaml-depth"
    /// The text, or what its aliases stand for, is larger than the limit.
    case tooLarge = "yaml-too-large"
    /// A key appears twice in one mapping (YAML 1.2.2 §3.2.1.3). The document can still be read.
    case duplicateKey = "yaml-duplicate-key"
    /// `<<` merges a mapping. It comes from YAML 1.1, and other readers may ignore it.
    case mergeKey = "yaml-merge-key"
  }
}
