// Where things end. Common cases are inlined into the parser, and rare ones are not. An end of 0
// means that the text is wrong there.

extension InputBytes {
  // MARK: Strings

  /// Judges the multi-byte sequences that begin at `start` or later in the 64 bytes from `base` on.
  /// `high` marks the bytes past ASCII. Gives the end of the last one, or 0 if one is wrong.
  @inline(never) func sequencesEnd(_ high: UInt64, at base: Int, from start: Int, end: Int) -> Int {
    var at = max(base, start)
    while true {
      let distance = at &- base
      if distance >= 64 { return at }
      let rest = high &>> UInt64(distance)
      if rest == 0 { return at }
      at &+= rest.trailingZeroBitCount
      repeat {
        let length = sequenceLength(at: at, end: end)
        if length == 0 { return 0 }
        at &+= length
      } while at < end && at &- base < 64 && self[at] >= 0x80
    }
  }

  @inline(__always) private func sequenceLength(at index: Int, end: Int) -> Int {
    guard index &+ 16 <= end else {
      func byte(_ distance: Int) -> UInt8 {
        index &+ distance < end ? self[index &+ distance] : 0
      }
      return UTF8Sequence.length(self[index], byte(1), byte(2), byte(3))
    }
    return UTF8Sequence.length(
      self[index], self[index &+ 1], self[index &+ 2], self[index &+ 3])
  }

  // MARK: Numbers and literals

  /// Past the number that begins at `start` with `byte`, a digit or a minus.
  @inline(__always) func numberEnd(_ byte: UInt8, from start: Int, end: Int) -> Int {
    let first = byte == JSONByte.minus ? start &+ 1 : start
    guard first &+ 32 <= end else { return lastNumberEnd(from: first) }
    var others = ~digits32(at: first)
    var length = others.trailingZeroBitCount
    // No digit at all, or one too many after a zero.
    if length == 0 || self[first] == 0x30 && length > 1 { return 0 }
    var next = self[first &+ length]
    if next == JSONByte.point, length < 32 {
      others &= others &- 1
      let fraction = length &+ 1
      length = others.trailingZeroBitCount
      if length == fraction, length < 32 { return 0 }
      next = self[first &+ length]
    }
    if length >= 32 || next | 0x20 == UInt8(ascii: "e") { return lastNumberEnd(from: first) }
    return first &+ length
  }

  /// The same for numbers that are long, have exponents, or end the text.
  @inline(never) private func lastNumberEnd(from first: Int) -> Int {
    var at = digitsEnd(from: first)
    if at == first || self[first] == 0x30 && at > first + 1 { return 0 }
    if self[at] == JSONByte.point {
      let fraction = at + 1
      at = digitsEnd(from: fraction)
      if at == fraction { return 0 }
    }
    if self[at] | 0x20 == UInt8(ascii: "e") {
      at += 1
      if self[at] == JSONByte.plus || self[at] == JSONByte.minus { at += 1 }
      let exponent = at
      at = digitsEnd(from: exponent)
      if at == exponent { return 0 }
    }
    return at
  }

  private func digitsEnd(from start: Int) -> Int {
    var at = start
    while JSONByte.isDigit(self[at]) { at += 1 }
    return at
  }

  // MARK: White space

  /// The place of the first byte that is not white space.
  @inline(never) func skipSpace(from start: Int, end: Int) -> Int {
    var at = start
    // Mostly it is a line break and an indentation.
    if self[at] == 0x0A, at &+ 32 <= end {
      at &+= (~(blanks32(at: at) | 1)).trailingZeroBitCount & 31
      if self[at] > 0x20 { return at }
    }
    while at &+ 16 <= end {
      let spaces = spaces16(at: at)
      if spaces != 0xFFFF { return at &+ (~spaces).trailingZeroBitCount }
      at &+= 16
    }
    while JSONByte.isSpace(self[at]) { at += 1 }
    return at
  }

  /// Whether there is only white space in the `length` bytes at `start`, the first being `byte`.
  @inline(__always) func isGap(_ byte: UInt8, at start: Int, length: Int, end: Int) -> Bool {
    // Mostly it is a line break and an indentation. A negative length is a great one here.
    if byte == 0x0A, start &+ 32 <= end {
      let others = ~(blanks32(at: start) | 1)
      if UInt(bitPattern: others.trailingZeroBitCount) >= UInt(bitPattern: length) { return true }
    }
    return skipSpace(from: start, end: end) == start &+ length
  }
}
