internal import PipelineByteText
import PipelineJSONPaths

/// The formats that are checked (validation §7.3), each by the standard it names.
package enum Format: String, Sendable, CaseIterable {
  case dateTime = "date-time"
  case date, time, duration
  case email, hostname, ipv4, ipv6
  case uri
  case uriReference = "uri-reference"
  case uuid
  case jsonPointer = "json-pointer"
  case relativeJSONPointer = "relative-json-pointer"
  case regex

  /// - Complexity: O(bytes).
  package func allows(_ utf8: ArraySlice<UInt8>) -> Bool {
    var text = Scanner(utf8)
    switch self {
    case .dateTime: return RFC3339.isDateTime(utf8)
    case .date: return RFC3339.isDate(utf8)
    case .time: return RFC3339.isTime(utf8)
    case .duration: return text.duration() && text.isAtEnd
    case .email: return text.mailbox()
    case .hostname: return text.hostname() && text.isAtEnd
    case .ipv4: return Addresses.isIPv4(utf8)
    case .ipv6: return Addresses.isIPv6(utf8)
    case .uri: return URIText.isReference(utf8, absolute: true)
    case .uriReference: return URIText.isReference(utf8, absolute: false)
    case .uuid: return text.uuid() && text.isAtEnd
    case .jsonPointer: return text.jsonPointer()
    case .relativeJSONPointer: return text.relativeJSONPointer()
    case .regex: return IRegexp.isECMAScript(String(decoding: utf8, as: UTF8.self))
    }
  }

  /// The expected form of the value, in a message.
  package var phrase: String {
    switch self {
    case .dateTime: "a date-time such as '2024-05-01T12:30:00Z'"
    case .date: "a date as '2024-05-01'"
    case .time: "a time with its offset such as '12:30:00Z'"
    case .duration: "a duration as 'P1DT12H'"
    case .email: "an email address"
    case .hostname: "a host name"
    case .ipv4: "an IPv4 address"
    case .ipv6: "an IPv6 address"
    case .uri: "a URI with its scheme"
    case .uriReference: "a URI reference"
    case .uuid: "a UUID"
    case .jsonPointer: "a JSON pointer such as '/users/0'"
    case .relativeJSONPointer: "a relative JSON pointer such as '1/name'"
    case .regex: "a regular expression"
    }
  }
}

/// Goes through the bytes of a text.
struct Scanner {
  var rest: ArraySlice<UInt8>

  init(_ utf8: ArraySlice<UInt8>) { rest = utf8 }

  var isAtEnd: Bool { rest.isEmpty }

  mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard rest.first == UInt8(ascii: character) else { return false }
    rest.removeFirst()
    return true
  }

  /// Takes all that the set has at the front, and says how many.
  mutating func take(while isMember: (UInt8) -> Bool) -> Int {
    let count = rest.prefix(while: isMember).count
    rest.removeFirst(count)
    return count
  }

  mutating func digits() -> Int { take(while: Self.isDigit) }

  static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

  static func isHexadecimal(_ byte: UInt8) -> Bool {
    isDigit(byte) || (0x61...0x66).contains(byte | 0x20)
  }

  static func isAlphanumeric(_ byte: UInt8) -> Bool {
    isDigit(byte) || (0x61...0x7A).contains(byte | 0x20)
  }
}
