public import PipelineByteText

extension URI {
  /// `text` as UTF-8 with every byte outside `allowed` percent-encoded, RFC 3986 §2.1.
  package static func percentEncode(_ text: String, allowing allowed: ASCIISet = .unreserved)
    -> String
  {
    guard !text.utf8.allSatisfy({ allowed.contains($0) }) else { return text }
    var bytes: [UInt8] = []
    appendPercentEncoded(text.utf8, allowing: allowed, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Appends `text`, percent-encoded, to `bytes`.
  @inlinable
  package static func appendPercentEncoded(
    _ text: some Sequence<UInt8>, allowing allowed: ASCIISet = .unreserved,
    to bytes: inout [UInt8]
  ) {
    for byte in text {
      if allowed.contains(byte) {
        bytes.append(byte)
      } else {
        bytes.append(UInt8(ascii: "%"))
        bytes.append(hexadecimalDigit(byte >> 4))
        bytes.append(hexadecimalDigit(byte & 15))
      }
    }
  }

  /// `text` with its percent-encoded octets decoded; nil if one is malformed or the result is not
  /// UTF-8.
  package static func percentDecode(_ text: String) -> String? {
    guard text.utf8.contains(UInt8(ascii: "%")) else { return text }
    guard let bytes = decodedBytes(text.utf8, isStrict: true) else { return nil }
    return String(validating: bytes, as: UTF8.self)
  }

  /// Octets decoded. A malformed escape is nil under `isStrict` and stays as it is otherwise.
  @inlinable
  package static func decodedBytes(_ text: some Collection<UInt8>, isStrict: Bool) -> [UInt8]? {
    var bytes: [UInt8] = []
    var index = text.startIndex
    while index != text.endIndex {
      let byte = text[index]
      index = text.index(after: index)
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      if let end = text.index(index, offsetBy: 2, limitedBy: text.endIndex),
        let high = hexadecimalValue(text[index]),
        let low = hexadecimalValue(text[text.index(after: index)])
      {
        bytes.append(high << 4 | low)
        index = end
      } else {
        guard !isStrict else { return nil }
        bytes.append(byte)
      }
    }
    return bytes
  }

  @inlinable
  package static func hexadecimalValue(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    default: nil
    }
  }

  @usableFromInline
  static func hexadecimalDigit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
  }
}
