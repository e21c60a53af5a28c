/// Questions about the text ahead, which show what its author meant. Nothing here moves on.
///
/// Each question is asked after a mistake. A parser names at most a hundred mistakes, and looks no
/// farther than `farthest`.
extension RecoveringParser {
  private static let farthest = 1 << 16

  func isLineEnd(_ at: Int) -> Bool { at >= bytes.count || bytes[at] == 0x0A || bytes[at] == 0x0D }

  /// The first place from here that is not a space or tab.
  func afterSpaces(_ start: Int) -> Int {
    var at = start
    while at < bytes.count, bytes[at] == 0x20 || bytes[at] == 0x09 { at += 1 }
    return at
  }

  /// The first place from here that is not white space.
  func afterWhiteSpace(_ start: Int) -> Int {
    var at = start
    while at < bytes.count, JSONByte.isSpace(bytes[at]) { at += 1 }
    return at
  }

  func isComment(_ at: Int) -> Bool {
    guard at < bytes.count else { return false }
    if bytes[at] == UInt8(ascii: "#") { return true }
    return bytes[at] == UInt8(ascii: "/") && at + 1 < bytes.count
      && (bytes[at + 1] == UInt8(ascii: "/") || bytes[at + 1] == UInt8(ascii: "*"))
  }

  /// Whether a value could end here: with its line, or before a comma, closing bracket or comment.
  func isValueEnd(_ start: Int) -> Bool {
    let at = afterSpaces(start)
    if isLineEnd(at) || isComment(at) { return true }
    switch bytes[at] {
    case JSONByte.closeBrace, JSONByte.closeBracket: return true
    case JSONByte.comma: return isCommaBetween(at)
    case UInt8(ascii: ";"): return isLineEnd(afterSpaces(at + 1))
    default: return false
    }
  }

  /// Whether the comma here is between members or elements, and not in a text without quotes.
  func isCommaBetween(_ comma: Int) -> Bool {
    let at = afterSpaces(comma + 1)
    if isLineEnd(at) || isComment(at) { return true }
    switch bytes[at] {
    case JSONByte.quote, JSONByte.closeBrace, JSONByte.closeBracket, UInt8(ascii: "'"): return true
    default: return isBareName(at)
    }
  }

  /// Whether a name in quotes, with its colon, begins here.
  func isQuotedName(_ start: Int) -> Bool {
    guard start < bytes.count, bytes[start] == JSONByte.quote || bytes[start] == UInt8(ascii: "'")
    else { return false }
    guard let end = closingQuote(from: start + 1, bytes[start]) else { return false }
    return isColon(afterSpaces(end + 1))
  }

  /// Whether a word and a colon begin here. The colon of `https://` is none.
  func isBareName(_ start: Int) -> Bool {
    var at = start
    while at < bytes.count, isWordByte(bytes[at]) { at += 1 }
    return at > start && isColon(afterSpaces(at))
  }

  func isColon(_ at: Int) -> Bool {
    at < bytes.count && bytes[at] == JSONByte.colon && !isComment(at + 1)
  }

  func isWordByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"),
      UInt8(ascii: "$"):
      true
    default: false
    }
  }

  /// The next quote of this line that no backslash escapes.
  func closingQuote(from start: Int, _ quote: UInt8) -> Int? {
    var at = start
    while !isLineEnd(at), at - start < Self.farthest {
      if bytes[at] == quote { return at }
      at += bytes[at] == JSONByte.backslash ? 2 : 1
    }
    return nil
  }

  /// The first closing bracket from here that nothing from here opens.
  func closingBracket(from start: Int) -> Int? {
    var depth = 0
    return bracket(from: start) { byte, _ in
      let isOpening = byte == JSONByte.openBrace || byte == JSONByte.openBracket
      depth += isOpening ? 1 : -1
      return depth < 0
    }
  }

  /// How many brackets of the rest would fit nothing, were the containers open that are given.
  func misfits(from start: Int, open: [Bool]) -> Int {
    var open = open
    var count = 0
    let end = bracket(from: start) { byte, _ in
      switch byte {
      case JSONByte.openBrace: open.append(true)
      case JSONByte.openBracket: open.append(false)
      default:
        let isBrace = byte == JSONByte.closeBrace
        if let at = open.lastIndex(of: isBrace) {
          count += open.count - 1 - at
          open.removeSubrange(at...)
        } else {
          count += 1
        }
      }
      return false
    }
    return end == nil && bytes.count - start <= Self.farthest ? count + open.count : count
  }

  /// The first bracket outside of strings and comments for which `isWanted` holds.
  private func bracket(from start: Int, where isWanted: (UInt8, Int) -> Bool) -> Int? {
    var at = start
    while at < bytes.count, at - start < Self.farthest {
      switch bytes[at] {
      case JSONByte.quote: at = closingQuote(from: at + 1, JSONByte.quote) ?? at
      case JSONByte.openBrace, JSONByte.closeBrace, JSONByte.openBracket, JSONByte.closeBracket:
        if isWanted(bytes[at], at) { return at }
      case UInt8(ascii: "/") where at + 1 < bytes.count && bytes[at + 1] == UInt8(ascii: "/"):
        while !isLineEnd(at + 1) { at += 1 }
      default: break
      }
      at += 1
    }
    return nil
  }
}
