import PipelineByteText

/// Cuts a stream of bytes into messages, and frames those that are sent.
///
/// It holds the bytes of one message and what was read after it. A message that is larger than the
/// limit is refused before it is collected.
package struct MessageFraming: Sendable {
  package enum Style: Sendable {
    /// `Content-Length: N`, an empty line, N bytes: the Language Server Protocol's.
    case contentLength
    /// One message a line: that of the Model Context Protocol.
    case lines
  }

  /// The stream cannot be cut further.
  package struct Problem: Error, Sendable, Hashable {
    package let message: String
  }

  private let style: Style
  private let limit: Int
  private var bytes: [UInt8] = []
  /// Where the bytes begin that are not yet part of a message.
  private var start = 0
  /// The bytes before this one hold no line's end.
  private var searched = 0
  /// The length of the message whose header was read.
  private var length: Int?

  private static let headerLimit = 4096

  package init(_ style: Style, limit: Int = 64 << 20) {
    self.style = style
    self.limit = limit
  }

  package mutating func append(_ more: some Collection<UInt8>) {
    if start > 0, start >= bytes.count / 2 {
      bytes.removeFirst(start)
      searched -= start
      start = 0
    }
    bytes += more
  }

  /// The next message if all of it has come.
  ///
  /// - Throws: If the bytes are not framed so, or the message is larger than the limit.
  package mutating func next() throws(Problem) -> [UInt8]? {
    switch style {
    case .lines: try nextLine()
    case .contentLength: try nextCounted()
    }
  }

  /// A message with its frame.
  package func framed(_ message: [UInt8]) -> [UInt8] {
    switch style {
    case .lines: message + [0x0A]
    case .contentLength: Array("Content-Length: \(message.count)\r\n\r\n".utf8) + message
    }
  }

  private mutating func nextLine() throws(Problem) -> [UInt8]? {
    while let line = try takeLine(limit) {
      if !line.isEmpty { return line }
    }
    return nil
  }

  private mutating func nextCounted() throws(Problem) -> [UInt8]? {
    while true {
      if let length, bytes.count - start < length { return nil }
      if let length {
        defer {
          start += length
          searched = start
          self.length = nil
          pendingLength = nil
        }
        return Array(bytes[start..<start + length])
      }
      guard let line = try takeLine(Self.headerLimit) else { return nil }
      try readHeader(line)
    }
  }

  /// The length that a header field gave, before the empty line.
  private var pendingLength: Int?

  private mutating func readHeader(_ line: [UInt8]) throws(Problem) {
    guard !line.isEmpty else {
      guard let pendingLength else { throw Problem(message: "a message has no Content-Length") }
      length = pendingLength
      return
    }
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else {
      throw Problem(message: "a header line has no colon")
    }
    let name = String(decoding: line[..<colon], as: UTF8.self)
    guard name.lowercased() == "content-length" else { return }
    let text = line[(colon + 1)...].drop { $0 == 0x20 || $0 == 0x09 }
    guard !text.isEmpty, text.allSatisfy({ (0x30...0x39).contains($0) }),
      let count = Int(String(decoding: text, as: UTF8.self))
    else { throw Problem(message: "Content-Length is not a whole number") }
    guard count <= limit else { throw tooLarge }
    pendingLength = count
  }

  /// The next line without its end, LF or CR LF.
  private mutating func takeLine(_ limit: Int) throws(Problem) -> [UInt8]? {
    guard let end = bytes[searched...].firstIndex(of: 0x0A) else {
      searched = bytes.count
      guard bytes.count - start <= limit else { throw tooLarge }
      return nil
    }
    var line = bytes[start..<end]
    if line.last == 0x0D { line.removeLast() }
    guard line.count <= limit else { throw tooLarge }
    start = end + 1
    searched = start
    return Array(line)
  }

  private var tooLarge: Problem { Problem(message: "a message is larger than the limit") }
}
