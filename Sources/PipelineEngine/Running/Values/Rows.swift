internal import PipelineJSONText
internal import Synchronization

/// The rows of a collection, held once: JSON lists of some rows each, which never move.
///
/// A list gets a tape when one of its rows is read. All rows together get one only if a query looks
/// at several of them.
final class Rows: Sendable {
  /// Some rows, one after the other: the text of a JSON list.
  struct Piece: Sendable {
    let text: LazyText
    /// The position of its first row.
    let start: Int
  }

  private enum Storage: Sendable {
    case pieces([Piece])
    /// The pieces were joined, and are gone.
    case whole(JSONDocument)
  }

  private let storage: Mutex<Storage>
  /// The number of rows.
  let count: Int

  /// The maximum size of a piece before the next one begins, in bytes. A longer row is a separate
  /// piece. So a few rows take only their bytes, and one of many is found without a walk over all
  /// rows before it.
  static let pieceSize = 1 << 16

  init(_ pieces: [Piece], count: Int) {
    storage = Mutex(.pieces(pieces))
    self.count = count
  }

  /// The row at a position, counted from the end if it is negative.
  ///
  /// - Complexity: O(rows of one piece).
  func row(at position: Int) -> JSONNode? {
    let position = position < 0 ? count + position : position
    guard (0..<count).contains(position) else { return nil }
    switch storage.withLock({ $0 }) {
    case .whole(let document): return document.root.element(position)
    case .pieces(let pieces):
      var (lower, upper) = (0, pieces.count)
      while upper - lower > 1 {
        let middle = (lower + upper) / 2
        if pieces[middle].start <= position { lower = middle } else { upper = middle }
      }
      return pieces[lower].text.node.element(position - pieces[lower].start)
    }
  }

  /// All rows as one list.
  ///
  /// - Complexity: O(bytes) the first time.
  var node: JSONNode {
    storage.withLock { storage in
      switch storage {
      case .whole(let document): return document.root
      case .pieces(let pieces):
        var writer = JSONWriter(style: .compact)
        Self.write(pieces, to: &writer)
        let document = writer.document()
        storage = .whole(document)
        return document.root
      }
    }
  }

  func write(to writer: inout JSONWriter) {
    switch storage.withLock({ $0 }) {
    case .whole(let document): writer.raw(document.bytes)
    case .pieces(let pieces): Self.write(pieces, to: &writer)
    }
  }

  private static func write(_ pieces: [Piece], to writer: inout JSONWriter) {
    writer.beginArray()
    for piece in pieces { writer.raw(piece.text.bytes.dropFirst().dropLast()) }
    writer.endArray()
  }

  /// Lists that are all rows when they are joined.
  ///
  /// Each is laid out when its turn comes and is gone after it, unless one of its rows was read.
  var lists: Lists {
    switch storage.withLock({ $0 }) {
    case .whole(let document): Lists(whole: document.root)
    case .pieces(let pieces): Lists(pieces: pieces)
    }
  }

  struct Lists: Sequence, IteratorProtocol, Sendable {
    private var whole: JSONNode?
    private var pieces: ArraySlice<Piece>

    fileprivate init(whole: JSONNode) {
      self.whole = whole
      pieces = []
    }

    fileprivate init(pieces: [Piece]) {
      self.pieces = pieces[...]
    }

    mutating func next() -> JSONNode? {
      if let list = whole.take() { return list }
      return pieces.popFirst()?.text.unkeptNode
    }
  }
}
