internal import PipelineByteText

/// The header fields of a message as they were received: lines that end in CR LF or LF.
///
/// Most responses are asked for one or two fields, so none is parsed before it is asked for.
struct HeaderBlock: Sendable {
  var bytes: [UInt8]

  /// All fields, in order. A folded line (RFC 9112 §5.2) belongs to the field before it.
  var fields: [HeaderField] {
    var fields: [HeaderField] = []
    forEachField { name, value in
      fields.append(
        HeaderField(text(of: bytes[name]), text(value)))
      return true
    }
    return fields
  }

  /// The first value of the field `name`, compared without regard to case.
  func first(_ name: String) -> String? {
    var found: String?
    forEachField(from: start(ofField: name)) { _, value in
      found = text(value)
      return false
    }
    return found
  }

  /// The fields whose name has `word` in it, which is in lower case.
  func fields(naming word: StaticString) -> [HeaderField] {
    var fields: [HeaderField] = []
    forEachField { name, value in
      if Self.contains(bytes[name], word) {
        fields.append(HeaderField(text(of: bytes[name]), text(value)))
      }
      return true
    }
    return fields
  }

  static func contains(_ name: some RandomAccessCollection<UInt8>, _ word: StaticString) -> Bool {
    word.withUTF8Buffer { word in
      guard name.count >= word.count else { return false }
      return (0...(name.count - word.count)).contains { offset in
        let start = name.index(name.startIndex, offsetBy: offset)
        return zip(name[start...], word).allSatisfy { $0.lowercasedASCII == $1 }
      }
    }
  }

  /// Where the line of the first field `name` begins, or the end of the block.
  private func start(ofField name: String) -> Int {
    var name = name
    return name.withUTF8 { name in
      bytes.withUnsafeBufferPointer { bytes in
        var start = 0
        while start + name.count < bytes.count {
          if bytes[start + name.count] == UInt8(ascii: ":"),
            name.indices.allSatisfy({
              bytes[start + $0].lowercasedASCII == name[$0].lowercasedASCII
            })
          {
            return start
          }
          while start < bytes.count, bytes[start] != UInt8(ascii: "\n") { start += 1 }
          start += 1
        }
        return bytes.count
      }
    }
  }

  /// A value as text. The line ends of a folded one become spaces.
  private func text(_ range: Range<Int>) -> String {
    guard bytes[range].contains(UInt8(ascii: "\n")) else { return text(of: bytes[range]) }
    let lines = bytes[range].split { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
    return text(of: Array(lines.map { $0.drop(while: isSpace) }.joined(separator: [0x20])))
  }

  /// UTF-8, or ISO-8859-1 if the bytes are not UTF-8: HTTP does not say which, and servers send
  /// both (RFC 9110 §5.5).
  private func text(of value: some Collection<UInt8>) -> String {
    // Nearly all are ASCII, which needs no validation.
    if value.allSatisfy({ $0 < 0x80 }) { return String(decoding: value, as: UTF8.self) }
    if let text = String(validating: value, as: UTF8.self) { return text }
    var scalars = String.UnicodeScalarView()
    scalars.append(contentsOf: value.lazy.map { Unicode.Scalar($0) })
    return String(scalars)
  }

  private func forEachField(
    from start: Int = 0, _ body: (_ name: Range<Int>, _ value: Range<Int>) -> Bool
  ) {
    var start = start
    while start < bytes.count {
      var end = endOfLine(from: start)
      let line = start..<end
      while end + 1 < bytes.count, isSpace(bytes[end + 1]) { end = endOfLine(from: end + 1) }
      start = end + 1
      guard let colon = bytes[line].firstIndex(of: UInt8(ascii: ":")) else { continue }
      guard body(line.lowerBound..<colon, trimmed((colon + 1)..<end)) else { return }
    }
  }

  /// Where the line feed is, or the end of the block.
  private func endOfLine(from start: Int) -> Int {
    bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
  }

  private func trimmed(_ range: Range<Int>) -> Range<Int> {
    var (low, high) = (range.lowerBound, range.upperBound)
    while low < high, isSpace(bytes[low]) { low += 1 }
    while low < high, isSpace(bytes[high - 1]) || bytes[high - 1] == UInt8(ascii: "\r") {
      high -= 1
    }
    return low..<high
  }

  private func isSpace(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
  }
}
