/// A text file as bytes, with the table that turns byte offsets into lines and columns.
///
/// Any bytes are accepted, valid UTF-8 or not. Lines end with LF or CRLF; a lone CR ends none. The
/// last line needs no ending, and a text that ends with LF has an empty last line.
public struct SourceFile: Sendable {
  /// The name shown in diagnostics: the path as the user gave it.
  public let name: String
  public let bytes: [UInt8]
  /// Where each line begins; the first is 0.
  private let lineStarts: [Int]
  /// How many columns there are before every `stride`th byte, counted from the file's start.
  private let columnsBefore: [Int]

  private static let stride = 4096
  private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// Reads the table of lines: O(bytes), once.
  public init(name: String, bytes: [UInt8]) {
    self.name = name
    self.bytes = bytes
    var starts = [0]
    var columns = [0]
    columns.reserveCapacity(bytes.count / Self.stride + 1)
    bytes.withUnsafeBufferPointer { bytes in
      var total = 0
      var offset = 0
      while offset < bytes.count {
        let end = min(offset + Self.stride, bytes.count)
        let chunk = UnsafeBufferPointer(rebasing: bytes[offset..<end])
        total += columnCount(chunk)
        for index in chunk.indices where chunk[index] == 0x0A { starts.append(offset + index + 1) }
        columns.append(total)
        offset = end
      }
    }
    lineStarts = starts
    columnsBefore = columns
  }

  /// How many lines there are; at least one.
  public var lineCount: Int { lineStarts.count }

  /// The bytes of line `number`, counted from 1, without its ending; clamped to the lines there are.
  public func line(_ number: Int) -> Range<Int> {
    let index = min(max(number, 1), lineCount) - 1
    let start = lineStarts[index]
    guard index + 1 < lineCount else { return start..<bytes.count }
    var end = lineStarts[index + 1] - 1
    if end > start, bytes[end - 1] == 0x0D { end -= 1 }
    return start..<end
  }

  /// The line and column of the byte at `offset`, clamped to the file: O(log lines).
  public func position(at offset: Int) -> SourcePosition {
    let offset = min(max(offset, 0), bytes.count)
    let line = lineNumber(at: offset)
    var start = lineStarts[line - 1]
    if start == 0, bytes.starts(with: Self.byteOrderMark) { start = min(3, offset) }
    return SourcePosition(
      line: line, column: columns(before: offset) - columns(before: start) + 1)
  }

  /// The text of `range`, clamped to the file, with bytes that are no UTF-8 as U+FFFD.
  public func text(_ range: Range<Int>) -> String {
    String(decoding: bytes[range.clamped(to: 0..<bytes.count)], as: UTF8.self)
  }

  private func lineNumber(at offset: Int) -> Int {
    var low = 0
    var high = lineStarts.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if lineStarts[middle] <= offset { low = middle } else { high = middle }
    }
    return low + 1
  }

  private func columns(before offset: Int) -> Int {
    let chunk = offset / Self.stride
    return bytes.withUnsafeBufferPointer { bytes in
      columnsBefore[chunk]
        + columnCount(UnsafeBufferPointer(rebasing: bytes[(chunk * Self.stride)..<offset]))
    }
  }
}

/// A place in a text, as editors count.
///
/// Lines and columns begin at 1. A column is one Unicode scalar: a tab counts 1, an emoji of several
/// scalars counts each. A byte that cannot begin a scalar counts nothing; any other invalid byte 1. A
/// byte order mark counts nothing.
public struct SourcePosition: Sendable, Hashable, Comparable {
  public let line: Int
  public let column: Int

  public init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }

  public static func < (a: SourcePosition, b: SourcePosition) -> Bool {
    (a.line, a.column) < (b.line, b.column)
  }
}

/// How many of `bytes` are no UTF-8 continuation bytes.
private func columnCount(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
  var count = 0
  for byte in bytes where byte & 0xC0 != 0x80 { count &+= 1 }
  return count
}
