/// A text as a reader would decode it, and the source of each of its bytes.
///
/// The escapes of JSON, of string literals in other languages, of URLs and of HTML are all read in
/// one pass. An echo does not say how it was written.
struct DecodedText {
  private(set) var bytes: [UInt8]
  /// Where each byte begins in the original text, and the end of that text. Empty: nothing was
  /// decoded, and each byte is if it was.
  private var origins: [UInt32] = []

  /// The maximum number of times that a text is decoded: an echo may be escaped inside an escaped
  /// text.
  static let mostLayers = 4

  /// The text as it is.
  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  private init(bytes: [UInt8], origins: [UInt32]) {
    self.bytes = bytes
    self.origins = origins
  }

  /// The bytes of the original text that a part of this one was decoded from.
  func origin(of range: Range<Int>) -> Range<Int> {
    origins.isEmpty
      ? range : Int(origins[range.lowerBound])..<Int(origins[range.upperBound])
  }

  /// Calls `body` with the text as it is, then with each layer of escapes taken off.
  ///
  /// - Complexity: O(bytes) if nothing is escaped, else O(bytes × layers).
  static func forEachLayer(of bytes: [UInt8], _ body: (DecodedText) -> Void) {
    var text = DecodedText(bytes)
    body(text)
    if let repaired = text.withLatin1Repaired() {
      text = repaired
      body(text)
    }
    for _ in 0..<mostLayers {
      guard let decoded = text.decoded() else { return }
      text = decoded.withLatin1Repaired() ?? decoded
      body(text)
    }
  }

  /// The text with one layer of escapes taken off; `nil` if there is none.
  private func decoded() -> DecodedText? {
    guard bytes.contains(where: EscapeReader.mayBegin) else { return nil }
    let reader = EscapeReader(bytes: bytes)
    var result: [UInt8] = []
    var starts: [UInt32] = []
    result.reserveCapacity(bytes.count)
    starts.reserveCapacity(bytes.count + 1)
    var index = 0
    while index < bytes.count {
      let start = origins.isEmpty ? UInt32(index) : origins[index]
      guard EscapeReader.mayBegin(bytes[index]), let escape = reader.escape(at: index) else {
        result.append(bytes[index])
        starts.append(start)
        index += 1
        continue
      }
      switch escape.meaning {
      case .byte(let byte): result.append(byte)
      case .scalar(let scalar): result += UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
      }
      while starts.count < result.count { starts.append(start) }
      index += escape.length
    }
    guard result.count < bytes.count else { return nil }
    starts.append(origins.last ?? UInt32(bytes.count))
    return DecodedText(bytes: result, origins: starts)
  }

  /// The text with bytes that are not UTF-8 read as Latin-1; `nil` if all of it is UTF-8.
  private func withLatin1Repaired() -> DecodedText? {
    guard bytes.contains(where: { $0 >= 0x80 }) else { return nil }
    var result: [UInt8] = []
    var starts: [UInt32] = []
    var index = 0
    var isRepaired = false
    while index < bytes.count {
      let length = Self.validLength(at: index, of: bytes)
      let start = origins.isEmpty ? UInt32(index) : origins[index]
      if length == 0 {
        isRepaired = true
        result += [0xC0 | bytes[index] >> 6, 0x80 | bytes[index] & 0x3F]
        starts += [start, start]
        index += 1
      } else {
        for offset in index..<index + length {
          result.append(bytes[offset])
          starts.append(origins.isEmpty ? UInt32(offset) : origins[offset])
        }
        index += length
      }
    }
    guard isRepaired else { return nil }
    starts.append(origins.last ?? UInt32(bytes.count))
    return DecodedText(bytes: result, origins: starts)
  }

  /// The length of the UTF-8 sequence that begins at `index`; 0: none does.
  private static func validLength(at index: Int, of bytes: [UInt8]) -> Int {
    let length =
      switch bytes[index] {
      case ..<0x80: 1
      case 0xC2...0xDF: 2
      case 0xE0...0xEF: 3
      case 0xF0...0xF4: 4
      default: 0
      }
    guard index + length <= bytes.count else { return 0 }
    for offset in 1..<max(1, length) where bytes[index + offset] & 0xC0 != 0x80 { return 0 }
    return length
  }
}
