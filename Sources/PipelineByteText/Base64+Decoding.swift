extension Base64 {
  /// The bytes of `text` in base64 with padding, RFC 4648 §4; nil if it is not that.
  package static func decode(_ text: String) -> [UInt8]? {
    let isStandard = text.utf8.allSatisfy { byte in
      (value(of: byte) != nil || byte == UInt8(ascii: "=")) && byte != UInt8(ascii: "-")
        && byte != UInt8(ascii: "_")
    }
    return isStandard && text.utf8.count.isMultiple(of: 4) ? decode(inAnyForm: text) : nil
  }

  /// The bytes of `text` in base64 as servers send it. The alphabet is that of RFC 4648 §4 or the
  /// URL-safe one of §5, with or without padding, on one line or several. Nil if it is not base64.
  ///
  /// Bits that are left over must be zero, as every encoder writes them. Most texts that were cut
  /// short are found by that.
  package static func decode(inAnyForm text: String) -> [UInt8]? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count / 4 * 3 + 2)
    var (word, digits, padding) = (UInt32(0), 0, 0)
    var (isStandard, isURLSafe) = (false, false)
    for line in text.utf8.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
      for byte in line.trimmingBlanks {
        if byte == UInt8(ascii: "=") {
          padding += 1
          continue
        }
        guard padding == 0, let value = value(of: byte) else { return nil }
        isStandard = isStandard || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "/")
        isURLSafe = isURLSafe || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
        word = word << 6 | value
        digits += 1
        guard digits.isMultiple(of: 4) else { continue }
        for shift: UInt32 in [16, 8, 0] { bytes.append(UInt8(truncatingIfNeeded: word >> shift)) }
        word = 0
      }
    }
    guard !(isStandard && isURLSafe) else { return nil }
    switch digits % 4 {
    case 0 where padding == 0: return bytes
    case 2 where (padding == 0 || padding == 2) && word & 0xF == 0:
      return bytes + [UInt8(truncatingIfNeeded: word >> 4)]
    case 3 where padding <= 1 && word & 0x3 == 0:
      return bytes + [UInt8(truncatingIfNeeded: word >> 10), UInt8(truncatingIfNeeded: word >> 2)]
    default: return nil
    }
  }

  private static func value(of byte: UInt8) -> UInt32? {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(byte) - 65
    case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(byte) - 97 + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte) - 48 + 52
    case UInt8(ascii: "+"), UInt8(ascii: "-"): 62
    case UInt8(ascii: "/"), UInt8(ascii: "_"): 63
    default: nil
    }
  }
}

extension Substring.UTF8View {
  /// Without spaces and tabs at either end.
  fileprivate var trimmingBlanks: Substring.UTF8View {
    var text = self
    while let first = text.first, first == 0x20 || first == 0x09 { text.removeFirst() }
    while let last = text.last, last == 0x20 || last == 0x09 { text.removeLast() }
    return text
  }
}
