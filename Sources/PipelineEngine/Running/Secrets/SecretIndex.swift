/// Finds any of very many secrets in a text, in one pass.
///
/// A secret is found by its first bytes and then by a hash of the whole. So it is added in O(its
/// length), and the secrets themselves are not kept. ASCII letters are compared without case,
/// because hosts and names of header fields are lowercased. `+` and a space are equal, as in forms.
package struct SecretIndex: Sendable {
  /// The fewest bytes that are looked for. Shorter texts occur in others by chance: a PIN in an id.
  package static let shortest = 6

  /// The hashes of the whole secrets.
  private var known: Set<UInt64> = []
  /// The lengths of the secrets that begin alike, by their first bytes.
  private var lengths: [UInt64: Lengths] = [:]
  private var filter = KeyFilter()
  private(set) var numerals = NumeralIndex()
  /// Differs from run to run, so that no server can prepare texts that hash alike.
  private let seed = UInt64.random(in: .min ... .max)

  private enum Lengths: Sendable {
    case one(Int)
    /// The shortest first.
    case several([Int])

    var longest: Int {
      switch self {
      case .one(let length): length
      case .several(let lengths): lengths.last ?? 0
      }
    }

    mutating func insert(_ length: Int) {
      switch self {
      case .one(length): break
      case .one(let other): self = .several([min(length, other), max(length, other)])
      case .several(var lengths):
        let place = lengths.firstIndex { $0 >= length } ?? lengths.count
        guard place == lengths.count || lengths[place] != length else { return }
        self = .several([])
        lengths.insert(length, at: place)
        self = .several(lengths)
      }
    }
  }

  /// How many forms of secrets there are.
  var count: Int { known.count }

  /// Adds a secret, in each form that decoding may leave it in.
  mutating func insert(_ secret: [UInt8]) {
    guard secret.count >= Self.shortest else { return }
    guard insert(pattern: secret) else { return }
    numerals.insert(secret)
    // Decoding a text with escapes decodes those of the secret, too.
    DecodedText.forEachLayer(of: secret) { layer in _ = insert(pattern: layer.bytes) }
    if let unreadable = Self.withUnreadableLatin1(secret) { _ = insert(pattern: unreadable) }
  }

  /// Returns whether it is new.
  private mutating func insert(pattern: [UInt8]) -> Bool {
    guard pattern.count >= Self.shortest else { return false }
    var hash = SecretHash(seed)
    for byte in pattern { hash.add(byte.folded) }
    guard known.insert(hash.value(length: pattern.count)).inserted else { return false }
    let key = pattern.prefix(Self.shortest).reduce(UInt64(0)) { $0 << 8 | UInt64($1.folded) }
    if filter.insert(key, count: lengths.count) { refill() }
    if lengths[key]?.insert(pattern.count) == nil { lengths[key] = .one(pattern.count) }
    return true
  }

  private mutating func refill() {
    for key in lengths.keys { filter.add(key) }
  }

  /// The secret as a text shows it whose Latin-1 was read as UTF-8; `nil` if it has no such
  /// letters.
  private static func withUnreadableLatin1(_ secret: [UInt8]) -> [UInt8]? {
    guard secret.contains(where: { $0 == 0xC2 || $0 == 0xC3 }) else { return nil }
    let scalars = String(decoding: secret, as: UTF8.self).unicodeScalars.map { scalar in
      (0x80...0xFF).contains(scalar.value) ? "\u{FFFD}" : scalar
    }
    var text = String.UnicodeScalarView()
    text.append(contentsOf: scalars)
    return Array(String(text).utf8)
  }

  /// Calls `body` with the place of each secret in `text`, in order, and with the longest of those
  /// at one place.
  ///
  /// - Parameter isCut: Whether the text continues elsewhere. Then the beginning of a secret that
  ///   would not fit is taken for one.
  /// - Complexity: O(bytes of the text), however many secrets there are and however they are alike.
  ///   If a text is made to look like very many of them at each byte, what may be one counts as one.
  func forEachMatch(in text: [UInt8], isCut: Bool = false, _ body: (Range<Int>) -> Void) {
    guard text.count >= Self.shortest else { return }
    var budget = 64 * text.count + 1 << 16
    text.withUnsafeBufferPointer { text in
      var key: UInt64 = 0
      for index in text.indices {
        key = (key << 8 | UInt64(text[index].folded)) & Self.keyMask
        guard filter.mayContain(key), index >= Self.shortest - 1, let lengths = lengths[key] else {
          continue
        }
        let start = index - (Self.shortest - 1)
        let isWithoutEnd = isCut && start + lengths.longest > text.count
        let length =
          isWithoutEnd
          ? text.count - start : length(of: lengths, in: text, at: start, &budget)
        if length > 0 { body(start..<start + length) }
      }
    }
  }

  /// Whether base64 in `text` may hold a secret: as it is, or in a text with escapes in it.
  ///
  /// Looks at each six bytes that the characters may stand for, without decoding the text.
  func mayHoldBase64(_ text: [UInt8]) -> Bool {
    text.withUnsafeBufferPointer { text in
      var (bits, count, hasCapital): (UInt64, Int, Bool) = (0, 0, false)
      for byte in text {
        let value = Base64Runs.value(byte)
        guard value < 64 else {
          if value == Base64Runs.lineBreak { continue }
          (count, hasCapital) = (0, false)
          continue
        }
        bits = bits << 6 | UInt64(value)
        count += 1
        if value < 26 { hasCapital = true }
        // Text in base64 has capitals: the first of four characters stands for a letter's high bits.
        if count >= Self.longEnough, hasCapital { return true }
        if count >= 8, mayContain(bits) { return true }
        if count >= 9, mayContain(bits >> 2) || mayContain(bits >> 4) { return true }
      }
      return false
    }
  }

  /// Characters of base64 that may stand for a text with escapes.
  private static let longEnough = 16

  private func mayContain(_ bytes: UInt64) -> Bool {
    let key = (bytes & Self.keyMask).foldedBytes
    return filter.mayContain(key) && lengths[key] != nil
  }

  private static let keyMask: UInt64 = 1 << (8 * UInt64(shortest)) - 1

  /// The length of the longest secret that begins at `start`; 0: none does.
  private func length(
    of lengths: Lengths, in text: UnsafeBufferPointer<UInt8>, at start: Int, _ budget: inout Int
  ) -> Int {
    guard budget > 0 else { return min(lengths.longest, text.count - start) }
    var hash = SecretHash(seed)
    var (found, hashed) = (0, 0)
    func isKnown(_ length: Int) -> Bool {
      while hashed < length {
        hash.add(text[start + hashed].folded)
        hashed += 1
      }
      return known.contains(hash.value(length: length))
    }
    switch lengths {
    case .one(let length):
      if start + length <= text.count, isKnown(length) { found = length }
    case .several(let lengths):
      for length in lengths where start + length <= text.count && isKnown(length) {
        found = length
      }
      budget -= lengths.count
    }
    budget -= hashed
    return found
  }
}

/// A hash of a text that is extended with each byte.
private struct SecretHash {
  private var state: UInt64

  init(_ seed: UInt64) { state = seed }

  mutating func add(_ byte: UInt8) {
    state = (state ^ UInt64(byte)) &* 0x9E37_79B9_7F4A_7C15
    state ^= state >> 29
  }

  func value(length: Int) -> UInt64 { state ^ UInt64(length) &* 0xD6E8_FEB8_6659_FD93 }
}

/// Says of most keys that they are not known, without a look into a dictionary.
private struct KeyFilter: Sendable {
  private var words: [UInt64] = Array(repeating: 0, count: 64)
  private var shift: UInt64 = 64 - 12

  /// Adds a key. Returns whether the filter has grown and must be filled again.
  ///
  /// - Parameter count: The number of keys.
  mutating func insert(_ key: UInt64, count: Int) -> Bool {
    add(key)
    guard count * 16 > words.count * 64 else { return false }
    words = Array(repeating: 0, count: words.count * 4)
    shift -= 2
    add(key)
    return true
  }

  mutating func add(_ key: UInt64) {
    let bit = bit(key)
    words[bit >> 6] |= 1 << UInt64(bit & 63)
  }

  func mayContain(_ key: UInt64) -> Bool {
    let bit = bit(key)
    return words[bit >> 6] & 1 << UInt64(bit & 63) != 0
  }

  private func bit(_ key: UInt64) -> Int { Int((key &* 0x9E37_79B9_7F4A_7C15) >> shift) }
}

extension UInt8 {
  /// As secrets are compared: in lower case, and `+` as a space.
  var folded: UInt8 {
    if self &- 0x41 < 26 { return self | 0x20 }
    return self == 0x2B ? 0x20 : self
  }
}

extension UInt64 {
  /// Eight bytes, each folded.
  fileprivate var foldedBytes: UInt64 {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let (lowBits, highBits) = (ones &* 0x7F, ones &* 0x80)
    let low = self & lowBits
    let capitals = ((low &+ (ones &* 0x3F)) ^ (low &+ (ones &* 0x25))) & highBits & ~self
    let text = self | (capitals >> 2)
    let difference = text ^ (ones &* 0x2B)
    let others = ((difference & lowBits) &+ lowBits) | difference | lowBits
    return text ^ ((~others >> 7) &* 0x0B)
  }
}
