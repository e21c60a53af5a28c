internal import PipelineJSONText

/// Rows as JSON text: a list, or a line for each.
package struct RowText: Sendable {
  package enum Form: Sendable {
    case list, lines
  }

  package private(set) var bytes: [UInt8] = []
  /// The number of rows that have ended.
  package private(set) var count = 0
  private let form: Form
  private let limit: Int

  /// - Parameter limit: How many bytes the rows may have. A short line can make a long row, because
  ///   the names of columns, or an event's `id`, are written in each one.
  package init(_ form: Form, capacity: Int = 0, limit: Int = .max) {
    self.form = form
    self.limit = limit
    bytes.reserveCapacity(capacity)
    if form == .list { bytes.append(UInt8(ascii: "[")) }
  }

  /// The rows as one list.
  package consuming func list() -> [UInt8] {
    bytes.append(UInt8(ascii: "]"))
    return bytes
  }

  /// Takes the lines so far. Further rows follow them.
  package mutating func takeLines() -> [UInt8] {
    defer { bytes.removeAll(keepingCapacity: true) }
    return bytes
  }

  /// How many bytes the rows have.
  package var size: Int { bytes.count }

  /// How many more bytes there may be.
  var room: Int { limit - bytes.count }

  /// How many bytes the rows of a body may have that may have `limit` bytes.
  static func limit(ofBody limit: Int) -> Int {
    let (most, isOver) = limit.multipliedReportingOverflow(by: 16)
    return isOver ? .max : most
  }

  /// How many more bytes there may be of rows that are read in pieces.
  ///
  /// - Parameters:
  ///   - read: How many bytes of text were read, those of the next piece included.
  ///   - written: How many bytes the rows have so far.
  package static func limit(read: Int, written: Int) -> Int {
    (64 << 20) &+ 64 &* read &- written
  }

  static let growth =
    "the rows take far more room than the text, because long names are written in each of them"

  /// What stands behind a row, between it and the next.
  var separator: UInt8 { form == .list ? Byte.comma : Byte.lineFeed }

  /// Adds rows, each with the separator behind it.
  mutating func append(rows text: UnsafeBufferPointer<UInt8>, count more: Int) {
    guard more > 0 else { return }
    beginRow()
    bytes += form == .list ? text[part: 0..<text.count - 1] : text
    count += more
  }

  @inline(__always)
  mutating func beginRow() {
    if form == .list, count > 0 { bytes.append(Byte.comma) }
  }

  @inline(__always)
  mutating func endRow() {
    count += 1
    if form == .lines { bytes.append(Byte.lineFeed) }
  }

  mutating func append(_ text: [UInt8]) { bytes += text }
  @inline(__always) mutating func append(_ byte: UInt8) { bytes.append(byte) }
  @inline(__always) mutating func append(raw text: UnsafeBufferPointer<UInt8>) { bytes += text }
  @inline(__always) mutating func append(raw text: StaticString) {
    bytes += UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
  }

  /// A JSON string. The text is UTF-8.
  mutating func append(quoted text: UnsafeBufferPointer<UInt8>) {
    bytes.append(quoted: text)
  }
}

extension JSONNode {
  /// The text of the value without line ends.
  package var onOneLine: [UInt8] {
    guard utf8.contains(where: Byte.isLineEnd) else { return Array(utf8) }
    var writer = JSONWriter(style: .compact)
    writer.value(self)
    return writer.bytes
  }
}

extension [UInt8] {
  /// Adds a text as a JSON string, with the escapes that RFC 8259 §7 demands.
  mutating func append(quoted text: UnsafeBufferPointer<UInt8>) {
    append(Byte.quote)
    append(escaped: text)
    append(Byte.quote)
  }

  /// Adds a text as the inside of a JSON string.
  mutating func append(escaped text: UnsafeBufferPointer<UInt8>) {
    var start = 0
    while true {
      let place = text.placeInString(from: start)
      append(contentsOf: text[part: start..<place])
      guard place < text.count else { return }
      append(escape: text[place])
      start = place + 1
    }
  }

  private mutating func append(escape byte: UInt8) {
    append(Byte.backslash)
    switch byte {
    case Byte.quote, Byte.backslash: append(byte)
    case 0x0A: append(UInt8(ascii: "n"))
    case 0x0D: append(UInt8(ascii: "r"))
    case 0x09: append(UInt8(ascii: "t"))
    default:
      self += Array("u00".utf8)
      let digits = Array("0123456789abcdef".utf8)
      append(digits[Int(byte >> 4)])
      append(digits[Int(byte & 15)])
    }
  }
}

extension String {
  /// The first characters, for a message.
  var excerpt: String { utf8.count <= 60 ? self : prefix(59) + "…" }
}

extension UnsafeBufferPointer<UInt8> {
  /// A part of the bytes.
  @inline(__always)
  subscript(part range: Range<Int>) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(rebasing: self[range])
  }

  var text: String { String(decoding: self, as: UTF8.self) }

  /// The first characters, for a message.
  var excerpt: String {
    count <= 60 ? text : self[part: 0..<Swift.min(count, 240)].text.prefix(59) + "…"
  }
}
