/// How the bytes of a body or a file become data.
package enum BodyFormat: Sendable, Hashable {
  case json
  case text
  case separated(SeparatedFormat)
  /// A JSON value on each line.
  case lines
  case xml(XMLFormat)
  /// Server-sent events.
  case events

  /// The word that chooses it.
  package var name: String {
    switch self {
    case .json: "json"
    case .text: "text"
    case .separated(let format): format.kind == .csv ? "csv" : "tsv"
    case .lines: "ndjson"
    case .xml: "xml"
    case .events: "sse"
    }
  }

  /// Whether what it gives is a list of rows.
  package var givesRows: Bool {
    switch self {
    case .separated, .lines, .events: true
    case .json, .text, .xml: false
    }
  }

  /// The rows of a whole text in UTF-8 as a JSON list; `nil` if the format gives none.
  ///
  /// - Parameter limit: How many bytes they may have.
  /// - Complexity: O(bytes).
  package func rows(of bytes: [UInt8], limit: Int = .max) throws(FormatProblem) -> [UInt8]? {
    guard var reader = RowReader(self) else { return nil }
    // What is not needed of it is never touched.
    var rows = RowText(.list, capacity: 2 * bytes.count, limit: limit)
    try reader.read(bytes, to: &rows)
    try reader.finish(to: &rows)
    return rows.list()
  }
}
