internal import PipelineJSONText

/// Reads JSON values that arrive in pieces, one on each line (NDJSON, JSON Lines).
///
/// Lines of white space are passed over.
package struct LineReader: Sendable {
  private let limit: Int
  /// The beginning of a line whose end has not come.
  private var rest: [UInt8] = []
  private var line = 1

  /// - Parameter limit: The greatest size of a row, in bytes.
  package init(limit: Int = .max) { self.limit = limit }

  /// Reads the next piece.
  package mutating func read(_ piece: [UInt8], to rows: inout RowText) throws(FormatProblem) {
    var problem: FormatProblem?
    piece.withUnsafeBufferPointer { piece in
      do throws(FormatProblem) {
        try read(piece, to: &rows)
      } catch {
        problem = error
      }
    }
    if let problem { throw problem }
  }

  private mutating func read(
    _ piece: UnsafeBufferPointer<UInt8>, to rows: inout RowText
  ) throws(FormatProblem) {
    var start = 0
    while start < piece.count {
      let end = piece.place(of: Byte.lineFeed, or: Byte.lineFeed, from: start)
      let part = piece[part: start..<end]
      guard rest.count + part.count <= limit else { throw tooLarge }
      guard end < piece.count else {
        rest += part
        return
      }
      if rest.isEmpty {
        try append(part, to: &rows)
      } else {
        rest += part
        try appendRest(to: &rows)
      }
      start = end + 1
      line += 1
    }
  }

  /// Reads what is left when no piece follows.
  package mutating func finish(to rows: inout RowText) throws(FormatProblem) {
    try appendRest(to: &rows)
  }

  private mutating func appendRest(to rows: inout RowText) throws(FormatProblem) {
    var problem: FormatProblem?
    rest.withUnsafeBufferPointer { text in
      do throws(FormatProblem) {
        try append(text, to: &rows)
      } catch {
        problem = error
      }
    }
    if let problem { throw problem }
    rest.removeAll(keepingCapacity: rest.count < 1 << 20)
  }

  private var tooLarge: FormatProblem {
    FormatProblem("the row is larger than the \(limit) bytes allowed", line: line, column: 1)
  }

  private func append(
    _ text: UnsafeBufferPointer<UInt8>, to rows: inout RowText
  ) throws(FormatProblem) {
    var (start, end) = (0, text.count)
    if line == 1, text.starts(with: [0xEF, 0xBB, 0xBF]) { start = 3 }
    let isBlank = { (byte: UInt8) in Byte.isBlank(byte) || byte == Byte.carriageReturn }
    while end > start, isBlank(text[end - 1]) { end -= 1 }
    while start < end, isBlank(text[start]) { start += 1 }
    guard start < end else { return }
    let value = text[part: start..<end]
    if !PlainJSON.recognises(value) { try check(value) }
    rows.beginRow()
    // A carriage return is white space in JSON, and does not end a line.
    rows.append(raw: value)
    rows.endRow()
  }

  private func check(_ value: UnsafeBufferPointer<UInt8>) throws(FormatProblem) {
    do throws(JSONSyntaxError) {
      _ = try JSONDocument.parse(Array(value))
    } catch {
      throw FormatProblem(error.message, at: error.range.lowerBound, of: value, firstLine: line)
    }
  }
}
