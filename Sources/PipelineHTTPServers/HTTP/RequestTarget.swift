internal import PipelineByteText

/// The request target's parts (RFC 9112 §3.2).
package enum RequestTarget {
  /// Path and query, without the scheme and authority of an absolute form.
  package static func split(_ target: String) -> (path: String, query: String) {
    var rest = Substring(target)
    if !rest.utf8.starts(with: "/".utf8), let scheme = rest.firstRange(bytes: "://") {
      let authority = rest[scheme.upperBound...]
      rest = authority.dropFirst(bytes: authority.prefix(before: "/", "?").utf8.count)
    }
    guard let mark = rest.utf8.firstIndex(of: UInt8(ascii: "?")) else { return (String(rest), "") }
    return (String(rest[..<mark]), String(rest[rest.utf8.index(after: mark)...]))
  }

  /// Percent-decoded segments; `/` alone has none, a slash at the end adds an empty one.
  package static func segments(of path: String) -> [String] {
    let bytes = path.utf8
    guard bytes.count > 1 else { return [] }
    let parts = bytes.dropFirst(bytes.first == UInt8(ascii: "/") ? 1 : 0)
      .split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    return parts.map { part in
      part.contains(UInt8(ascii: "%"))
        ? FormText.decode(part, plus: .plus) : String(Substring(part))
    }
  }
}

/// Query strings and form bodies (`application/x-www-form-urlencoded`).
package enum FormText {
  package enum Plus { case space, plus }

  /// Names and values in order, decoded.
  package static func items(_ text: String) -> [(name: String, value: String)] {
    text.utf8.split(separator: UInt8(ascii: "&")).map { part in
      let (name, value) = halves(part)
      return (decode(name, plus: .space), decode(value, plus: .space))
    }
  }

  package static func first(_ name: String, in text: String) -> String? {
    for part in text.utf8.split(separator: UInt8(ascii: "&")) {
      let (written, value) = halves(part)
      if written.elementsEqual(name.utf8) || decode(written, plus: .space) == name {
        return decode(value, plus: .space)
      }
    }
    return nil
  }

  /// Percent-decoding. A `%` without two hex digits stays, and malformed UTF-8 is repaired.
  package static func decode(_ text: Substring.UTF8View, plus: Plus) -> String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count)
    var index = text.startIndex
    while index != text.endIndex {
      let byte = text[index]
      let rest = text[index...].dropFirst()
      if byte == UInt8(ascii: "%"), let high = rest.first?.hexDigit,
        let low = rest.dropFirst().first?.hexDigit
      {
        bytes.append(high << 4 | low)
        index = text.index(index, offsetBy: 3)
        continue
      }
      bytes.append(byte == UInt8(ascii: "+") && plus == .space ? UInt8(ascii: " ") : byte)
      index = text.index(after: index)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Percent-encodes all but RFC 3986's unreserved characters.
  package static func encode(_ text: String) -> String {
    var bytes: [UInt8] = []
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), 0x2D, 0x2E, 0x5F, 0x7E:
        bytes.append(byte)
      default: bytes += "%\(String(hex: [byte]).uppercased())".utf8
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func halves(
    _ part: Substring.UTF8View
  ) -> (Substring.UTF8View, Substring.UTF8View) {
    guard let mark = part.firstIndex(of: UInt8(ascii: "=")) else {
      return (part, part[part.endIndex...])
    }
    return (part[..<mark], part[part.index(after: mark)...])
  }
}
