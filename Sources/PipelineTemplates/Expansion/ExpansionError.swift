/// Why a value does not fit at its template's place. It is found before any request is made.
package struct ExpansionError: Error, Sendable, Hashable {
  package enum Reason: Sendable, Hashable, CaseIterable {
    case absent, null, list, object
    /// Nothing in the host or a path segment.
    case empty
    /// A path segment that comes out as `.` or `..`.
    case dotSegment
    /// Two slashes of a path next to each other.
    case emptySegment
    case controlCharacter
    /// `;` in a cookie.
    case separator
    /// Not a host, or a character that would end it.
    case authority
    /// No absolute URL, or one that cannot be continued as the template does.
    case notURL
    /// A relative endpoint without a base URL.
    case noBase
    /// The value of a data form is not one that it takes.
    case dataForm
    /// Data that nests deeper than JSON is read again.
    case depth
  }

  package let reason: Reason
  /// The reference of the value; nil if the endpoint or data itself is at fault.
  package let reference: Template.Reference?
  /// One phrase that names the reference and the way out. It never shows the value, which may be
  /// secret.
  package let message: String

  package init(_ reason: Reason, _ reference: Template.Reference?, _ message: String) {
    self.reason = reason
    self.reference = reference
    self.message = message
  }
}
