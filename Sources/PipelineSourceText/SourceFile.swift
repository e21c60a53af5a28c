/// A text file as bytes, whose offsets it turns into lines and columns.
///
/// Any bytes are accepted, valid UTF-8 or not. Lines end with LF or CRLF. A lone CR does not end a
/// line. The last line needs no ending, and a text that ends with LF has an empty last line.
public struct SourceFile: Sendable {
  /// The name shown in diagnostics: the path as the user gave it.
  public let name: String
  /// The content, as it was read.
  public let bytes: [UInt8]
  private let table: LineTable
  /// Parts of the text that are not shown: credentials.
  public private(set) var hidden: [Range<Int>] = []

  private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// A file with this content. Its lines are found at once.
  ///
  /// - Parameters:
  ///   - name: The name in messages, such as a path.
  ///   - bytes: The content.
  public init(name: String, bytes: [UInt8]) {
    self.name = name
    self.bytes = bytes
    table = LineTable(bytes)
  }

  /// The file with parts of it that no excerpt shows.
  ///
  /// - Parameter parts: The bytes to hide, such as secrets.
  public func hiding(_ parts: [Range<Int>]) -> SourceFile {
    var file = self
    file.hidden = parts
    return file
  }

  private var lineStarts: [Int] { table.lines.starts }

  /// The number of lines, at least one.
  public var lineCount: Int { lineStarts.count }

  /// The bytes of line `number`, counted from 1, without its ending. Clamped to the existing lines.
  ///
  /// - Parameter number: The number of a line, from 1.
  public func line(_ number: Int) -> Range<Int> {
    let lineStarts = lineStarts
    let index = min(max(number, 1), lineStarts.count) - 1
    let start = lineStarts[index]
    guard index + 1 < lineStarts.count else { return start..<bytes.count }
    var end = lineStarts[index + 1] - 1
    if end > start, bytes[end - 1] == 0x0D { end -= 1 }
    return start..<end
  }

  /// The line and column of the byte at `offset`, clamped to the file. O(log lines), except the
  /// first time, which reads the file.
  ///
  /// - Parameter offset: The number of bytes before the place.
  public func position(at offset: Int) -> SourcePosition {
    let lines = table.lines
    let offset = min(max(offset, 0), bytes.count)
    let line = lines.number(at: offset)
    var start = lines.starts[line - 1]
    if start == 0, bytes.starts(with: Self.byteOrderMark) { start = min(3, offset) }
    return SourcePosition(
      line: line,
      column: lines.columns(before: offset, in: bytes)
        - lines.columns(before: start, in: bytes) + 1)
  }

  /// The text of `range`, clamped to the file, with bytes that are not UTF-8 as U+FFFD.
  public func text(_ range: Range<Int>) -> String {
    String(decoding: bytes[range.clamped(to: 0..<bytes.count)], as: UTF8.self)
  }
}

/// A place in a text, as editors count.
///
/// Lines and columns begin at 1. A column is one Unicode scalar: a tab counts 1, an emoji of
/// several scalars counts each. A byte that cannot begin a scalar does not count. Any other invalid
/// byte counts 1. A byte order mark counts nothing.
public struct SourcePosition: Sendable, Hashable, Comparable {
  /// The number of the line, from 1.
  public let line: Int
  /// The number of the column, from 1.
  public let column: Int

  /// A place at these numbers.
  public init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }

  /// Whether one place comes before another.
  public static func < (a: SourcePosition, b: SourcePosition) -> Bool {
    (a.line, a.column) < (b.line, b.column)
  }
}
