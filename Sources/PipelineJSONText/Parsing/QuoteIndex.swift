internal import CPipelineByteMasks

/// Finds the quotes that open and close strings, 64 bytes at a time, ahead of the parser. Also
/// checks the content of strings: escapes, control characters, UTF-8.
///
/// A parser that looks for the end of each string waits for the end of the previous one. Here
/// nothing waits: which bytes are quotes is reported from the bytes alone, and the parser reads the
/// places from a list. Outside strings no byte is judged but a backslash, which has no place there.
struct QuoteIndex {
  private let input: InputBytes
  private let end: Int
  private let processor: cbm_processor
  /// The places of quotes. A closing quote's place has `escapeMark` added if its string has
  /// escapes. `none` follows the last of them.
  let entries: TapeRoom
  /// Where the next 64 bytes begin, and the state at their start.
  private var state: cbm_quotes
  static let escapeMark: UInt64 = 1 << 63
  static let none = UInt64.max

  /// 1 if the byte at `base` follows a backslash.
  private var isEscaped: UInt64 = 0
  /// Where the second half of a surrogate pair is due.
  private var lowSurrogateAt = -1

  init(
    input: InputBytes, from start: Int, to end: Int, entries: TapeRoom, processor: cbm_processor
  ) {
    self.input = input
    self.end = end
    self.entries = entries
    self.processor = processor
    state = cbm_quotes(base: start, in_string: 0, has_escape: 0, judged: 0, count: 0)
    entries[0] = Self.none
    entries[1] = Self.none
  }

  /// A string between two quotes.
  struct Quoted {
    /// The places of the quotes.
    let open: UInt64
    let close: UInt64
    let tag: UInt64

    /// Its word on the tape.
    @inline(__always) var word: UInt64 { (open &<< 32) &+ ((close &- open) &<< 4) &+ tag }
    /// Past its closing quote.
    @inline(__always) var end: Int { Int(truncatingIfNeeded: close) &+ 1 }
  }

  /// Takes the string of the two quotes at `entry` and moves past them; `nil` if there are not two
  /// more, or a string is wrong.
  @inline(__always) mutating func take(_ entry: inout TapeCursor) -> Quoted? {
    var open = entry[0]
    var close = entry[1]
    var tag = TapeElement.stringTag
    if close >= Self.escapeMark {
      if close == Self.none {
        guard refill(from: entry.index) else { return nil }
        entry = entries.cursor(at: 0)
        open = entry[0]
        close = entry[1]
      }
      if close >= Self.escapeMark {
        close &-= Self.escapeMark
        tag &+= 1
      }
    }
    entry.advance(by: 2)
    return Quoted(open: open, close: close, tag: tag)
  }

  /// Reads on, and moves the entries from `next` on (at most one, an opening quote) to the front.
  /// `false` if less than a whole string follows, or a string is wrong.
  @inline(never) mutating func refill(from next: Int) -> Bool {
    let left = state.count - next
    if left > 0 { entries[0] = entries[next] }
    state.count = left
    let start = state.base
    // Room for the entries of a block, and for writes past them.
    let enough = entries.capacity - 72
    while state.base < end, state.count < 2 || state.count <= enough {
      if state.count < 2 && state.base - start > TapeElement.spanLimit - 4096 { return false }
      if isEscaped == 0 {
        input.indexQuotes(&state, processor, end: end, into: entries, enough: enough)
        if state.base >= end || state.count > enough { break }
      }
      guard readBlock() else { return false }
    }
    entries[state.count] = Self.none
    entries[state.count + 1] = Self.none
    return state.count >= 2
  }

  /// Reads one block, whatever strings hold in it.
  private mutating func readBlock() -> Bool {
    let base = state.base
    let masks = input.stringMasks(at: base, end: end)
    var quotes = masks.quotes
    if masks.backslashes != 0 || isEscaped != 0 {
      guard let escaped = escapes(masks.backslashes) else { return false }
      quotes &= ~escaped
    }
    let strings = prefixXor(quotes) ^ state.in_string
    state.in_string = UInt64(bitPattern: Int64(bitPattern: strings) >> 63)
    if masks.controls & strings | masks.backslashes & ~strings != 0 { return false }
    guard judgeSequences(masks.high) else { return false }
    append(quotes, backslashes: masks.backslashes)
    state.base = base + 64
    return true
  }

  /// Judges the multi-byte sequences of the block, and the rest of one begun before it.
  private mutating func judgeSequences(_ high: UInt64) -> Bool {
    if high == 0 { return state.judged <= state.base }
    if let judged = input.plainSequencesEnd(at: state.base, judged: state.judged, end: end) {
      state.judged = judged
      return true
    }
    var at = state.base
    while at < state.judged {
      guard at < end, UTF8Sequence.isContinuation(input[at]) else { return false }
      at += 1
    }
    at = input.sequencesEnd(high, at: state.base, from: at, end: end)
    state.judged = at
    return at != 0
  }

  /// Appends the places of quotes, with a mark at the closing quote of each string with an escape.
  private mutating func append(_ quotes: UInt64, backslashes: UInt64) {
    var quotes = quotes
    var backslashes = backslashes
    var hasEscape = state.has_escape != 0
    while quotes != 0 {
      let bit = quotes.trailingZeroBitCount
      let below: UInt64 = (1 &<< UInt64(bit)) &- 1
      if backslashes & below != 0 { hasEscape = true }
      backslashes &= ~below
      entries[state.count] = UInt64(state.base &+ bit) | (hasEscape ? Self.escapeMark : 0)
      // An opening quote cannot follow a backslash inside its string.
      hasEscape = false
      state.count &+= 1
      quotes &= quotes &- 1
    }
    state.has_escape = hasEscape || backslashes != 0 ? 1 : 0
  }

  /// Judges the escapes that begin in this block. Gives the bytes that follow their backslashes.
  private mutating func escapes(_ backslashes: UInt64) -> UInt64? {
    var escaped = isEscaped
    var backslashes = backslashes & ~isEscaped
    isEscaped = 0
    while backslashes != 0 {
      let bit = backslashes.trailingZeroBitCount
      guard judgeEscape(at: state.base + bit) else { return nil }
      if bit == 63 {
        isEscaped = 1
        break
      }
      escaped |= 2 << UInt64(bit)
      backslashes &= ~(3 << UInt64(bit))
    }
    return escaped
  }

  private mutating func judgeEscape(at index: Int) -> Bool {
    guard index + 1 < end else { return false }
    switch input[index + 1] {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"),
      UInt8(ascii: "f"), UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      return true
    case UInt8(ascii: "u"):
      guard let unit = unit(at: index) else { return false }
      if unit & 0xF800 != 0xD800 { return true }
      if unit >= 0xDC00 { return index == lowSurrogateAt }
      lowSurrogateAt = index + 6
      guard let low = self.unit(at: index + 6) else { return false }
      return low & 0xFC00 == 0xDC00
    default: return false
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

  /// Each bit the sum of the bits up to it: ones from an odd bit to the next, which is left out.
  @inline(__always) private func prefixXor(_ bits: UInt64) -> UInt64 {
    var sum = bits
    sum ^= sum &<< 1
    sum ^= sum &<< 2
    sum ^= sum &<< 4
    sum ^= sum &<< 8
    sum ^= sum &<< 16
    sum ^= sum &<< 32
    return sum
  }
}
