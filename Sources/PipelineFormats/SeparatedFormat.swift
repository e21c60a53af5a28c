/// How lines of fields are read.
package struct SeparatedFormat: Sendable, Hashable {
  package enum Kind: Sendable {
    /// RFC 4180: quotes around a field, two for a quote in it.
    case csv
    /// No quotes: `\t`, `\n`, `\r` and `\\` in a field, and `\N` for none.
    case tsv
  }

  /// A column and the type of its fields; `nil` if they are texts.
  package struct Column: Sendable, Hashable {
    package let name: String
    package let type: ColumnType?

    package init(name: String, type: ColumnType? = nil) {
      self.name = name
      self.type = type
    }
  }

  package var kind: Kind
  /// An ASCII character.
  package var delimiter: UInt8
  /// Whether the first line has the names of the columns.
  package var hasHeader = true
  /// With a header the types of some columns, else the names of all.
  package var columns: [Column] = []
  /// Whether a field that is JSON is that value, as sinks write it: a list or an object, and
  /// without quotes also a number, `true`, `false` and `null`.
  package var isTyped = false

  package init(_ kind: Kind) {
    self.kind = kind
    delimiter = kind == .csv ? Byte.comma : Byte.tab
  }
}
