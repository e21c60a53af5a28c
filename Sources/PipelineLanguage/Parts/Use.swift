package import PipelineJSONPaths

/// A place in a workflow that reads a value of the scope.
package struct Use: Sendable {
  /// A reader's demand on the step that it reads (language.md §2).
  package enum Mode: Sendable, Hashable {
    /// The value must be there: if its step was skipped or failed, the reader is skipped.
    case needs
    /// The reader only starts later. Missing values are absent.
    case waits
  }

  /// The query, rooted at the scope.
  package let query: Query
  /// Where the query is in the file, a template's with its braces.
  package let range: Range<Int>
  package let mode: Mode
  /// Where the value goes.
  package let site: Site
  /// Whether it is the whole string, so that the value keeps its type.
  package let isWhole: Bool

  init(query: Query, range: Range<Int>, mode: Mode, site: Site = .query, isWhole: Bool = false) {
    self.query = query
    self.range = range
    self.mode = mode
    self.site = site
    self.isWhole = isWhole
  }
}
