/// Reads the Unicode scalars of UTF-8 bytes, knowing whether another follows. An ill-formed byte
/// counts as U+FFFD.
struct ScalarReader {
  private let bytes: ArraySlice<UInt8>
  private var position: Int

  /// - Parameter offset: The bytes that are not read, but precede the others.
  init(_ bytes: ArraySlice<UInt8>, from offset: Int = 0) {
    self.bytes = bytes
    position = bytes.startIndex + offset
  }

  /// The bytes before the next scalar.
  var offset: Int { position - bytes.startIndex }

  var isAtEnd: Bool { position == bytes.endIndex }

  mutating func next() -> UInt32? {
    guard !isAtEnd else { return nil }
    return Self.scalar(in: bytes, at: &position)
  }

  /// The scalar at a position of the bytes, which it moves past.
  @inline(__always)
  static func scalar(in bytes: ArraySlice<UInt8>, at position: inout Int) -> UInt32 {
    let first = bytes[position]
    position += 1
    if first < 0x80 { return UInt32(first) }
    let count = first >= 0xF0 ? 3 : first >= 0xE0 ? 2 : first >= 0xC0 ? 1 : 0
    guard count > 0 else { return 0xFFFD }
    var value = UInt32(first) & (0x3F >> UInt32(count))
    for _ in 0..<count {
      guard position < bytes.endIndex, bytes[position] & 0xC0 == 0x80 else { return 0xFFFD }
      value = value << 6 | UInt32(bytes[position] & 0x3F)
      position += 1
    }
    return value
  }
}
