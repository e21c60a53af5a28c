internal import PipelineByteText

/// The rule for a header field's value, RFC 9110 §5.5: visible ASCII, bytes from 0x80 on, and
/// between them spaces and tabs.
package enum FieldValue {
  package enum Problem: Sendable {
    /// A control character other than a tab: a line break would begin another field.
    case controlCharacter
    /// A blank at an end: recipients remove it, so another value would arrive.
    case blankAtEnd

    /// The problem, to follow the value's name.
    package var phrase: String {
      switch self {
      case .controlCharacter: "has a control character, which a header must not hold"
      case .blankAtEnd: "begins or ends with a blank, which every recipient removes; leave it out"
      }
    }
  }

  /// Whether a value must not hold `byte` anywhere.
  package static func isControl(_ byte: UInt8) -> Bool {
    byte < 0x20 && byte != 0x09 || byte == 0x7F
  }

  package static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

  /// The problem with the whole value `text`. An empty value is allowed.
  package static func problem(in text: String) -> Problem? {
    if text.utf8.contains(where: isControl) { return .controlCharacter }
    guard let first = text.utf8.first, let last = text.utf8.last else { return nil }
    return isBlank(first) || isBlank(last) ? .blankAtEnd : nil
  }
}
