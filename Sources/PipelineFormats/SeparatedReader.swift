internal import PipelineJSONText

/// Reads lines of fields, CSV (RFC 4180) or TSV, that arrive in pieces.
///
/// A row is an object with the names of the columns. A field of no bytes is absent. A line of no
/// bytes is passed over, unless the table has one column only.
///
/// A line that a piece ends in is read again when more of it is there. It is not tried before the
/// text is twice as long, so the time stays linear.
package struct SeparatedReader: Sendable {
  private let format: SeparatedFormat
  private let limit: Int
  /// `nil` if the header was not read yet, or rows are lists.
  private var columns: TableColumns?
  /// The text that was not read yet, and how long it must be for another try.
  private var rest: [UInt8] = []
  private var needed = 1
  /// The number of the first line of `rest`.
  private var line = 1
  private var isAtStart = true

  /// How much is read at once, so that it stays near the processor.
  private static let pieceSize = 1 << 16

  /// - Parameter limit: The greatest size of a row, in bytes.
  package init(_ format: SeparatedFormat, limit: Int = .max) {
    self.format = format
    self.limit = limit
    if !format.hasHeader, !format.columns.isEmpty {
      columns = TableColumns(format.columns.map { ($0.name, $0.type) })
    }
  }

  /// The names of the columns, once they are known.
  package var columnNames: [String]? { columns?.names }

  /// Reads the next piece.
  package mutating func read(_ piece: [UInt8], to rows: inout RowText) throws(FormatProblem) {
    var start = 0
    while start < piece.count {
      let end = min(piece.count, start + max(Self.pieceSize, needed - rest.count))
      rest += piece[start..<end]
      start = end
      if rest.count >= needed { try readLines(isWhole: false, to: &rows) }
    }
  }

  /// Reads what is left when no piece follows.
  package mutating func finish(to rows: inout RowText) throws(FormatProblem) {
    if !rest.isEmpty { try readLines(isWhole: true, to: &rows) }
  }

  private mutating func readLines(
    isWhole: Bool, to rows: inout RowText
  ) throws(FormatProblem) {
    let count = rest.count
    guard count >= 3 || isWhole || !isAtStart else { return }
    var text = rest
    rest = []
    text.append(contentsOf: repeatElement(0, count: SeparatedScan.padding))
    var problem: FormatProblem?
    let read = text.withUnsafeBufferPointer { text in
      do throws(FormatProblem) {
        return try readLines(text[part: 0..<count], isWhole: isWhole, to: &rows)
      } catch {
        problem = error
        return 0
      }
    }
    if let problem { throw problem }
    text.removeSubrange(count...)
    text.removeSubrange(..<read)
    rest = text
    if rest.count > limit {
      throw FormatProblem(
        "the row is larger than the \(limit) bytes allowed", line: line, column: 1)
    }
    needed = 2 * rest.count + 1
  }

  /// Reads the lines of a text, and returns how much of it was read.
  private mutating func readLines(
    _ text: UnsafeBufferPointer<UInt8>, isWhole: Bool, to rows: inout RowText
  ) throws(FormatProblem) -> Int {
    var scan = SeparatedScan(text, isWhole: isWhole, format, line: line)
    if isAtStart {
      isAtStart = false
      if text.starts(with: [0xEF, 0xBB, 0xBF]) { scan.position = 3 }
    }
    defer { line = scan.line }
    while columns == nil, format.hasHeader, scan.position < text.count {
      guard try readHeader(&scan) else { return scan.position }
    }
    var written = SeparatedRows(
      format, names: columns?.names ?? [], for: rows,
      isUTF8: (isWhole ? text : text.withoutCutSequence).firstFaultOfUTF8 == nil,
      capacity: 2 * text.count)
    var problem: FormatProblem?
    do throws(FormatProblem) {
      if let columns {
        try read(&scan, columns, to: &written)
      } else {
        while scan.position < text.count { guard try written.readList(&scan) else { break } }
      }
    } catch {
      problem = error
    }
    if let problem { throw problem }
    rows.append(rows: written.room.bytes, count: written.count)
    return scan.position
  }

  private func read(
    _ scan: inout SeparatedScan, _ columns: TableColumns, to rows: inout SeparatedRows
  ) throws(FormatProblem) {
    var problem: FormatProblem?
    columns.slots.withUnsafeBufferPointer { slots in
      columns.members.withUnsafeBufferPointer { members in
        guard let members = members.baseAddress else { return }
        do throws(FormatProblem) {
          while scan.position < scan.text.count {
            guard try rows.readObject(&scan, slots, members) else { return }
          }
        } catch {
          problem = error
        }
      }
    }
    if let problem { throw problem }
  }

  // MARK: Columns

  /// Reads the line with the names of the columns; `false`: the text ends in it.
  private mutating func readHeader(_ scan: inout SeparatedScan) throws(FormatProblem) -> Bool {
    var found: [(name: String, type: ColumnType?)] = []
    var names: Set<String> = []
    scan.beginLine()
    while true {
      guard try scan.readField() else {
        scan.leaveLine()
        return false
      }
      if found.isEmpty, scan.endsLine, scan.start == scan.end, !scan.hasQuotes {
        scan.finishLine()
        return true
      }
      let text = scan.hasEscapes ? scan.unescaped : Array(scan.field)
      guard let name = String(validating: text, as: UTF8.self) else {
        throw scan.problem("the name of the column is not text in UTF-8")
      }
      guard names.insert(name).inserted else {
        throw scan.problem(
          "two columns are called '\(name.excerpt)'; write \"header\": false and names as 'columns'"
        )
      }
      found.append((name, format.columns.first { $0.name == name }?.type))
      if scan.endsLine { break }
    }
    if let missing = format.columns.first(where: { !names.contains($0.name) }) {
      let known = found.prefix(20).map { "'\($0.name.excerpt)'" }.joined(separator: ", ")
      throw FormatProblem(
        "there is no column '\(missing.name)'; the columns are \(known)"
          + (found.count > 20 ? " and \(found.count - 20) more" : ""), line: scan.line, column: 1)
    }
    scan.finishLine()
    columns = TableColumns(found)
    return true
  }
}
