// The unsafe pointers of parsing. Each states its reason.

internal import CPipelineByteMasks

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// The text while the strict parser reads it.
///
/// A pointer, because an array is retained and bounds-checked at each byte, which costs a third of
/// the parser's speed. It lives inside one `withUnsafeBufferPointer`. The parser's invariant is
/// that no read passes the end (see `StrictParser`). Debug builds check every read.
struct InputBytes {
  private let base: UnsafePointer<UInt8>
  let count: Int

  private init?(_ buffer: UnsafeBufferPointer<UInt8>) {
    guard let base = buffer.baseAddress else { return nil }
    self.base = base
    count = buffer.count
  }

  /// Reads an array for the time of `body`.
  @inline(__always) static func reading<Result>(
    _ bytes: [UInt8], _ body: (InputBytes) -> Result?
  ) -> Result? {
    bytes.withUnsafeBufferPointer { InputBytes($0).flatMap(body) }
  }

  @inline(__always) subscript(_ index: Int) -> UInt8 {
    assert(index >= 0 && index < count)
    return base[index]
  }

  /// Four bytes from `index` on, the first in the low bits.
  @inline(__always) func letters(at index: Int) -> UInt32 {
    assert(index >= 0 && index + 4 <= count)
    return UInt32(littleEndian: UnsafeRawPointer(base + index).loadUnaligned(as: UInt32.self))
  }

  /// Which of sixteen bytes from `index` on are white space, the first byte in the lowest bit.
  @inline(__always) func spaces16(at index: Int) -> UInt64 {
    assert(index >= 0 && index + 16 <= count)
    return UInt64(cbm_spaces16(base + index))
  }

  /// Which of thirty-two bytes are U+0020.
  @inline(__always) func blanks32(at index: Int) -> UInt64 {
    assert(index >= 0 && index + 32 <= count)
    return UInt64(cbm_equal16(base + index, 0x20) | cbm_equal16(base + index + 16, 0x20) << 16)
  }

  /// Which of thirty-two bytes are digits.
  @inline(__always) func digits32(at index: Int) -> UInt64 {
    assert(index >= 0 && index + 32 <= count)
    return UInt64(cbm_digits16(base + index) | cbm_digits16(base + index + 16) << 16)
  }

  /// The masks of the 64 bytes from `index` on. Past `end` nothing matches.
  func stringMasks(at index: Int, end: Int) -> StringMasks {
    assert(index >= 0 && index <= end && end <= count)
    if index + 64 <= end { return StringMasks(base + index) }
    // The last 64 bytes, moved; or a copy of a shorter text.
    if end >= 64 { return StringMasks(base + end - 64).moved(by: index + 64 - end) }
    return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 64) { copy in
      copy.initialize(repeating: 0x20)
      UnsafeMutableRawBufferPointer(copy).copyMemory(
        from: UnsafeRawBufferPointer(start: base + index, count: end - index))
      return copy.baseAddress.map { StringMasks($0) } ?? StringMasks()
    }
  }

  /// The bytes that matter in strings, of 64.
  struct StringMasks {
    var quotes: UInt64 = 0
    var backslashes: UInt64 = 0
    /// Control characters.
    var controls: UInt64 = 0
    /// Bytes past ASCII.
    var high: UInt64 = 0

    fileprivate init() {}

    fileprivate init(_ bytes: UnsafePointer<UInt8>) {
      quotes = cbm_equal64(bytes, JSONByte.quote)
      backslashes = cbm_equal64(bytes, JSONByte.backslash)
      high = cbm_less64(bytes, 0)
      controls = cbm_less64(bytes, 0x20) & ~high
    }

    fileprivate func moved(by bits: Int) -> StringMasks {
      var masks = self
      masks.quotes >>= bits
      masks.backslashes >>= bits
      masks.controls >>= bits
      masks.high >>= bits
      return masks
    }
  }

  /// The end of the last sequence in the 64 bytes from `index` on, if all are plain. See
  /// `cbm_are_plain`.
  func plainSequencesEnd(at index: Int, judged: Int, end: Int) -> Int? {
    guard index + 64 <= end else { return nil }
    var due: UInt64 = judged > index ? (1 << UInt64(judged - index)) - 1 : 0
    guard cbm_are_plain64(base + index, &due) != 0 else { return nil }
    return index + 64 + due.nonzeroBitCount
  }

  /// Indexes the quotes of plain blocks. See `cbm_index_quotes`.
  @inline(__always) func indexQuotes(
    _ quotes: inout cbm_quotes, _ processor: cbm_processor, end: Int, into entries: TapeRoom,
    enough: Int
  ) {
    assert(quotes.base <= end && end <= count && enough + 72 <= entries.capacity)
    cbm_index_quotes(processor, base, end, entries.base, enough, &quotes)
  }
}

/// The room that a tape is written into.
///
/// A pointer, because appending to an array checks its uniqueness and capacity at every word. It
/// lives inside `Array.init(unsafeUninitializedCapacity:)`. The parser asks for room before it
/// writes. Debug builds check every write.
struct TapeRoom {
  fileprivate let base: UnsafeMutablePointer<UInt64>
  let capacity: Int

  private init?(_ buffer: UnsafeMutableBufferPointer<UInt64>) {
    guard let base = buffer.baseAddress else { return nil }
    self.base = base
    capacity = buffer.count
  }

  @inline(__always) subscript(_ index: Int) -> UInt64 {
    get {
      assert(index >= 0 && index < capacity)
      return base[index]
    }
    nonmutating set {
      assert(index >= 0 && index < capacity)
      base[index] = newValue
    }
  }

  /// Room for the time of `body`: on the stack up to 128 words.
  static func withTemporary<Result>(words: Int, _ body: (TapeRoom) -> Result?) -> Result? {
    withUnsafeTemporaryAllocation(of: UInt64.self, capacity: words) { buffer in
      TapeRoom(buffer).flatMap(body)
    }
  }

  /// An array of the words that `body` writes. `body` returns their number.
  @inline(__always) static func words(capacity: Int, _ body: (TapeRoom) -> Int) -> [UInt64] {
    [UInt64](unsafeUninitializedCapacity: capacity) { buffer, count in
      count = TapeRoom(buffer).map(body) ?? 0
    }
  }

  /// A place in the room from `index` on.
  @inline(__always) func cursor(at index: Int) -> TapeCursor {
    TapeCursor(room: self, index: index)
  }

  /// The first words as an array of just their size.
  func words(count: Int) -> [UInt64] {
    precondition(count >= 0 && count <= capacity)
    return Array(UnsafeBufferPointer(start: base, count: count))
  }

  /// Takes over the first words of another room.
  func copy(_ other: TapeRoom, count: Int) {
    precondition(count <= capacity && count <= other.capacity)
    base.update(from: other.base, count: count)
  }

  /// Takes over the words of a tape that grew too long for its room.
  func copy(_ words: [UInt64]) {
    precondition(words.count <= capacity)
    words.withUnsafeBufferPointer { source in
      if let start = source.baseAddress { base.update(from: start, count: source.count) }
    }
  }
}

/// A moving place in a `TapeRoom`. It takes one register, where an index and a base take two, and
/// the parser's loop has no second one.
struct TapeCursor {
  private var word: UnsafeMutablePointer<UInt64>
  private let room: TapeRoom

  fileprivate init(room: TapeRoom, index: Int) {
    assert(index >= 0 && index <= room.capacity)
    self.room = room
    word = room.base + index
  }

  /// The number of words before it in the room.
  @inline(__always) var index: Int { word - room.base }

  /// The word that many places further.
  @inline(__always) subscript(_ distance: Int) -> UInt64 {
    assert(index + distance < room.capacity)
    return word[distance]
  }

  @inline(__always) mutating func advance(by distance: Int) { word += distance }

  /// Writes a word and moves past it.
  @inline(__always) mutating func append(_ new: UInt64) {
    assert(index < room.capacity)
    word.pointee = new
    word += 1
  }

  @inline(__always) static func > (left: TapeCursor, right: TapeCursor) -> Bool {
    left.word > right.word
  }
}

/// Whether the bytes from `start` on are `expected`. Bounds are checked once, not at each byte.
@usableFromInline func bytesEqual(
  _ bytes: [UInt8], from start: Int, _ expected: UnsafeBufferPointer<UInt8>
) -> Bool {
  precondition(start >= 0 && start + expected.count <= bytes.count)
  return bytes.withUnsafeBufferPointer { bytes in
    guard let bytes = bytes.baseAddress, let first = expected.baseAddress else { return true }
    return memcmp(bytes + start, first, expected.count) == 0
  }
}
