// Host names, mailboxes, UUIDs and JSON pointers.

extension Scanner {
  /// RFC 1123 §2.1: labels of letters, digits and inner hyphens, 63 characters each and 253 in all.
  /// The decoded name of an `xn--` label is not checked.
  mutating func hostname() -> Bool {
    guard rest.count <= 253 else { return false }
    repeat {
      let label = rest
      let count = take { Self.isAlphanumeric($0) || $0 == UInt8(ascii: "-") }
      guard (1...63).contains(count), label.first != UInt8(ascii: "-"),
        label[label.startIndex + count - 1] != UInt8(ascii: "-")
      else { return false }
    } while take(".")
    return true
  }

  /// `Mailbox` of RFC 5321 §4.1.2, whole.
  mutating func mailbox() -> Bool {
    guard take("\"") ? quotedString() : dotString() else { return false }
    guard take("@") else { return false }
    guard take("[") else { return hostname() && isAtEnd }
    guard rest.last == UInt8(ascii: "]") else { return false }
    let literal = rest.dropLast()
    let tag = Array("IPv6:".utf8)
    if literal.starts(with: tag) { return Addresses.isIPv6(literal.dropFirst(tag.count)) }
    return Addresses.isIPv4(literal)
  }

  private mutating func dotString() -> Bool {
    let special = Set("!#$%&'*+-/=?^_`{|}~".utf8)
    repeat {
      guard take(while: { Self.isAlphanumeric($0) || special.contains($0) }) > 0 else {
        return false
      }
    } while take(".")
    return true
  }

  private mutating func quotedString() -> Bool {
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "\"") { return true }
      if byte == UInt8(ascii: "\\") {
        guard let escaped = rest.popFirst(), (0x20...0x7E).contains(escaped) else { return false }
      } else if !(0x20...0x7E).contains(byte) {
        return false
      }
    }
    return false
  }

  /// RFC 4122 §3: hexadecimal digits, 8-4-4-4-12, of any version.
  mutating func uuid() -> Bool {
    for (position, length) in [8, 4, 4, 4, 12].enumerated() {
      if position > 0, !take("-") { return false }
      guard rest.prefix(length).allSatisfy(Self.isHexadecimal), rest.count >= length else {
        return false
      }
      rest.removeFirst(length)
    }
    return true
  }

  /// RFC 6901 §3, whole.
  mutating func jsonPointer() -> Bool {
    guard isAtEnd || rest.first == UInt8(ascii: "/") else { return false }
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "~"), !take("0"), !take("1") { return false }
    }
    return true
  }

  /// An integer, then `#` or a JSON pointer, whole.
  mutating func relativeJSONPointer() -> Bool {
    let isZero = rest.first == UInt8(ascii: "0")
    let count = digits()
    guard count == 1 || count > 1 && !isZero else { return false }
    return take("#") ? isAtEnd : jsonPointer()
  }
}
