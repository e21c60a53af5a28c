// Swift compares text by canonical equality and cuts it between characters. So "/" with a combining
// mark is one character that is not "/", U+212A equals "K", and CR LF equals neither CR nor LF.
// Text on which a decision depends is compared and cut by bytes, with the functions of this file.

extension StringProtocol {
  /// Whether both texts are the same bytes.
  @inlinable
  package func equals(bytes other: some StringProtocol) -> Bool {
    withBytes(of: other) { $0.count == $1.count && $0.elementsEqual($1) }
      ?? utf8.elementsEqual(other.utf8)
  }

  /// Whether the text's first bytes are those of `prefix`.
  @inlinable
  package func hasPrefix(bytes prefix: some StringProtocol) -> Bool {
    withBytes(of: prefix) { $0.starts(with: $1) } ?? utf8.starts(with: prefix.utf8)
  }

  /// Calls `body` with the bytes of both texts, which is many times as fast as walking them; `nil`
  /// if they do not lie together.
  @inlinable
  func withBytes<Result>(
    of other: some StringProtocol,
    _ body: (UnsafeBufferPointer<UInt8>, UnsafeBufferPointer<UInt8>) -> Result
  ) -> Result? {
    utf8.withContiguousStorageIfAvailable { own in
      other.utf8.withContiguousStorageIfAvailable { body(own, $0) }
    } ?? nil
  }

  /// Whether the text's last bytes are those of `suffix`.
  @inlinable
  package func hasSuffix(bytes suffix: some StringProtocol) -> Bool {
    Substring(self).utf8.reversed().starts(with: Substring(suffix).utf8.reversed())
  }

  /// Whether the bytes of `text`, which are not empty, are somewhere in this text.
  @inlinable
  package func contains(bytes text: some StringProtocol) -> Bool { firstRange(bytes: text) != nil }

  /// The first place of the bytes of `text`, which are not empty; nil if there is none.
  @inlinable
  package func firstRange(bytes text: some StringProtocol) -> Range<Index>? {
    guard let offset = withBytes(of: text, firstOffset) else { return walkingRange(bytes: text) }
    guard let offset else { return nil }
    let start = utf8.index(startIndex, offsetBy: offset)
    return start..<utf8.index(start, offsetBy: text.utf8.count)
  }

  /// The first place of some bytes in a text whose bytes do not lie together.
  @usableFromInline
  func walkingRange(bytes text: some StringProtocol) -> Range<Index>? {
    guard let first = text.utf8.first else { return nil }
    var rest = utf8[...]
    while let start = rest.firstIndex(of: first) {
      if rest[start...].starts(with: text.utf8) {
        return start..<utf8.index(start, offsetBy: text.utf8.count)
      }
      rest = rest[utf8.index(after: start)...]
    }
    return nil
  }

  /// Whether the ASCII character `scalar` is somewhere in this text.
  @inlinable
  package func contains(ascii scalar: Unicode.Scalar) -> Bool {
    let byte = UInt8(ascii: scalar)
    return utf8.withContiguousStorageIfAvailable { $0.contains(byte) } ?? utf8.contains(byte)
  }

  /// Where the ASCII character `scalar` is first.
  @inlinable
  package func firstIndex(ascii scalar: Unicode.Scalar) -> Index? {
    utf8.firstIndex(of: UInt8(ascii: scalar))
  }

  /// Where the ASCII character `scalar` is last.
  @inlinable
  package func lastIndex(ascii scalar: Unicode.Scalar) -> Index? {
    Substring(self).utf8.lastIndex(of: UInt8(ascii: scalar))
  }

  /// The text before the first of the ASCII characters in `scalars`, or the whole text.
  @inlinable
  package func prefix(before scalars: Unicode.Scalar...) -> SubSequence {
    self[..<(utf8.firstIndex { byte in scalars.contains { $0.value == byte } } ?? endIndex)]
  }

  /// The text after its first `count` bytes, which end a character of Unicode.
  @inlinable
  package func dropFirst(bytes count: Int) -> SubSequence {
    self[(utf8.index(startIndex, offsetBy: count, limitedBy: endIndex) ?? endIndex)...]
  }

  /// The text before its last `count` bytes, which begin a character of Unicode.
  @inlinable
  package func dropLast(bytes count: Int) -> SubSequence {
    self[..<utf8.index(startIndex, offsetBy: Swift.max(0, utf8.count - count))]
  }

  /// The parts between the ASCII characters `separator`, without empty ones unless asked for.
  package func split(
    ascii separator: Unicode.Scalar, maxSplits: Int = .max, omittingEmptySubsequences: Bool = true
  ) -> [SubSequence] {
    utf8.split(
      separator: UInt8(ascii: separator), maxSplits: maxSplits,
      omittingEmptySubsequences: omittingEmptySubsequences
    ).map { self[$0.startIndex..<$0.endIndex] }
  }

  /// The parts between the bytes of `separator`, which are not empty.
  package func split(bytes separator: String) -> [String] {
    var parts: [String] = []
    var rest = self[...]
    while let range = rest.firstRange(bytes: separator) {
      parts.append(String(rest[..<range.lowerBound]))
      rest = rest[range.upperBound...]
    }
    return parts + [String(rest)]
  }

  /// This text with `replacement` in place of the bytes of `text`, which are not empty.
  package func replacing(bytes text: String, with replacement: String) -> String {
    var result = ""
    var rest = self[...]
    while let range = rest.firstRange(bytes: text) {
      result += rest[..<range.lowerBound]
      result += replacement
      rest = rest[range.upperBound...]
    }
    return result + rest
  }

  /// This text with ASCII capitals in lower case and everything else unchanged.
  package var lowercasedASCII: String {
    var text = String(self)
    let lowered = text.withUTF8 { bytes -> String? in
      guard bytes.contains(where: { $0 != $0.lowercasedASCII }) else { return nil }
      return String(unsafeUninitializedCapacity: bytes.count) { buffer in
        for index in bytes.indices { buffer[index] = bytes[index].lowercasedASCII }
        return bytes.count
      }
    }
    return lowered ?? text
  }
}

/// Where `bytes` are first in `text`; nil if they are nowhere, or none.
@usableFromInline
func firstOffset(
  in text: UnsafeBufferPointer<UInt8>, of bytes: UnsafeBufferPointer<UInt8>
) -> Int? {
  guard let first = bytes.first, bytes.count <= text.count else { return nil }
  for start in 0...text.count - bytes.count where text[start] == first {
    var length = 1
    while length < bytes.count, text[start + length] == bytes[length] { length += 1 }
    if length == bytes.count { return start }
  }
  return nil
}

extension [UInt8] {
  /// Whether the bytes of `text`, which are not empty, are somewhere among these.
  package func contains(bytes text: String) -> Bool {
    var text = text
    return text.withUTF8 { text in
      withUnsafeBufferPointer { firstOffset(in: $0, of: text) != nil }
    }
  }
}

extension String {
  /// Whether both texts are the same bytes. Faster than comparing any kind of text.
  @inlinable
  package func equals(bytes other: String) -> Bool {
    utf8.count == other.utf8.count
      && withBytes(of: other) { $0.elementsEqual($1) } ?? utf8.elementsEqual(other.utf8)
  }
}

extension Optional where Wrapped == String {
  /// Whether both are nil, or the same bytes.
  @inlinable
  package func equals(bytes other: String?) -> Bool {
    guard let self, let other else { return (self == nil) == (other == nil) }
    return self.equals(bytes: other)
  }
}

extension Sequence where Element: StringProtocol {
  /// Whether one of the texts is the bytes of `text`.
  @inlinable
  package func contains(bytes text: some StringProtocol) -> Bool {
    contains { $0.equals(bytes: text) }
  }
}

/// A text that is looked up by its bytes: a key of a dictionary or a member of a set.
package struct ExactText: Hashable, Sendable {
  package let text: String

  package init(_ text: some StringProtocol) { self.text = String(text) }

  package static func == (left: ExactText, right: ExactText) -> Bool {
    left.text.equals(bytes: right.text)
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(text) }
}
