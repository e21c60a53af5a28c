/// A URL with places for values, each expanded as its place in the URL asks.
///
/// The author's own text is never re-encoded. `{{a}}/users/{{b}}?q={{c}}` has a start, a path and a
/// query position.
package struct URLTemplate: Sendable, Hashable {
  /// The beginning of the URL.
  package enum Form: Sendable, Hashable {
    /// A scheme that is written out: `https://…`, `sandbox:/…`.
    case absolute
    /// A reference: `{{list.next}}`.
    case start
    /// Anything else: it is appended to the base URL.
    case relative
  }

  /// The text as its author wrote it.
  package let text: String
  package let form: Form
  let pieces: [Piece]
  /// The UTF-8 offset of the author's `?`, in the text that was parsed.
  let queryStart: Int?

  enum Piece: Sendable, Hashable {
    case text(String)
    /// Text of the path. The offsets of its first and last `/`, in UTF-8, end and begin segments.
    case path(String, firstSlash: Int?, lastSlash: Int?)
    case start(Template.Reference, Continuation)
    case reference(Template.Reference, Position)
    case endOfAuthority
    case endOfPath
  }

  /// The text after a reference at the start, which decides which URLs can be continued.
  enum Continuation: Sendable, Hashable {
    case nothing, path, query, parameter
  }

  /// The references in the order of the text, each with its place in the URL.
  package var references: [(reference: Template.Reference, position: Position)] {
    var references: [(reference: Template.Reference, position: Position)] = []
    forEachReference { references.append(($0, $1)) }
    return references
  }

  /// Calls `body` with each reference and its place in the URL, in the order of the text.
  package func forEachReference(_ body: (Template.Reference, Position) -> Void) {
    for piece in pieces {
      switch piece {
      case .start(let reference, _): body(reference, .start)
      case .reference(let reference, let position): body(reference, position)
      case .text, .path, .endOfAuthority, .endOfPath: break
      }
    }
  }

  /// The references that decide the host of a request: those at the start and in the authority.
  package var originReferences: [Template.Reference] {
    references.filter { $0.position == .start || $0.position == .authority }.map(\.reference)
  }

  /// Whether the URL is appended to a base URL.
  package var isRelative: Bool { form == .relative }
}
