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
  /// The columns by place; `nil`: the header was not read yet.
  private var columns: [Column]?
  /// The text that was not read yet, and how long it must be for another try.
  private var rest: [UInt8] = []
  private var needed = 1
  /// The number of the first line of `rest`.
  private var line = 1
  private var isAtStart = true
  /// The text of a field with its escapes undone.
  private var unescaped: [UInt8] = []

  private struct Column: Sendable {
    let name: String
    let type: ColumnType?
    /// `"name":`
    let member: [UInt8]
  }

  /// - Parameter limit: The greatest size of a row, in bytes.
  package init(_ format: SeparatedFormat, limit: Int = .max) {
    self.format = format
    self.limit = limit
    if !format.hasHeader, !format.columns.isEmpty {
      columns = format.columns.map { Self.column($0.name, $0.type) }
    }
  }

  private static func column(_ name: String, _ type: ColumnType?) -> Column {
    var writer = JSONWriter()
    writer.string(name)
    return Column(name: name, type: type, member: writer.bytes + [Byte.colon])
  }

  /// The names of the columns, once they are known.
  package var columnNames: [String]? { columns?.map(\.name) }

  // MARK: Pieces

  /// Reads the next piece.
  package mutating func read(
    _ piece: some Collection<UInt8>, to rows: inout RowText
  ) throws(FormatProblem) {
    rest += piece
    guard rest.count >= needed else { return }
    try readLines(isWhole: false, to: &rows)
  }

  /// Reads what is left when no piece follows.
  package mutating func finish(to rows: inout RowText) throws(FormatProblem) {
    try readLines(isWhole: true, to: &rows)
  }

  private mutating func readLines(
    isWhole: Bool, to rows: inout RowText
  ) throws(FormatProblem) {
    let text = rest
    let result = text.withUnsafeBufferPointer { text -> Result<Int, FormatProblem> in
      var scan = Scan(text: text, isWhole: isWhole)
      if isAtStart {
        guard text.count >= 3 || isWhole else { return .success(0) }
        isAtStart = false
        if text.starts(with: [0xEF, 0xBB, 0xBF]) { scan.position = 3 }
      }
      do throws(FormatProblem) {
        while scan.position < text.count {
          let start = scan.position
          guard try readLine(&scan, to: &rows) else {
            scan.position = start
            break
          }
          line += scan.lineBreaks
          scan.lineBreaks = 0
        }
        return .success(scan.position)
      } catch {
        return .failure(error)
      }
    }
    let read = try result.get()
    rest = []
    rest.reserveCapacity(text.count)
    rest += text[read...]
    if rest.count > limit {
      throw FormatProblem(
        "the row is larger than the \(limit) bytes allowed", line: line, column: 1)
    }
    needed = 2 * rest.count + 1
  }

  /// A place in a text that may go on.
  private struct Scan {
    let text: UnsafeBufferPointer<UInt8>
    let isWhole: Bool
    var position = 0
    /// Line ends passed since the start of the line.
    var lineBreaks = 0
  }

  /// A field as it is in the text.
  private struct Field {
    /// Without its quotes.
    var range: Range<Int>
    var hasQuotes = false
    /// Whether something in it stands for something else.
    var hasEscapes = false
    /// Whether it ends the line.
    var endsLine = false
  }

  // MARK: Lines

  /// Reads a line; `false`: the text ends in it.
  private mutating func readLine(
    _ scan: inout Scan, to rows: inout RowText
  ) throws(FormatProblem) -> Bool {
    let start = scan.position
    guard let columns else {
      guard format.hasHeader else { return try readList(&scan, to: &rows) }
      return try readHeader(&scan)
    }
    let (mark, count) = (rows.bytes.count, rows.count)
    var needsComma = false
    var place = 0
    var isEmpty = false
    rows.beginRow()
    rows.append(UInt8(ascii: "{"))
    while true {
      guard let field = try nextField(&scan, start) else {
        rows.goBack(to: mark, count: count)
        return false
      }
      if place == 0, field.endsLine, isAbsent(field), !field.hasQuotes { isEmpty = true }
      if place >= columns.count, !(isEmpty && columns.isEmpty) {
        throw problem(
          "the row has more fields than the \(columns.count) columns", field, scan, start)
      }
      if place < columns.count, !isAbsent(field, columns[place].type, scan.text) {
        if needsComma { rows.append(Byte.comma) }
        needsComma = true
        rows.append(columns[place].member)
        try append(field, of: columns[place], scan, start, to: &rows)
      }
      place += 1
      if field.endsLine { break }
    }
    if isEmpty, columns.count != 1 {
      rows.goBack(to: mark, count: count)
      return true
    }
    rows.append(UInt8(ascii: "}"))
    rows.endRow()
    return true
  }

  /// A row without names is a list, in which a field of no bytes is `null`.
  private mutating func readList(
    _ scan: inout Scan, to rows: inout RowText
  ) throws(FormatProblem) -> Bool {
    let start = scan.position
    let (mark, count) = (rows.bytes.count, rows.count)
    var isFirst = true
    rows.beginRow()
    rows.append(UInt8(ascii: "["))
    while true {
      guard let field = try nextField(&scan, start) else {
        rows.goBack(to: mark, count: count)
        return false
      }
      if !isFirst { rows.append(Byte.comma) }
      if isAbsent(field, nil, scan.text) {
        if isFirst, field.endsLine {
          rows.goBack(to: mark, count: count)
          return true
        }
        rows.append(Array("null".utf8))
      } else {
        try append(field, of: nil, scan, start, to: &rows)
      }
      isFirst = false
      if field.endsLine { break }
    }
    rows.append(UInt8(ascii: "]"))
    rows.endRow()
    return true
  }

  private mutating func readHeader(_ scan: inout Scan) throws(FormatProblem) -> Bool {
    let start = scan.position
    var found: [Column] = []
    var names: Set<String> = []
    while true {
      guard let field = try nextField(&scan, start) else { return false }
      if found.isEmpty, field.endsLine, field.range.isEmpty, !field.hasQuotes { return true }
      let text = try self.text(of: field, scan, start)
      guard let name = String(validating: text, as: UTF8.self) else {
        throw problem("the name of the column is not text in UTF-8", field, scan, start)
      }
      guard names.insert(name).inserted else {
        throw problem(
          "two columns are called '\(name)'; write \"header\": false and names as 'columns'",
          field, scan, start)
      }
      found.append(Self.column(name, format.columns.first { $0.name == name }?.type))
      if field.endsLine { break }
    }
    if let missing = format.columns.first(where: { !names.contains($0.name) }) {
      let known = found.map { "'\($0.name)'" }.joined(separator: ", ")
      throw FormatProblem(
        "there is no column '\(missing.name)'; the columns are \(known)", line: line, column: 1)
    }
    columns = found
    return true
  }

  // MARK: Fields

  /// The next field, and passes what ends it; `nil`: the text ends in it, or may go on.
  @inline(__always)
  private func nextField(_ scan: inout Scan, _ start: Int) throws(FormatProblem) -> Field? {
    let text = scan.text
    if format.kind == .csv, scan.position < text.count, text[scan.position] == Byte.quote {
      return try quotedField(&scan, start)
    }
    let first = scan.position
    var position = first
    var hasEscapes = false
    let special = format.kind == .csv ? Byte.quote : Byte.backslash
    let delimiter = format.delimiter
    while position < text.count {
      let byte = text[position]
      if byte == delimiter || byte == Byte.lineFeed || byte == Byte.carriageReturn { break }
      if byte == special {
        guard format.kind == .tsv else {
          throw FormatProblem(
            "a quote is in a field without quotes; a field with a quote is in quotes, and its quote"
              + " is written twice", at: position - start, of: text[part: start..<text.count],
            firstLine: line)
        }
        hasEscapes = true
      }
      position += 1
    }
    let field = Field(range: first..<position, hasEscapes: hasEscapes)
    return end(field, at: position, &scan)
  }

  private func quotedField(_ scan: inout Scan, _ start: Int) throws(FormatProblem) -> Field? {
    let text = scan.text
    let first = scan.position + 1
    var position = first
    var hasEscapes = false
    while true {
      guard position < text.count else {
        guard scan.isWhole else { return nil }
        throw FormatProblem(
          "the field that begins here has no quote at its end", at: first - 1 - start,
          of: text[part: start..<text.count], firstLine: line)
      }
      switch text[position] {
      case Byte.quote:
        guard position + 1 < text.count || scan.isWhole else { return nil }
        if position + 1 < text.count, text[position + 1] == Byte.quote {
          hasEscapes = true
          position += 2
          continue
        }
        let field = Field(range: first..<position, hasQuotes: true, hasEscapes: hasEscapes)
        let next = position + 1
        if next < text.count, text[next] != format.delimiter, !Byte.isLineEnd(text[next]) {
          throw FormatProblem(
            "something follows the quote that ends a field; a quote in a field is written twice",
            at: next - start, of: text[part: start..<text.count], firstLine: line)
        }
        return end(field, at: next, &scan)
      case Byte.lineFeed: scan.lineBreaks += 1
      case Byte.carriageReturn where position + 1 < text.count:
        if text[position + 1] != Byte.lineFeed { scan.lineBreaks += 1 }
      default: break
      }
      position += 1
    }
  }

  /// Passes the delimiter or line end at a place; `nil`: the text may go on there.
  @inline(__always)
  private func end(_ field: Field, at position: Int, _ scan: inout Scan) -> Field? {
    var field = field
    let text = scan.text
    guard position < text.count else {
      guard scan.isWhole else { return nil }
      field.endsLine = true
      scan.position = position
      return field
    }
    scan.position = position + 1
    if text[position] == format.delimiter { return field }
    field.endsLine = true
    scan.lineBreaks += 1
    guard text[position] == Byte.carriageReturn else { return field }
    guard position + 1 < text.count else { return scan.isWhole ? field : nil }
    if text[position + 1] == Byte.lineFeed { scan.position = position + 2 }
    return field
  }

  private func isAbsent(_ field: Field) -> Bool { field.range.isEmpty && !field.hasQuotes }

  /// In TSV, `\N` is no value, and no bytes are an empty text, which is none of a type.
  @inline(__always)
  private func isAbsent(
    _ field: Field, _ type: ColumnType?, _ text: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    switch format.kind {
    case .csv: isAbsent(field)
    case .tsv:
      field.hasEscapes && field.range.count == 2
        && text[field.range.lowerBound + 1] == UInt8(ascii: "N")
        || field.range.isEmpty && type != nil && type != .string
    }
  }

  private mutating func append(
    _ field: Field, of column: Column?, _ scan: Scan, _ start: Int, to rows: inout RowText
  ) throws(FormatProblem) {
    if field.hasEscapes {
      let bytes = try text(of: field, scan, start)
      let result = bytes.withUnsafeBufferPointer { text in
        Result { () throws(FormatProblem) in
          try append(text, field, of: column, scan, start, to: &rows)
        }
      }
      return try result.get()
    }
    try append(scan.text[part: field.range], field, of: column, scan, start, to: &rows)
  }

  @inline(__always)
  private func append(
    _ text: UnsafeBufferPointer<UInt8>, _ field: Field, of column: Column?, _ scan: Scan,
    _ start: Int, to rows: inout RowText
  ) throws(FormatProblem) {
    if let fault = text.firstFaultOfUTF8 {
      throw problem("byte \(fault + 1) of the field is not of a text in UTF-8", field, scan, start)
    }
    if let column, let type = column.type, type != .string {
      guard type.append(text.trimmed, to: &rows) else {
        throw problem(
          "'\(column.name)' must be \(type.article), but is '\(text.excerpt)'", field, scan, start)
      }
    } else if !format.isTyped || column?.type == .string || !appendJSON(text, field, to: &rows) {
      rows.append(quoted: text)
    }
  }

  /// Writes a field that is JSON as that value. In quotes it is one only if it is a list or an
  /// object, which sinks can write in no other way.
  private func appendJSON(
    _ text: UnsafeBufferPointer<UInt8>, _ field: Field, to rows: inout RowText
  ) -> Bool {
    guard let first = text.first else { return false }
    let isContainer = first == UInt8(ascii: "[") || first == UInt8(ascii: "{")
    guard isContainer || !field.hasQuotes else { return false }
    switch first {
    case UInt8(ascii: "n"), UInt8(ascii: "t"), UInt8(ascii: "f"), UInt8(ascii: "-"), 0x30...0x39,
      UInt8(ascii: "["), UInt8(ascii: "{"):
      guard let value = try? JSONDocument.parse(Array(text)).root else { return false }
      rows.append(line: value)
      return true
    default: return false
    }
  }

  /// The text of a field with its escapes undone.
  private func text(
    of field: Field, _ scan: Scan, _ start: Int
  ) throws(FormatProblem) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(field.range.count)
    var position = field.range.lowerBound
    while position < field.range.upperBound {
      let byte = scan.text[position]
      position += 1
      if format.kind == .csv {
        if byte == Byte.quote { position += 1 }
        bytes.append(byte)
        continue
      }
      guard byte == Byte.backslash, position < field.range.upperBound else {
        bytes.append(byte)
        continue
      }
      switch scan.text[position] {
      case UInt8(ascii: "t"): bytes.append(Byte.tab)
      case UInt8(ascii: "n"): bytes.append(Byte.lineFeed)
      case UInt8(ascii: "r"): bytes.append(Byte.carriageReturn)
      case Byte.backslash: bytes.append(Byte.backslash)
      // Other programs escape nothing, and a backslash is one.
      default: bytes += [byte, scan.text[position]]
      }
      position += 1
    }
    return bytes
  }

  private func problem(
    _ message: String, _ field: Field, _ scan: Scan, _ start: Int
  ) -> FormatProblem {
    let first = field.range.lowerBound - (field.hasQuotes ? 1 : 0)
    return FormatProblem(
      message, at: first - start, of: scan.text[part: start..<scan.text.count], firstLine: line)
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Without blanks at its ends.
  fileprivate var trimmed: UnsafeBufferPointer<UInt8> {
    var (start, end) = (0, count)
    while start < end, Byte.isBlank(self[start]) { start += 1 }
    while end > start, Byte.isBlank(self[end - 1]) { end -= 1 }
    return self[part: start..<end]
  }

  /// The first characters, for a message.
  fileprivate var excerpt: String { count <= 60 ? text : text.prefix(59) + "…" }
}
