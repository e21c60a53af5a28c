internal import PipelineJSONText

/// Writes the fields of lines as rows in JSON.
struct SeparatedRows: ~Copyable {
  let format: SeparatedFormat
  /// The names of the columns, for messages.
  private let names: [String]
  /// Whether the whole text is of UTF-8, so that no field has to be looked at.
  let isUTF8: Bool
  /// What ends a row, and what stands between two.
  private let separator: UInt8
  /// How many bytes the rows may have.
  private let limit: Int
  private(set) var count = 0
  var room: ByteRoom

  /// - Parameter rows: Where the rows are added afterwards.
  init(
    _ format: SeparatedFormat, names: [String], for rows: RowText, isUTF8: Bool, capacity: Int
  ) {
    self.format = format
    self.names = names
    separator = rows.separator
    limit = rows.room
    self.isUTF8 = isUTF8
    room = ByteRoom(capacity: capacity)
  }

  // MARK: Objects

  /// Reads a line as an object; `false`: the text ends in it.
  ///
  /// - Parameter members: `TableColumns.members`.
  @inline(__always)
  mutating func readObject(
    _ scan: inout SeparatedScan, _ slots: UnsafeBufferPointer<TableColumns.Slot>,
    _ members: UnsafePointer<UInt8>
  ) throws(FormatProblem) -> Bool {
    let mark = room.count
    scan.beginLine()
    var place = 0
    // The first member's comma is where the brace goes.
    var isEmpty = false
    room.reserve(2)
    while true {
      guard try scan.readField() else {
        room.goBack(to: mark)
        scan.leaveLine()
        return false
      }
      let isAbsent = scan.start == scan.end && !scan.hasQuotes
      if place == 0, isAbsent, scan.endsLine { isEmpty = true }
      if place >= slots.count {
        guard isEmpty, slots.isEmpty else {
          throw scan.problem("the row has more fields than the \(slots.count) columns")
        }
      } else {
        let slot = slots[place]
        if !(format.kind == .csv ? isAbsent : isAbsentInTSV(scan, slot.type)) {
          room.reserve(slot.length)
          room.put(members + slot.offset, slot.length)
          try append(scan, slot.type, place)
        }
      }
      place &+= 1
      if scan.endsLine { break }
    }
    scan.finishLine()
    guard !isEmpty || slots.count == 1 else {
      room.goBack(to: mark)
      return true
    }
    room.reserve(3)
    if room.count == mark { room.put(UInt8(ascii: "{")) }
    room.base[mark] = UInt8(ascii: "{")
    room.put(UInt8(ascii: "}"))
    room.put(separator)
    count &+= 1
    guard room.count <= limit else { throw scan.problem(RowText.growth) }
    return true
  }

  /// In TSV, `\N` is no value, and no bytes are an empty text, which is none of a type.
  private func isAbsentInTSV(_ scan: SeparatedScan, _ type: ColumnType?) -> Bool {
    scan.hasEscapes && scan.end - scan.start == 2
      && scan.text[scan.start + 1] == UInt8(ascii: "N")
      || scan.start == scan.end && type != nil && type != .string
  }

  // MARK: Lists

  /// Reads a line as a list, in which a field of no bytes is `null`; `false`: the text ends in it.
  mutating func readList(_ scan: inout SeparatedScan) throws(FormatProblem) -> Bool {
    let mark = room.count
    scan.beginLine()
    var isFirst = true
    while true {
      guard try scan.readField() else {
        room.goBack(to: mark)
        scan.leaveLine()
        return false
      }
      let isAbsent =
        format.kind == .csv
        ? scan.start == scan.end && !scan.hasQuotes : isAbsentInTSV(scan, nil)
      if isAbsent, isFirst, scan.endsLine {
        scan.finishLine()
        return true
      }
      room.reserve(1)
      room.put(isFirst ? UInt8(ascii: "[") : Byte.comma)
      if isAbsent {
        room.append(Array("null".utf8))
      } else {
        try append(scan, nil, 0)
      }
      isFirst = false
      if scan.endsLine { break }
    }
    scan.finishLine()
    room.reserve(2)
    room.put(UInt8(ascii: "]"))
    room.put(separator)
    count += 1
    guard room.count <= limit else { throw scan.problem(RowText.growth) }
    return true
  }

  // MARK: Values

  @inline(__always)
  private mutating func append(
    _ scan: SeparatedScan, _ type: ColumnType?, _ place: Int
  ) throws(FormatProblem) {
    let length = scan.end &- scan.start
    guard type == nil, !format.isTyped, !scan.needsEscapes, isUTF8 else {
      return try appendSlowly(scan, type, place)
    }
    room.reserve(length &+ 2)
    room.put(Byte.quote)
    room.put(scan.text.baseAddress.unsafelyUnwrapped + scan.start, length)
    room.put(Byte.quote)
  }

  @inline(never)
  private mutating func appendSlowly(
    _ scan: SeparatedScan, _ type: ColumnType?, _ place: Int
  ) throws(FormatProblem) {
    guard scan.hasEscapes else { return try append(scan.field, of: type, place, scan) }
    if format.kind == .csv, isUTF8, type == .string || type == nil && !format.isTyped {
      return room.append(quotedField: scan.field)
    }
    let text = scan.unescaped
    var problem: FormatProblem?
    text.withUnsafeBufferPointer { text in
      do throws(FormatProblem) {
        try append(text, of: type, place, scan)
      } catch {
        problem = error
      }
    }
    if let problem { throw problem }
  }

  private mutating func append(
    _ text: UnsafeBufferPointer<UInt8>, of type: ColumnType?, _ place: Int,
    _ scan: SeparatedScan
  ) throws(FormatProblem) {
    if !isUTF8, let fault = text.firstFaultOfUTF8 {
      throw scan.problem("byte \(fault + 1) of the field is not of a text in UTF-8")
    }
    if let type, type != .string {
      guard type.append(text.trimmed, to: &room) else {
        throw scan.problem(
          "'\(names[place].excerpt)' must be \(type.article), but is '\(text.excerpt)'")
      }
    } else if !format.isTyped || type == .string || !appendJSON(text, scan) {
      room.append(quoted: text)
    }
  }

  /// Writes a field that is JSON as that value. In quotes it is one only if it is a list or an
  /// object, which sinks can write in no other way.
  private mutating func appendJSON(
    _ text: UnsafeBufferPointer<UInt8>, _ scan: SeparatedScan
  ) -> Bool {
    guard let first = text.first else { return false }
    let isContainer = first == UInt8(ascii: "[") || first == UInt8(ascii: "{")
    guard isContainer || !scan.hasQuotes else { return false }
    switch first {
    case UInt8(ascii: "n"), UInt8(ascii: "t"), UInt8(ascii: "f"), UInt8(ascii: "-"), 0x30...0x39,
      UInt8(ascii: "["), UInt8(ascii: "{"):
      if text.isPlainInteger {
        room.append(text)
        return true
      }
      guard let value = try? JSONDocument.parse(Array(text)).root else { return false }
      room.append(value.onOneLine)
      return true
    default: return false
    }
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

  /// Whether it is a whole number in JSON, of digits alone.
  var isPlainInteger: Bool {
    guard count > 0, count < 19, self[0] != 0x30 || count == 1 else { return false }
    return allSatisfy { $0 &- 0x30 < 10 }
  }
}
