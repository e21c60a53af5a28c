public import JSONPaths
public import JSONText

// Stands in until data templates land; whoever lands them deletes this file.

public struct DataTemplate: Sendable {
  public struct Use: Sendable {
    public let query: Query
    public let range: Range<Int>
    /// Written as a query, `$.…`, rather than in a template's braces.
    public let isQuery: Bool
  }

  /// Every reference and query, in the order written, by its range in the file.
  public var uses: [Use] { [] }
  /// The query, where the whole value is one `{{reference}}` or one query.
  public var wholeReference: Query? { nil }

  /// Writes the value; returns false, and writes nothing, where it is absent.
  public func write(
    to writer: inout JSONWriter, from source: any DataSource
  ) throws(DataError) -> Bool {
    false
  }

  /// Writes the value as the member of an object; nothing where it is absent.
  public func write(
    member name: String, to writer: inout JSONWriter, from source: any DataSource
  ) throws(DataError) {
  }
}

/// What a data template reads: the scope (references, queries) and files.
public protocol DataSource {}

public struct DataError: Error {
  public let message: String
  /// Where in the file.
  public let range: Range<Int>
}
