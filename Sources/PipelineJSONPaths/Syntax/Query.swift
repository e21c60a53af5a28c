/// An RFC 9535 query: `$` or `@`, then segments.
///
/// A query is parsed once and evaluated on any number of documents. Two queries are equal if their
/// texts are, in any place.
package struct Query: Sendable {
  /// Where a query starts.
  package enum Anchor: Sendable, Hashable {
    /// `$`: the document, or the scope.
    case root
    /// `@`: the node a filter is judging.
    case current
  }

  /// The constructs that a query's text may use.
  package enum Mode: Sendable, Hashable {
    /// RFC 9535 and nothing else.
    case standard
    /// Also `{{reference}}`, wherever RFC 9535 allows a literal.
    case template
  }

  /// By reference, because queries are copied far more often than they are made: from a template to
  /// its readers and to rules.
  private final class Storage: Sendable {
    let text: String
    let range: Range<Int>
    let anchor: Anchor
    let segments: [Segment]
    let isSingular: Bool
    let slot: Int?
    let hasInner: Bool
    let hasKey: Bool
    /// The part that a scope is asked for. Kept here because each reading asks for it.
    let firstName: String?
    let second: SecondStep

    init(text: String, range: Range<Int>, anchor: Anchor, segments: [Segment], slot: Int?) {
      self.text = text
      self.range = range
      self.anchor = anchor
      self.segments = segments
      // By number: a segment is large to copy.
      var isSingular = true
      var hasInner = false
      var hasKey = false
      for index in segments.indices {
        isSingular = isSingular && segments[index].isSingular
        hasInner = hasInner || segments[index].hasInner
        hasKey = hasKey || segments[index].hasInner && !segments[index].keys.isEmpty
      }
      self.isSingular = isSingular
      self.slot = slot
      self.hasInner = hasInner
      self.hasKey = hasKey
      firstName = segments.isEmpty ? nil : segments[0].name
      second = segments.count > 1 && segments[1].isSingular ? SecondStep(segments[1]) : .other
    }
  }

  /// The second step of a query. A scope may know a shorter way to it than through the first one's
  /// value.
  enum SecondStep: Sendable {
    case error
    case position(Int)
    case other

    /// - Parameter segment: One that is singular.
    fileprivate init(_ segment: Segment) {
      switch segment.selectors.first.kind {
      case .name(let name): self = name.text == "error" ? .error : .other
      case .index(let position): self = .position(position)
      case .wildcard, .slice, .filter, .key: self = .other
      }
    }
  }

  private let storage: Storage

  /// The query as its author wrote it.
  package var text: String { storage.text }
  /// UTF-8 offsets in the text that was parsed; of a nested query, in its part of that text.
  package var range: Range<Int> { storage.range }
  package var anchor: Anchor { storage.anchor }
  package var segments: [Segment] { storage.segments }
  /// Whether the query can select at most one node (RFC 9535 §2.3.5.1).
  package var isSingular: Bool { storage.isSingular }
  /// The literal names the first segment selects, `a` and `b` in `$['a','b'].id`; empty if it
  /// selects anything else.
  package var firstNames: [String] { storage.segments.first?.names ?? [] }
  /// Whether there are any.
  package var beginsWithNames: Bool { firstName != nil || !firstNames.isEmpty }
  var second: SecondStep { storage.second }
  /// Whether there is a computed key or a filter, which may hold other queries, calls and `{{…}}`.
  package var hasInner: Bool { storage.hasInner }
  /// Whether a key is computed, `[{{key}}]`.
  package var hasKey: Bool { storage.hasKey }
  /// The place of a nested absolute query's nodes in an evaluation's cache.
  var slot: Int? { storage.slot }

  init(text: String, range: Range<Int>, anchor: Anchor, segments: [Segment], slot: Int?) {
    storage = Storage(text: text, range: range, anchor: anchor, segments: segments, slot: slot)
  }
}

extension Query: Hashable {
  // Swift compares strings by canonical equivalence, JSON and RFC 9535 by Unicode scalars.
  package static func == (left: Query, right: Query) -> Bool {
    left.text.utf8.elementsEqual(right.text.utf8)
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(text)
  }
}

// MARK: - What lint and planning read

extension Query {
  /// The literal name a scope query begins with: `list` in `$.list.ids`.
  package var firstName: String? { storage.firstName }

  /// Every `$…` and every `{{…}}` in this query, in the order of the text, itself first if it is
  /// absolute.
  package var references: [QueryReference] {
    var walk = ReferenceWalk()
    walk.visit(self)
    return walk.references
  }
}
