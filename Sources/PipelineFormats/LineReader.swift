internal import PipelineJSONText

/// Reads JSON values that arrive in pieces, one on each line (NDJSON, JSON Lines).
///
/// Lines of white space are passed over.
package struct LineReader: Sendable {
  private let limit: Int
  /// The text that was not read yet, and how much of it has no line end.
  private var rest: [UInt8] = []
  private var searched = 0
  private var line = 1

  /// - Parameter limit: The greatest size of a row, in bytes.
  package init(limit: Int = .max) { self.limit = limit }

  /// Reads the next piece.
  package mutating func read(
    _ piece: some Collection<UInt8>, to rows: inout RowText
  ) throws(FormatProblem) {
    rest += piece
    var start = 0
    while let end = nextLineEnd(from: max(start, searched)) {
      try append(start..<end, to: &rows)
      start = end + 1
      searched = start
      line += 1
    }
    if start > 0 { rest.removeSubrange(..<start) }
    searched = rest.count
    if searched > limit { throw tooLarge }
  }

  /// Reads what is left when no piece follows.
  package mutating func finish(to rows: inout RowText) throws(FormatProblem) {
    try append(0..<rest.count, to: &rows)
    rest = []
    searched = 0
  }

  private func nextLineEnd(from start: Int) -> Int? {
    rest.withUnsafeBufferPointer { text in
      var index = start
      while index < text.count {
        if text[index] == Byte.lineFeed { return index }
        index += 1
      }
      return nil
    }
  }

  private var tooLarge: FormatProblem {
    FormatProblem("the row is larger than the \(limit) bytes allowed", line: line, column: 1)
  }

  private func append(_ range: Range<Int>, to rows: inout RowText) throws(FormatProblem) {
    if range.count > limit { throw tooLarge }
    var range = range
    if line == 1, rest[range].starts(with: [0xEF, 0xBB, 0xBF]) {
      range = range.lowerBound + 3..<range.upperBound
    }
    let isBlank = { (byte: UInt8) in Byte.isBlank(byte) || byte == Byte.carriageReturn }
    while let last = rest[range].last, isBlank(last) { range = range.dropLast() }
    while let first = rest[range].first, isBlank(first) { range = range.dropFirst() }
    guard !range.isEmpty else { return }
    let text = Array(rest[range])
    do throws(JSONSyntaxError) {
      _ = try JSONDocument.parse(text)
    } catch {
      let place = text.withUnsafeBufferPointer {
        FormatProblem(error.message, at: error.range.lowerBound, of: $0, firstLine: line)
      }
      throw place
    }
    rows.beginRow()
    // A carriage return is white space to JSON, and ends no line of ours.
    rows.append(text)
    rows.endRow()
  }
}
