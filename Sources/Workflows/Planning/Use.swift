public import JSONPaths

/// A place in a workflow that reads a value of the scope.
public struct Use: Sendable {
  /// What a reader asks of the step that it reads (language.md §2).
  public enum Mode: Sendable, Hashable {
    /// The value must be there: if its step was skipped or failed, the reader is skipped.
    case needs
    /// The reader only starts later; what is missing is absent.
    case waits
  }

  /// What is read, rooted at the scope.
  public let query: Query
  /// Where the query stands in the file, a template's with its braces.
  public let range: Range<Int>
  public let mode: Mode
  /// Where the value goes.
  public let site: Site
  /// Whether it is the whole string, so that the value keeps its type.
  public let isWhole: Bool

  init(query: Query, range: Range<Int>, mode: Mode, site: Site = .query, isWhole: Bool = false) {
    self.query = query
    self.range = range
    self.mode = mode
    self.site = site
    self.isWhole = isWhole
  }
}
