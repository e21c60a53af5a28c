extension JSONDocument {
  /// The decoded string or name at `index`.
  package func string(at index: Int) -> String {
    let element = element(at: index)
    let content = contentRange(at: index)
    if element.isPlainString {
      // Not as a slice, which counts a reference.
      return bytes.withUnsafeBufferPointer {
        String(decoding: UnsafeBufferPointer(rebasing: $0[content]), as: UTF8.self)
      }
    }
    return String(decoding: decodedBytes(in: content), as: UTF8.self)
  }

  /// The decoded UTF-8 of the string or name at `index`.
  package func utf8(at index: Int) -> [UInt8] {
    let content = contentRange(at: index)
    if element(at: index).isPlainString { return Array(bytes[content]) }
    return decodedBytes(in: content)
  }

  /// Calls `body` with the decoded UTF-8 of the string at `index`, in place if it holds no escapes,
  /// so that nothing is copied then.
  package func withUTF8<Result>(
    at index: Int, _ body: (ArraySlice<UInt8>) throws -> Result
  ) rethrows -> Result {
    let content = contentRange(at: index)
    if element(at: index).isPlainString { return try body(bytes[content]) }
    return try body(decodedBytes(in: content)[...])
  }

  private func decodedBytes(in content: Range<Int>) -> [UInt8] {
    var decoded: [UInt8] = []
    decoded.reserveCapacity(content.count)
    for piece in StringPieces(bytes, in: content) {
      var utf8 = piece.utf8
      for _ in 0..<piece.length {
        decoded.append(UInt8(truncatingIfNeeded: utf8))
        utf8 >>= 8
      }
    }
    return decoded
  }

  @usableFromInline package func decodedStringEquals(
    _ element: TapeElement, _ utf8: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    guard element.isString, utf8.count <= element.span else { return false }
    var position = 0
    let content = element.offset..<element.offset + element.span
    for piece in StringPieces(bytes, in: content) {
      var expected = piece.utf8
      for _ in 0..<piece.length {
        guard position < utf8.count, utf8[position] == UInt8(truncatingIfNeeded: expected) else {
          return false
        }
        position += 1
        expected >>= 8
      }
    }
    return position == utf8.count
  }

  /// Whether two strings or names, of this document and another, are the same when decoded.
  package func stringEquals(at index: Int, in other: JSONDocument, at otherIndex: Int) -> Bool {
    guard other.element(at: otherIndex).isString else { return false }
    return other.withUTF8(at: otherIndex) { utf8 in
      utf8.withUnsafeBufferPointer { stringEquals(at: index, $0) }
    }
  }

  /// Where the UTF-8 offsets of a decoded string are in the text. An offset within an escape covers
  /// the whole escape.
  func sourceRange(at index: Int, ofDecoded decoded: Range<Int>) -> Range<Int> {
    let content = contentRange(at: index)
    guard !element(at: index).isPlainString else {
      let lower = min(content.lowerBound + max(decoded.lowerBound, 0), content.upperBound)
      let upper = min(content.lowerBound + max(decoded.upperBound, 0), content.upperBound)
      return lower..<max(lower, upper)
    }
    var lower = content.upperBound
    var upper = content.upperBound
    var position = 0
    var foundLower = false
    for piece in StringPieces(bytes, in: content) {
      if !foundLower && decoded.lowerBound < position + piece.length {
        lower = piece.range.lowerBound
        foundLower = true
      }
      if decoded.upperBound <= position {
        upper = piece.range.lowerBound
        break
      }
      position += piece.length
    }
    return lower..<max(lower, upper)
  }
}
