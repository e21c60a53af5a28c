package import PipelineJSONText

/// Rows as lines of fields: CSV by RFC 4180, or TSV.
///
/// In CSV a field without quotes is a JSON literal if it reads as one, otherwise a text. A text that
/// would read as a literal, or is empty, has quotes. A field of no bytes is null, or absent: nearly all
/// readers take it for NULL, and the word for a text.
///
/// In TSV the characters that end a field are written as `\t`, `\n`, `\r`, and a backslash as `\\`.
/// `\N` is null, or absent.
package struct SeparatedValues: Sendable {
  package enum Form: Sendable {
    case csv, tsv
  }

  package let columns: Columns
  private let form: Form
  /// The ASCII character between two fields.
  private let separator: UInt8
  private var cells: [JSONNode?]
  private var writer = JSONWriter()

  /// - Parameter delimiter: The ASCII character between two fields of CSV.
  package init(_ form: Form, _ columns: Columns, delimiter: UInt8 = UInt8(ascii: ",")) {
    self.form = form
    separator = form == .csv ? delimiter : 0x09
    self.columns = columns
    cells = Array(repeating: nil, count: columns.list.count)
  }

  /// Writes the names of the columns, if there are any.
  package func writeHeader(to bytes: inout [UInt8]) {
    if columns.list.isEmpty { return }
    for (position, column) in columns.list.enumerated() {
      if position > 0 { bytes.append(separator) }
      append(Array(column.name.utf8)[...], to: &bytes, isQuoted: false)
    }
    endLine(&bytes)
  }

  /// Writes a row.
  package mutating func write(_ row: JSONNode, to bytes: inout [UInt8]) {
    columns.read(row, into: &cells)
    for position in cells.indices {
      if position > 0 { bytes.append(separator) }
      append(cells[position], to: &bytes)
    }
    endLine(&bytes)
  }

  private func endLine(_ bytes: inout [UInt8]) {
    if form == .csv { bytes.append(0x0D) }
    bytes.append(0x0A)
  }

  private mutating func append(_ value: JSONNode?, to bytes: inout [UInt8]) {
    guard let value else {
      if form == .tsv { bytes += Self.nothing }
      return
    }
    switch value.kind {
    case .null: if form == .tsv { bytes += Self.nothing }
    case .boolean, .number: bytes += value.utf8
    case .string:
      value.document.withUTF8(at: value.index) { text in
        append(text, to: &bytes, isQuoted: form == .csv && Self.readsAsLiteral(text))
      }
    case .array, .object:
      writer.reset()
      writer.value(value)
      append(writer.bytes[...], to: &bytes, isQuoted: false)
    }
  }

  private static let nothing = Array(#"\N"#.utf8)

  /// Whether a text without quotes would be taken for something else, or lose a blank.
  private static func readsAsLiteral(_ text: ArraySlice<UInt8>) -> Bool {
    guard let first = text.first, let last = text.last else { return true }
    switch first {
    case UInt8(ascii: "n"), UInt8(ascii: "t"), UInt8(ascii: "f"):
      return text.elementsEqual("null".utf8) || text.elementsEqual("true".utf8)
        || text.elementsEqual("false".utf8)
    case UInt8(ascii: "-"), 0x30...0x39:
      return JSONNumber(String(decoding: text, as: UTF8.self)) != nil || last == 0x20
    case UInt8(ascii: "["), UInt8(ascii: "{"), 0x20, 0x09: return true
    default: return last == 0x20 || last == 0x09
    }
  }

  private func append(_ text: ArraySlice<UInt8>, to bytes: inout [UInt8], isQuoted: Bool) {
    switch form {
    case .csv: appendCSV(text, to: &bytes, isQuoted: isQuoted)
    case .tsv: appendTSV(text, to: &bytes)
    }
  }

  private func appendCSV(_ text: ArraySlice<UInt8>, to bytes: inout [UInt8], isQuoted: Bool) {
    let quote = UInt8(ascii: "\"")
    let needsQuotes =
      isQuoted
      || text.contains { $0 == quote || $0 == separator || $0 == 0x0A || $0 == 0x0D }
    guard needsQuotes else {
      bytes += text
      return
    }
    bytes.append(quote)
    for byte in text {
      if byte == quote { bytes.append(quote) }
      bytes.append(byte)
    }
    bytes.append(quote)
  }

  private func appendTSV(_ text: ArraySlice<UInt8>, to bytes: inout [UInt8]) {
    let backslash = UInt8(ascii: "\\")
    for byte in text {
      switch byte {
      case 0x09: bytes += [backslash, UInt8(ascii: "t")]
      case 0x0A: bytes += [backslash, UInt8(ascii: "n")]
      case 0x0D: bytes += [backslash, UInt8(ascii: "r")]
      case backslash: bytes += [backslash, backslash]
      default: bytes.append(byte)
      }
    }
  }
}
