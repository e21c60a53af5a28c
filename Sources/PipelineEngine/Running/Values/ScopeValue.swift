package import PipelineJSONText
internal import Synchronization

/// A value of the scope: JSON, laid out on a tape when it is first read.
package struct ScopeValue: Sendable {
  fileprivate enum Storage: Sendable {
    case node(JSONNode)
    case text(LazyText)
    case rows(Rows)
    /// Rows, some of which are missing. Indirect, because it is rare, and a run keeps many values.
    indirect case collected(Storage, error: CollectedError)
  }

  private let storage: Storage
  /// The failures in the items of a collection (language.md §9), which are not a member of its
  /// rows.
  var error: CollectedError? {
    if case .collected(_, let error) = storage { error } else { nil }
  }

  package init(_ node: JSONNode) {
    storage = .node(node)
  }

  /// A value given as JSON text that our own writer made.
  package init(text: [UInt8]) {
    storage = .text(LazyText(text))
  }

  /// The rows of a collection.
  ///
  /// - Parameter error: The failures in its items.
  init(rows pieces: [Rows.Piece], count: Int, error: CollectedError? = nil) {
    let rows: Storage =
      switch pieces.count {
      case 0: .text(LazyText(Array("[]".utf8)))
      case 1: .text(pieces[0].text)
      default: .rows(Rows(pieces, count: count))
      }
    storage = error.map { .collected(rows, error: $0) } ?? rows
  }

  package var node: JSONNode { storage.node }

  /// The rows of a collection that is too large to be one text.
  var rows: Rows? { storage.rows }

  /// The element of a list, counted from the end if the position is negative.
  func element(_ position: Int) -> JSONNode? {
    rows.map { $0.row(at: position) } ?? node.element(position)
  }

  func write(to writer: inout JSONWriter) { storage.write(to: &writer) }
}

extension ScopeValue.Storage {
  fileprivate var node: JSONNode {
    switch self {
    case .node(let node): node
    case .text(let text): text.node
    case .rows(let rows): rows.node
    case .collected(let rows, _): rows.node
    }
  }

  fileprivate var rows: Rows? {
    switch self {
    case .rows(let rows): rows
    case .collected(let rows, _): rows.rows
    case .node, .text: nil
    }
  }

  fileprivate func write(to writer: inout JSONWriter) {
    switch self {
    case .node(let node): writer.raw(node.utf8)
    case .text(let text): writer.raw(text.bytes)
    case .rows(let rows): rows.write(to: &writer)
    case .collected(let rows, _): rows.write(to: &writer)
    }
  }
}

/// JSON text whose tape is made once, by its first reader.
final class LazyText: Sendable {
  let bytes: [UInt8]
  private let document = Mutex<JSONDocument?>(nil)

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  var node: JSONNode {
    document.withLock { document in
      if let document { return document.root }
      let parsed = JSONDocument.written(bytes)
      document = parsed
      return parsed.root
    }
  }

  /// The text laid out for the caller alone, unless it is laid out already.
  var unkeptNode: JSONNode {
    document.withLock { $0?.root } ?? JSONDocument.written(bytes).root
  }
}
