/// Reads the rows of a text in UTF-8 that arrives in pieces, in a format that gives rows.
package struct RowReader: Sendable {
  // One of them.
  private var separated: SeparatedReader?
  private var lines: LineReader?
  private var events: EventReader?

  /// - Parameter limit: The greatest size of a row, in bytes.
  /// - Returns: `nil` if the format gives no rows.
  package init?(_ format: BodyFormat, limit: Int = .max) {
    switch format {
    case .separated(let format): separated = SeparatedReader(format, limit: limit)
    case .lines: lines = LineReader(limit: limit)
    case .events: events = EventReader(limit: limit)
    case .json, .text, .xml: return nil
    }
  }

  /// The names of a table's columns, once its first line was read; `nil` if it has none.
  package var columnNames: [String]? { separated?.columnNames }

  /// Reads the next piece.
  package mutating func read(
    _ piece: [UInt8], to rows: inout RowText
  ) throws(FormatProblem) {
    try separated?.read(piece, to: &rows)
    try lines?.read(piece, to: &rows)
    try events?.read(piece, to: &rows)
  }

  /// Reads what is left when no piece follows. The rest of an event without an end is none.
  package mutating func finish(to rows: inout RowText) throws(FormatProblem) {
    try separated?.finish(to: &rows)
    try lines?.finish(to: &rows)
  }
}
