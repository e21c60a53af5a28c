/// An absolute http or https URL with its origin, which is found once and then carried.
package struct RequestURL: Sendable, Hashable, CustomStringConvertible {
  /// As it is sent, byte for byte.
  package let text: String
  package let origin: Origin

  /// `nil` if `text` is not an http or https URL.
  package init?(_ text: String) {
    guard let origin = Origin(of: text) else { return nil }
    self.init(text, origin)
  }

  /// - Parameter origin: That of `text`.
  package init(_ text: String, _ origin: Origin) {
    self.text = text
    self.origin = origin
  }

  package var description: String { text }

  /// The URL that a response with this one names (RFC 3986 §5); `nil` if it is not http or https.
  package func resolving(_ reference: String) -> RequestURL? {
    guard let uri = URI.parse(text)?.resolving(reference), let origin = uri.origin else {
      return nil
    }
    return RequestURL(uri.description, origin)
  }

  /// The same URL with another query, which does not change the origin.
  package func mapQuery(_ change: (String) -> String) -> RequestURL {
    RequestURL(change(text), origin)
  }
}
