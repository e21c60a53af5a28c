/// The rows of a collection, joined to JSON lists in the order of the items.
///
/// Rows come in any order. Rows whose turn has come join a list at once. The others wait.
struct RowStore: Sendable {
  /// Lists that are full.
  private var pieces: [Rows.Piece] = []
  /// The list that is being filled, without its closing; empty: it has no row.
  private var text: [UInt8] = []
  /// The position of its first row.
  private var start = 0
  /// How many rows it has.
  private var count = 0
  /// Rows whose turn has come, if rows are handed on.
  private var ready: [[UInt8]]?
  private let keepsRows: Bool
  /// Rows that came before their turn, that of item `n` at `n` modulo the size, a power of two.
  private var waiting: [[UInt8]?] = []
  /// The item whose turn it is.
  private var next: Int
  /// The items that give rows. The rows of others are `null`.
  private let shard: RunPart.Shard
  /// The number of rows, with those of others.
  private var filled = 0

  private static let null = Array("null".utf8)

  init(_ use: RowUse = .kept, in shard: RunPart.Shard = .whole) {
    self.shard = shard
    next = shard.first
    keepsRows = use != .handedOn
    if use != .kept { ready = [] }
  }

  /// The rows whose turn has come since the last time, of a store that hands them on.
  mutating func takeReady() -> [[UInt8]] {
    guard let rows = ready, !rows.isEmpty else { return [] }
    ready = []
    return rows
  }

  /// The row of item `position`; `nil` if the item gave none.
  ///
  /// - Complexity: O(bytes), amortised over all rows.
  mutating func set(_ row: [UInt8]?, at position: Int) {
    let row = row ?? Self.null
    guard position == next else {
      makeRoom(for: position)
      waiting[position & (waiting.count - 1)] = row
      return
    }
    takeTurn(row)
    while !waiting.isEmpty, let row = waiting[next & (waiting.count - 1)].take() { takeTurn(row) }
  }

  /// The row of the item whose turn it is.
  private mutating func takeTurn(_ row: [UInt8]) {
    while filled < next { append(Self.null) }
    append(row)
    next += shard.count
  }

  /// The first `count` rows. Missing items are `null`.
  consuming func finish(count: Int) -> [Rows.Piece] {
    while next < count {
      takeTurn(
        waiting.isEmpty ? Self.null : waiting[next & (waiting.count - 1)].take() ?? Self.null)
    }
    while filled < count { append(Self.null) }
    endPiece()
    return pieces
  }

  private mutating func append(_ row: [UInt8]) {
    ready?.append(row)
    filled += 1
    guard keepsRows else { return }
    if text.count + row.count + 2 > Rows.pieceSize, !text.isEmpty {
      endPiece()
      text.reserveCapacity(Rows.pieceSize)
    }
    text.append(UInt8(ascii: text.isEmpty ? "[" : ","))
    text += row
    count += 1
  }

  private mutating func endPiece() {
    guard !text.isEmpty else { return }
    text.append(UInt8(ascii: "]"))
    pieces.append(Rows.Piece(text: LazyText(text), start: start))
    text = []
    start += count
    count = 0
  }

  private mutating func makeRoom(for position: Int) {
    let count = waiting.count
    guard position - next >= count else { return }
    var size = max(64, 2 * count)
    while position - next >= size { size *= 2 }
    var larger = [[UInt8]?](repeating: nil, count: size)
    for item in next..<(next + count) {
      larger[item & (size - 1)] = waiting[item & (count - 1)].take()
    }
    waiting = larger
  }
}
