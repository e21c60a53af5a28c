internal import PipelineByteText

/// Finds the entries of a HAR file in pieces of any length, without holding more than one of them.
///
/// They are the elements of `log.entries`, or of `entries` at the top. The text between them is
/// kept, so that the rest of the file can be read as JSON.
public struct EntryScanner: Sendable {
  /// Why a file has no entries that can be read.
  public struct Problem: Error, Sendable {
    /// The problem, as one phrase.
    public let message: String
  }

  /// An entry's text, and if it is in the file.
  public struct Entry: Sendable {
    /// Where the entry begins in the file, in bytes.
    public let offset: Int
    /// The entry as JSON text.
    public let text: [UInt8]
  }

  /// The file without its entries.
  public private(set) var frame: [UInt8] = []
  private var offset = 0
  private var depth = 0
  private var isInString = false
  private var isEscaped = false
  /// The text of the last string at a depth where `entries` may be.
  private var lastString: [UInt8] = []
  private var isNamed = false
  /// The depth of the list of entries, once it has begun.
  private var listDepth: Int?
  private var entry: [UInt8] = []
  private var entryStart = 0
  private var isInEntry = false
  private var hasList = false

  /// The most bytes that all but the entries may take.
  private static let frameLimit = 4 << 20
  private static let name = Array("entries".utf8)

  /// A scanner at the beginning of a file.
  public init() {}

  /// Reads the next piece.
  public mutating func read(
    _ piece: [UInt8], _ body: (Entry) throws -> Void
  ) throws {
    // The earlier text of the piece is in `frame` or `entry`.
    var taken = 0
    var next = 0
    while let index = place(in: piece, from: next) {
      next = index + 1
      switch step(piece[index]) {
      case .goesOn: continue
      case .beginsEntry:
        frame += piece[taken..<index]
        taken = index
        entryStart = offset + index
      case .endsEntry:
        entry += piece[taken...index]
        taken = index + 1
        try body(Entry(offset: entryStart, text: entry))
        entry.removeAll(keepingCapacity: entry.count < 1 << 20)
      case .separates:
        frame += piece[taken..<index]
        taken = index + 1
      }
    }
    if isInEntry { entry += piece[taken...] } else { frame += piece[taken...] }
    offset += piece.count
    guard frame.count <= Self.frameLimit else {
      throw Problem(message: "holds \(frame.count >> 20) MB besides its entries; is it a HAR file?")
    }
  }

  /// Reports the last piece.
  public func finish() throws(Problem) {
    guard hasList else {
      throw Problem(message: "has no 'log.entries'; is it a HAR file?")
    }
    guard depth == 0, !isInString else {
      throw Problem(message: "is cut off; record it again")
    }
  }

  /// The next byte that may mean something; `nil` if there is none in the piece.
  ///
  /// Most of a file is in the strings of its entries.
  private func place(in piece: [UInt8], from start: Int) -> Int? {
    guard start < piece.count else { return nil }
    guard isInEntry, !isEscaped else { return start }
    let marks = Self.marks
    return piece.withUnsafeBufferPointer { bytes in
      var index = start
      if isInString {
        while index < bytes.count, bytes[index] != 0x22, bytes[index] != 0x5C { index += 1 }
      } else {
        while index < bytes.count, !marks.contains(bytes[index]) { index += 1 }
      }
      return index < bytes.count ? index : nil
    }
  }

  /// What begins and ends a value, or a string.
  private static let marks = ASCIISet("\"{}[]")

  /// The meaning of a byte for the entries.
  private enum Step {
    case goesOn, beginsEntry, endsEntry
    /// A comma between entries.
    case separates
  }

  private mutating func step(_ byte: UInt8) -> Step {
    if isInString {
      if isEscaped {
        isEscaped = false
      } else if byte == UInt8(ascii: "\\") {
        isEscaped = true
      } else if byte == UInt8(ascii: "\"") {
        isInString = false
      } else if !isInEntry, lastString.count < 16 {
        lastString.append(byte)
      }
      return .goesOn
    }
    switch byte {
    case UInt8(ascii: "\""):
      isInString = true
      if !isInEntry { lastString = [] }
    case UInt8(ascii: ":"):
      isNamed = !isInEntry && (depth == 1 || depth == 2) && lastString == Self.name
    case UInt8(ascii: "{"), UInt8(ascii: "["): return open(isObject: byte == UInt8(ascii: "{"))
    case UInt8(ascii: "}"), UInt8(ascii: "]"):
      if listDepth == depth, !isInEntry { listDepth = nil }
      depth = max(0, depth - 1)
      if isInEntry, depth == listDepth {
        isInEntry = false
        return .endsEntry
      }
    case UInt8(ascii: ","):
      isNamed = false
      if listDepth == depth { return .separates }
    default: break
    }
    return .goesOn
  }

  private mutating func open(isObject: Bool) -> Step {
    let begins = isObject && listDepth == depth && !isInEntry
    if begins { isInEntry = true }
    depth += 1
    if isNamed, !isInEntry, !isObject, !hasList {
      listDepth = depth
      hasList = true
    }
    isNamed = false
    return begins ? .beginsEntry : .goesOn
  }
}
