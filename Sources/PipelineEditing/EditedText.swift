/// A text that an editor changes, with the places of its bytes.
///
/// Lines end with LF, CR LF or CR, as the Language Server Protocol 3.17 has it. This is not how
/// `SourceFile` counts, in which a lone CR ends no line.
package struct EditedText: Sendable {
  package private(set) var bytes: [UInt8]
  package let encoding: PositionEncoding
  /// Where each line begins. The first is 0.
  private var starts: [Int]

  /// - Complexity: O(bytes).
  package init(_ bytes: [UInt8], _ encoding: PositionEncoding) {
    self.bytes = bytes
    self.encoding = encoding
    starts = Self.lineStarts(of: bytes)
  }

  package var lineCount: Int { starts.count }

  /// Makes a change. Positions that the text does not have are those nearest to them.
  ///
  /// - Complexity: O(bytes).
  package mutating func apply(_ change: TextChange) {
    if let range = change.range {
      let start = offset(of: range.lowerBound)
      let end = max(start, offset(of: range.upperBound))
      bytes.replaceSubrange(start..<end, with: change.text.utf8)
    } else {
      bytes = Array(change.text.utf8)
    }
    starts = Self.lineStarts(of: bytes)
  }

  /// The byte at a position. A character past the line's end is its end, and one inside a surrogate
  /// pair is the start of the scalar.
  ///
  /// - Complexity: O(bytes of the line).
  package func offset(of position: TextPosition) -> Int {
    guard position.line >= 0 else { return 0 }
    guard position.line < starts.count else { return bytes.count }
    let end = endOfLine(position.line)
    var offset = starts[position.line]
    var left = position.character
    while offset < end {
      let next = endOfScalar(at: offset, before: end)
      let units = bytes[offset..<next].reduce(0) { $0 + encoding.units(of: $1) }
      guard left >= units, left > 0 else { break }
      left -= units
      offset = next
    }
    return offset
  }

  /// The position of a byte, clamped to the text.
  ///
  /// - Complexity: O(log lines + bytes of the line).
  package func position(at offset: Int) -> TextPosition {
    let offset = min(max(offset, 0), bytes.count)
    var (low, high) = (0, starts.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if starts[middle] <= offset { low = middle } else { high = middle }
    }
    // Between CR and LF there is no position.
    let end = min(offset, endOfLine(low))
    let character = bytes[starts[low]..<max(end, starts[low])]
      .reduce(0) { $0 + encoding.units(of: $1) }
    return TextPosition(line: low, character: character)
  }

  package func range(_ range: Range<Int>) -> Range<TextPosition> {
    let start = position(at: range.lowerBound)
    return start..<max(start, position(at: range.upperBound))
  }

  /// The end of a line without what ends it.
  private func endOfLine(_ line: Int) -> Int {
    guard line + 1 < starts.count else { return bytes.count }
    var end = starts[line + 1]
    if bytes[end - 1] == 0x0A { end -= 1 }
    if end > starts[line], bytes[end - 1] == 0x0D { end -= 1 }
    return end
  }

  private func endOfScalar(at offset: Int, before end: Int) -> Int {
    var next = offset + 1
    while next < end, bytes[next] & 0xC0 == 0x80 { next += 1 }
    return next
  }

  private static func lineStarts(of bytes: [UInt8]) -> [Int] {
    var starts = [0]
    bytes.withUnsafeBufferPointer { bytes in
      for index in bytes.indices {
        let isEnd =
          bytes[index] == 0x0A
          || (bytes[index] == 0x0D && (index + 1 == bytes.count || bytes[index + 1] != 0x0A))
        if isEnd { starts.append(index + 1) }
      }
    }
    return starts
  }
}
