internal import PipelineByteText
internal import PipelineURIs

/// The bytes of a body in `base64` or `hex`.
enum HurlBytes {
  /// - Parameter encoding: `base64` or `hex`.
  static func decoded(_ text: String, _ encoding: String) -> [UInt8]? {
    let digits = text.utf8.filter { $0 > 0x20 }
    guard encoding.equals(bytes: "hex") else {
      return Base64.decode(String(decoding: digits, as: UTF8.self))
    }
    guard digits.count % 2 == 0 else { return nil }
    var bytes: [UInt8] = []
    for place in stride(from: 0, to: digits.count, by: 2) {
      guard let high = URI.hexadecimalValue(digits[place]),
        let low = URI.hexadecimalValue(digits[place + 1])
      else { return nil }
      bytes.append(high << 4 | low)
    }
    return bytes
  }
}
