/// The place of a reference, which decides the values allowed and the form in which they are
/// written.
package enum Position: Sendable, Hashable, CaseIterable {
  /// Part of a text: as it is.
  case text
  /// A header's value: no control characters but tabs, no blanks at its ends (RFC 9110 §5.5).
  case header
  /// A cookie's value: no control characters, and no `;`, which would begin another cookie.
  case cookie
  /// The start of a URL: absolute, http or https, used byte for byte.
  case start
  /// The host or port of a URL: letters, digits, `.` and `-`.
  case authority
  /// The path of a URL: percent-encoded within one segment.
  case path
  /// The query of a URL: percent-encoded.
  case query

  /// The position in a message: `a URL path takes one value`.
  var noun: String {
    switch self {
    case .text: "text"
    case .header: "header"
    case .cookie: "cookie"
    case .start: "URL"
    case .authority: "URL's host"
    case .path: "URL path"
    case .query: "URL query"
    }
  }
}
