internal import CPipelineByteMasks

/// The fast parser of RFC 8259 texts. It gives the tape, or `nil` if the text is wrong or its root
/// is not an object or array. `RecoveringParser` then says why, or parses the lone scalar.
///
/// Invariant: the last byte of its text is `}` or `]`. Every loop over white space, numbers and
/// literals stops there at the latest, and only a closing can consume it. So the end of the text is
/// looked for after closings, and nowhere else.
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
  /// The next quote that has not been taken.
  private var next = 0

  private enum Outcome { case done, needsRoom, refused }

  static func tape(
    of bytes: [UInt8], depthLimit: Int, processor: cbm_processor = cbm_processor()
  ) -> [UInt64]? {
    InputBytes.reading(bytes) { input in
      guard var parser = StrictParser(input, depthLimit) else { return nil }
      // Up to 128 words a temporary room is on the stack.
      let words = input.count < 2048 ? 128 : 1024
      return TapeRoom.withTemporary(words: words) { entries in
        var quotes = QuoteIndex(
          input: input, from: parser.position, to: parser.end, entries: entries,
          processor: processor)
        return TapeRoom.withTemporary(words: words) { parser.parse(&quotes, firstIn: $0) }
      }
    }
  }

  private init?(_ input: InputBytes, _ depthLimit: Int) {
    guard input.count <= TapeElement.offsetLimit else { return nil }
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

  /// Parses into a small room first. A tape that fits is copied once to an array of its exact size.
  /// Of a longer one this is a sample, which shows how much room the rest needs.
  private mutating func parse(_ quotes: inout QuoteIndex, firstIn small: TapeRoom) -> [UInt64]? {
    var outcome = run(in: small, &quotes)
    if outcome == .refused { return nil }
    if outcome == .done { return small.words(count: count) }
    var tape: [UInt64] = []
    repeat {
      let written = tape
      let capacity = estimate
      guard capacity <= TapeElement.spanLimit else { return nil }
      tape = TapeRoom.words(capacity: capacity) { room in
        if written.isEmpty { room.copy(small, count: count) } else { room.copy(written) }
        outcome = run(in: room, &quotes)
        return count
      }
    } while outcome == .needsRoom
    return outcome == .done ? tape : nil
  }

  /// The expected number of words of the whole tape, judged by its beginning, plus an eighth.
  private var estimate: Int {
    let left = Double(end - position) * Double(count) / Double(max(position, 1))
    return count + depth + Int(left * 1.125) + 64
  }

  /// One turn handles one member or element, and the closings after it. Everything hot is in local
  /// variables and inlined, so that it stays in registers.
  private mutating func run(in room: TapeRoom, _ quotes: inout QuoteIndex) -> Outcome {
    let input = input
    let end = end
    let entries = quotes.entries
    var entry = entries.cursor(at: next)
    var position = position
    var top = room.cursor(at: count)
    var open = open
    var isObject = count > 0 && TapeElement(word: room[open]).isObject
    // The most that one turn writes: a name, an opening, and the closings of everything open. So
    // the place that the tape must end before is the depth too, counted down.
    guard room.capacity >= count + depth + 4 else { return .needsRoom }
    let greatest = room.cursor(at: room.capacity - 4)
    var limit = room.cursor(at: room.capacity - 4 - depth)

    while true {
      if top > limit {
        (self.position, self.open, count, next) = (position, open, top.index, entry.index)
        depth = greatest.index - limit.index
        return .needsRoom
      }
      var byte = input[position]
      if isObject {
        guard let name = quotes.take(&entry) else { return .refused }
        let distance = Int(truncatingIfNeeded: name.open) &- position
        if distance != 0, !input.isGap(byte, at: position, length: distance, end: end) {
          return .refused
        }
        top.append(name.word)
        position = name.end
        if input[position] != JSONByte.colon {
          position = input.skipSpace(from: position, end: end)
          guard input[position] == JSONByte.colon else { return .refused }
        }
        position &+= 1
        byte = input[position]
        if byte == 0x20 {
          position &+= 1
          byte = input[position]
        }
      }
      if byte <= 0x20 {
        position = input.skipSpace(from: position, end: end)
        byte = input[position]
      }
      if byte == JSONByte.quote {
        guard let string = quotes.take(&entry) else { return .refused }
        assert(string.open == position)
        top.append(string.word)
        position = string.end
      } else if byte &- 0x30 < 10 || byte == JSONByte.minus {
        let numberEnd = input.numberEnd(byte, from: position, end: end)
        // An end of 0 becomes a great length here.
        guard UInt(bitPattern: numberEnd &- position) <= TapeElement.spanLimit else {
          return .refused
        }
        top.append(TapeElement(.number, offset: position, span: numberEnd &- position).word)
        position = numberEnd
      } else if byte | 0x20 == JSONByte.openBrace {
        guard greatest.index &- limit.index < depthLimit else { return .refused }
        isObject = byte == JSONByte.openBrace
        let outer = open
        open = top.index
        top.append(TapeElement(isObject ? .object : .array, offset: position, span: outer).word)
        limit.advance(by: -1)
        position &+= 1
        var following = input[position]
        if following <= 0x20 {
          // In an object mostly a name follows, and its turn skips what precedes it.
          let distance = Int(truncatingIfNeeded: entry[0]) &- position
          if isObject && input.isGap(following, at: position, length: distance, end: end) {
            continue
          }
          let skipped = input.skipSpace(from: position, end: end)
          following = input[skipped]
          if !isObject || following == JSONByte.closeBrace { position = skipped }
        }
        if following != byte &+ 2 { continue }
      } else {
        guard position &+ 5 <= end else { return .refused }
        let letters = input.letters(at: position)
        if letters == JSONByte.null {
          top.append(TapeElement(.null, offset: position, span: 4).word)
        } else if letters == JSONByte.true {
          top.append(TapeElement(.true, offset: position, span: 4).word)
        } else if letters == JSONByte.fals, input[position &+ 4] == UInt8(ascii: "e") {
          top.append(TapeElement(.false, offset: position, span: 5).word)
          position &+= 1
        } else {
          return .refused
        }
        position &+= 4
      }
      // A value has ended. Close the containers that end with it.
      while true {
        var byte = input[position]
        if byte <= 0x20 {
          position = input.skipSpace(from: position, end: end)
          byte = input[position]
        }
        position &+= 1
        if byte == JSONByte.comma { break }
        guard byte == (isObject ? JSONByte.closeBrace : JSONByte.closeBracket) else {
          return .refused
        }
        let opening = TapeElement(word: room[open])
        room[open] =
          TapeElement(isObject ? .object : .array, offset: opening.offset, span: top.index).word
        top.append(TapeElement(.end, offset: position &- 1, span: open).word)
        open = opening.span
        isObject = TapeElement(word: room[open]).isObject
        limit.advance(by: 1)
        let isClosed = !(greatest > limit)
        if isClosed || position >= end {
          count = top.index
          return isClosed && position == end ? .done : .refused
        }
      }
    }
  }
}
