internal import CPipelineByteMasks

// Scanning a text 16 bytes at a time.
extension UnsafeBufferPointer<UInt8> {
  /// Where one of two bytes is first, from `start` on; `count` if neither is.
  @inline(__always)
  func place(of one: UInt8, or other: UInt8, from start: Int) -> Int {
    place(from: start, { cbm_equal16($0, one) | cbm_equal16($0, other) }) {
      $0 == one || $0 == other
    }
  }

  /// Where a byte is first that a JSON string does not have as it is; `count` if there is none.
  @inline(__always)
  func placeInString(from start: Int) -> Int {
    place(
      from: start,
      {
        cbm_equal16($0, Byte.quote) | cbm_equal16($0, Byte.backslash)
          | (cbm_less16($0, 0x20) & ~cbm_less16($0, 0))
      }
    ) { $0 < 0x20 || $0 == Byte.quote || $0 == Byte.backslash }
  }

  /// Where a byte is first that is not of ASCII; `count` if there is none.
  @inline(__always)
  func placePastASCII(from start: Int = 0) -> Int {
    place(from: start, { cbm_less16($0, 0) }) { $0 >= 0x80 }
  }

  /// Where a byte is first that a text of XML does not have as it is: a reference, the end of a CDATA
  /// section, a control character, or the beginning of a character that XML does not have.
  @inline(__always)
  func placeInXML(from start: Int) -> Int {
    place(
      from: start,
      {
        cbm_equal16($0, XMLByte.ampersand) | cbm_equal16($0, XMLByte.greater)
          | cbm_equal16($0, XMLByte.less) | cbm_equal16($0, 0xEF)
          | (cbm_less16($0, 0x20) & ~cbm_less16($0, 0))
      }
    ) {
      $0 < 0x20 || $0 == XMLByte.ampersand || $0 == XMLByte.greater || $0 == XMLByte.less
        || $0 == 0xEF
    }
  }

  /// Where a byte is first that is looked for.
  ///
  /// - Parameters:
  ///   - mask: Which of 16 bytes are.
  ///   - isMeant: Whether one is.
  @inline(__always)
  private func place(
    from start: Int, _ mask: (UnsafePointer<UInt8>) -> UInt32, _ isMeant: (UInt8) -> Bool
  ) -> Int {
    guard let base = baseAddress else { return 0 }
    var index = start
    while index &+ 16 <= count {
      let found = mask(base + index)
      if found != 0 { return index &+ found.trailingZeroBitCount }
      index &+= 16
    }
    while index < count, !isMeant(base[index]) { index &+= 1 }
    return index
  }

  /// Whether two texts have the same bytes.
  @inline(__always)
  func hasBytes(of other: UnsafeBufferPointer<UInt8>) -> Bool {
    guard count == other.count else { return false }
    for index in 0..<count where self[index] != other[index] { return false }
    return true
  }

  /// Whether the bytes are those of a text in ASCII.
  @inline(__always)
  func equals(_ text: StaticString) -> Bool {
    guard count == text.utf8CodeUnitCount else { return false }
    for index in 0..<count where self[index] != text.utf8Start[index] { return false }
    return true
  }

  /// Where the first byte is that is not of well-formed UTF-8; `nil` if there is none.
  var firstFaultOfUTF8: Int? {
    let start = placePastASCII()
    guard start < count else { return nil }
    let rest = self[part: start..<count]
    guard String(validating: rest, as: UTF8.self) == nil else { return nil }
    var decoder = UTF8()
    var offset = start
    var iterator = rest.makeIterator()
    while true {
      switch decoder.decode(&iterator) {
      case .scalarValue(let scalar): offset += UTF8.width(scalar)
      case .emptyInput: return offset < count ? offset : nil
      case .error: return offset
      }
    }
  }

  /// The bytes without a sequence of UTF-8 at their end whose rest is missing.
  var withoutCutSequence: UnsafeBufferPointer<UInt8> {
    for length in 1...3 where length <= count {
      let byte = self[count - length]
      if byte < 0x80 { return self }
      guard byte >= 0xC0 else { continue }
      let whole = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : 2
      return length < whole ? self[part: 0..<count - length] : self
    }
    return self
  }
}
