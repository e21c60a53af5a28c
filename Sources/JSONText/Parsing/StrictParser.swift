/// The fast parser of RFC 8259 texts. It gives the tape, or `nil` where the text is wrong or its
/// root is no object or array; `RecoveringParser` then says why, or parses the lone scalar.
///
/// Invariant: the last byte of what it reads is `}` or `]`. Every loop over white space, numbers
/// and literals stops there at the latest, and only a closing can consume it. So the end of the
/// text is looked for after closings and inside strings, and nowhere else.
struct StrictParser {
  private let input: InputBytes
  /// Just past the last closing bracket of the text.
  private let end: Int
  private let depthLimit: Int
  private var position: Int
  private var depth = 0
  private var count = 0
  /// The opening of the innermost open container. While a container is open, the span of its
  /// opening holds the opening around it: the stack lives on the tape.
  private var open = 0
  private var isObject = false

  private enum Outcome { case done, needsRoom, refused }

  static func tape(of bytes: [UInt8], depthLimit: Int) -> [UInt64]? {
    bytes.withUnsafeBufferPointer { buffer in
      guard var parser = StrictParser(buffer, depthLimit: depthLimit) else { return nil }
      return parser.parse()
    }
  }

  private init?(_ buffer: UnsafeBufferPointer<UInt8>, depthLimit: Int) {
    guard let input = InputBytes(buffer), input.count <= TapeElement.offsetLimit else { return nil }
    var end = input.count
    while end > 0, JSONByte.isSpace(input[end - 1]) { end -= 1 }
    guard end >= 2, input[end - 1] | 0x20 == JSONByte.closeBrace else { return nil }
    var start = 0
    if end >= 3, input[0] == 0xEF, input[1] == 0xBB, input[2] == 0xBF { start = 3 }
    while JSONByte.isSpace(input[start]) { start += 1 }
    guard input[start] | 0x20 == JSONByte.openBrace, end - start >= 2 else { return nil }
    self.input = input
    self.end = end
    self.depthLimit = depthLimit
    position = start
  }

  private mutating func parse() -> [UInt64]? {
    var outcome = Outcome.needsRoom
    var tape: [UInt64] = []
    var capacity = (end - position) / 8 + 16
    while outcome == .needsRoom {
      let written = tape
      tape = [UInt64](unsafeUninitializedCapacity: capacity) { buffer, initializedCount in
        guard let room = TapeRoom(buffer) else { return }
        room.copy(written)
        outcome = run(in: room)
        initializedCount = count
      }
      guard capacity <= TapeElement.spanLimit else { return nil }
      capacity = min(capacity * 2, TapeElement.spanLimit + 1)
    }
    return outcome == .done ? tape : nil
  }

  private mutating func run(in room: TapeRoom) -> Outcome {
    while true {
      // A value begins here. What may be written before the next one: a name, an opening, and the
      // closings of everything open.
      if count + depth + 4 > room.capacity { return .needsRoom }
      let byte = input[position]
      if byte == JSONByte.quote {
        guard readString(in: room) else { return .refused }
      } else if byte | 0x20 == JSONByte.openBrace {
        guard begin(byte, in: room) else { return .refused }
        if input[position] != byte + 2 {
          if isObject { guard readName(in: room) else { return .refused } }
          continue
        }
      } else if byte &- 0x30 < 10 || byte == JSONByte.minus {
        guard readNumber(in: room) else { return .refused }
      } else {
        guard readLiteral(byte, in: room) else { return .refused }
      }
      // A value has ended; close what ends with it.
      while true {
        skipSpace()
        let byte = input[position]
        if byte == JSONByte.comma {
          position += 1
          skipSpace()
          if isObject { guard readName(in: room) else { return .refused } }
          break
        }
        guard byte == (isObject ? JSONByte.closeBrace : JSONByte.closeBracket), depth > 0 else {
          return .refused
        }
        close(in: room)
        if depth == 0 { return position == end ? .done : .refused }
        if position >= end { return .refused }
      }
    }
  }

  private mutating func begin(_ byte: UInt8, in room: TapeRoom) -> Bool {
    guard depth < depthLimit else { return false }
    let becomesObject = byte == JSONByte.openBrace
    room[count] =
      TapeElement(becomesObject ? .object : .array, offset: position, span: open).word
    open = count
    count += 1
    depth += 1
    isObject = becomesObject
    position += 1
    skipSpace()
    return true
  }

  private mutating func close(in room: TapeRoom) {
    let opening = TapeElement(word: room[open])
    room[open] = TapeElement(opening.kind, offset: opening.offset, span: count).word
    room[count] = TapeElement(.end, offset: position, span: open).word
    open = opening.span
    isObject = TapeElement(word: room[open]).isObject
    count += 1
    depth -= 1
    position += 1
  }

  private mutating func readName(in room: TapeRoom) -> Bool {
    guard input[position] == JSONByte.quote, readString(in: room) else { return false }
    skipSpace()
    guard input[position] == JSONByte.colon else { return false }
    position += 1
    skipSpace()
    return true
  }

  private mutating func readString(in room: TapeRoom) -> Bool {
    let start = position + 1
    var at = start
    var kind = TapeElement.Kind.string
    while true {
      while at + 8 <= end {
        let special = JSONByte.special(in: input.word(at: at))
        if special != 0 {
          at += special.trailingZeroBitCount >> 3
          break
        }
        at += 8
      }
      guard at < end else { return false }
      let byte = input[at]
      if byte == JSONByte.quote { break }
      if byte == JSONByte.backslash {
        guard let next = escapeEnd(at: at) else { return false }
        kind = .escapedString
        at = next
      } else if byte >= 0x80 {
        guard let next = sequenceEnd(at: at) else { return false }
        at = next
      } else if byte < 0x20 {
        return false
      } else {
        at += 1
      }
    }
    guard at - start <= TapeElement.spanLimit else { return false }
    room[count] = TapeElement(kind, offset: start, span: at - start).word
    count += 1
    position = at + 1
    return true
  }

  /// Past the run of multi-byte sequences at `index`; `nil` where one is not well-formed.
  private func sequenceEnd(at index: Int) -> Int? {
    var at = index
    while at + 4 <= end, input[at] >= 0x80 {
      let length = UTF8Sequence.length(input[at], input[at + 1], input[at + 2], input[at + 3])
      if length == 0 { return nil }
      at += length
    }
    // The closing quote and a bracket follow every string, so at most one sequence stands here.
    if input[at] >= 0x80 {
      let second = at + 1 < end ? input[at + 1] : 0
      let third = at + 2 < end ? input[at + 2] : 0
      let length = UTF8Sequence.length(input[at], second, third, 0)
      return length == 0 ? nil : at + length
    }
    return at
  }

  /// Past the escape at `index`; `nil` where it is none, or half of a surrogate pair.
  private func escapeEnd(at index: Int) -> Int? {
    guard index + 1 < end else { return nil }
    switch input[index + 1] {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"),
      UInt8(ascii: "f"), UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      return index + 2
    case UInt8(ascii: "u"):
      guard let unit = unit(at: index) else { return nil }
      if unit & 0xF800 != 0xD800 { return index + 6 }
      guard unit < 0xDC00, let low = self.unit(at: index + 6), low & 0xFC00 == 0xDC00 else {
        return nil
      }
      return index + 12
    default: return nil
    }
  }

  private func unit(at index: Int) -> UInt32? {
    guard index + 6 <= end, input[index] == JSONByte.backslash,
      input[index + 1] == UInt8(ascii: "u")
    else { return nil }
    var unit: UInt32 = 0
    for offset in 2..<6 {
      let digit = Hexadecimal.digit(input[index + offset])
      guard digit < 16 else { return nil }
      unit = unit << 4 | UInt32(digit)
    }
    return unit
  }

  private mutating func readNumber(in room: TapeRoom) -> Bool {
    let start = position
    var at = start
    if input[at] == JSONByte.minus { at += 1 }
    let first = input[at]
    guard first &- 0x30 < 10 else { return false }
    at += 1
    if first != 0x30 { while input[at] &- 0x30 < 10 { at += 1 } }
    if input[at] == JSONByte.point {
      at += 1
      guard input[at] &- 0x30 < 10 else { return false }
      while input[at] &- 0x30 < 10 { at += 1 }
    }
    if input[at] | 0x20 == UInt8(ascii: "e") {
      at += 1
      if input[at] == JSONByte.plus || input[at] == JSONByte.minus { at += 1 }
      guard input[at] &- 0x30 < 10 else { return false }
      while input[at] &- 0x30 < 10 { at += 1 }
    }
    guard at - start <= TapeElement.spanLimit else { return false }
    room[count] = TapeElement(.number, offset: start, span: at - start).word
    count += 1
    position = at
    return true
  }

  private mutating func readLiteral(_ byte: UInt8, in room: TapeRoom) -> Bool {
    guard position + 5 < end else { return readShortLiteral(byte, in: room) }
    let text =
      UInt32(input[position + 1]) | UInt32(input[position + 2]) << 8
      | UInt32(input[position + 3]) << 16
    switch byte {
    case UInt8(ascii: "t") where text == JSONByte.rue: append(.true, length: 4, in: room)
    case UInt8(ascii: "n") where text == JSONByte.ull: append(.null, length: 4, in: room)
    case UInt8(ascii: "f") where text == JSONByte.als && input[position + 4] == UInt8(ascii: "e"):
      append(.false, length: 5, in: room)
    default: return false
    }
    return true
  }

  /// The same within the last bytes of the text.
  private mutating func readShortLiteral(_ byte: UInt8, in room: TapeRoom) -> Bool {
    let (kind, letters): (TapeElement.Kind, [UInt8])
    switch byte {
    case UInt8(ascii: "t"): (kind, letters) = (.true, Array("true".utf8))
    case UInt8(ascii: "f"): (kind, letters) = (.false, Array("false".utf8))
    case UInt8(ascii: "n"): (kind, letters) = (.null, Array("null".utf8))
    default: return false
    }
    for (offset, letter) in letters.enumerated() {
      guard position + offset < end, input[position + offset] == letter else { return false }
    }
    append(kind, length: letters.count, in: room)
    return true
  }

  private mutating func append(_ kind: TapeElement.Kind, length: Int, in room: TapeRoom) {
    room[count] = TapeElement(kind, offset: position, span: length).word
    count += 1
    position += length
  }

  private mutating func skipSpace() {
    while JSONByte.isSpace(input[position]) { position += 1 }
  }
}
