internal import PipelineByteText

/// The variables of a `.env` file.
///
/// A line is `NAME=value`, perhaps after `export`. A value may stand in single quotes, where every
/// character stands for itself, or in double quotes, where `\n`, `\r`, `\t`, `\"`, `\\` and `\$` are
/// escapes. Between quotes it may have several lines. A value without quotes ends before ` #`.
/// `$NAME` stands for itself. Of several lines with one name, the last counts.
struct Dotenv {
  /// A line that cannot be read.
  struct Problem: Error, Sendable {
    /// From 1.
    let line: Int
    let reason: String
  }

  private(set) var values: [String: String] = [:]
  private let bytes: [UInt8]
  private var position = 0
  private var line = 1

  init(_ bytes: [UInt8]) throws(Problem) {
    self.bytes = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
    while position < self.bytes.count { try readLine() }
  }

  private var byte: UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func readLine() throws(Problem) {
    skipBlanks()
    guard let first = byte, first != UInt8(ascii: "#"), !Self.isLineEnd(first) else {
      skipLine()
      return
    }
    var name = word()
    skipBlanks()
    if name.equals(bytes: "export"), byte != UInt8(ascii: "=") {
      name = word()
      skipBlanks()
    }
    guard !name.isEmpty, byte == UInt8(ascii: "=") else {
      throw Problem(line: line, reason: "it is not NAME=value")
    }
    position += 1
    skipBlanks()
    let start = line
    let value: [UInt8]
    if let quote = byte, quote == UInt8(ascii: "'") || quote == UInt8(ascii: "\"") {
      value = try quoted(quote, from: start)
    } else {
      value = bare()
    }
    guard let text = String(validating: value, as: UTF8.self) else {
      throw Problem(line: start, reason: "its value is not UTF-8")
    }
    values[name] = text
  }

  /// The bytes of a name, as long as they may be in one.
  private mutating func word() -> String {
    let start = position
    while let byte,
      ASCIISet.letters.contains(byte) || ASCIISet.digits.contains(byte)
        || [UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: "-")].contains(byte)
    {
      position += 1
    }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  private mutating func quoted(_ quote: UInt8, from start: Int) throws(Problem) -> [UInt8] {
    position += 1
    var value: [UInt8] = []
    while let next = byte, next != quote {
      position += 1
      if next == UInt8(ascii: "\n") { line += 1 }
      guard next == UInt8(ascii: "\\"), quote == UInt8(ascii: "\""), let escaped = byte else {
        value.append(next)
        continue
      }
      switch escaped {
      case UInt8(ascii: "n"): value.append(UInt8(ascii: "\n"))
      case UInt8(ascii: "r"): value.append(UInt8(ascii: "\r"))
      case UInt8(ascii: "t"): value.append(UInt8(ascii: "\t"))
      case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "$"): value.append(escaped)
      default:
        value.append(next)
        continue
      }
      position += 1
    }
    guard byte == quote else { throw Problem(line: start, reason: "its quote is not closed") }
    position += 1
    skipBlanks()
    guard byte.map({ $0 == UInt8(ascii: "#") || Self.isLineEnd($0) }) ?? true else {
      throw Problem(line: start, reason: "there is text after its closing quote")
    }
    skipLine()
    return value
  }

  private mutating func bare() -> [UInt8] {
    let start = position
    while let byte, !Self.isLineEnd(byte) {
      if byte == UInt8(ascii: "#"), position == start || Self.isBlank(bytes[position - 1]) { break }
      position += 1
    }
    var end = position
    while end > start, Self.isBlank(bytes[end - 1]) { end -= 1 }
    skipLine()
    return Array(bytes[start..<end])
  }

  private mutating func skipBlanks() {
    while let byte, Self.isBlank(byte) { position += 1 }
  }

  /// Goes on behind the end of the line.
  private mutating func skipLine() {
    while let byte, byte != UInt8(ascii: "\n") { position += 1 }
    if byte != nil {
      position += 1
      line += 1
    }
  }

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
  }

  private static func isLineEnd(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
  }
}
