/// A part of the final request, which forms in `auth` read as `request.…`: language.md,
/// "Signatures".
package enum RequestPart: String, Sendable, CaseIterable {
  case method, url, host
  /// The path as it is sent, without the query.
  case path
  /// The query as it is sent, without `?`.
  case query
  /// The body as text; empty if there is none.
  case body
  /// The moment of sending (RFC 3339).
  case time
  /// The same in seconds since 1970.
  case unix
  case unixMilliseconds
  /// A UUID that no other attempt has.
  case id

  /// The name in the scope.
  package static let scopeName = "request"
}
