/// The rows of a collection, joined to one JSON list in the order of the items.
///
/// Rows come in any order. Those whose turn has come are part of the text at once; the others wait.
struct RowStore: Sendable {
  /// `[` and the rows whose turn has come.
  private(set) var text: [UInt8] = [UInt8(ascii: "[")]
  /// Rows whose turn has come, where they are handed on and not kept.
  private var ready: [[UInt8]]?
  /// Rows that came before their turn, that of item `n` at `n` modulo the size, a power of two.
  private var waiting: [[UInt8]?] = []
  /// The item whose turn it is.
  private var next = 0

  private static let null = Array("null".utf8)

  /// - Parameter keepsRows: Whether the rows become a list; otherwise `takeReady()` gives them.
  init(keepsRows: Bool = true) {
    if !keepsRows { ready = [] }
  }

  /// The rows whose turn has come since the last time, of a store that does not keep them.
  mutating func takeReady() -> [[UInt8]] {
    guard let rows = ready, !rows.isEmpty else { return [] }
    ready = []
    return rows
  }

  /// The row of item `position`; `nil`: the item gave none.
  ///
  /// - Complexity: O(bytes), amortised over all rows.
  mutating func set(_ row: [UInt8]?, at position: Int) {
    let row = row ?? Self.null
    guard position == next else {
      makeRoom(for: position)
      waiting[position & (waiting.count - 1)] = row
      return
    }
    append(row)
    while !waiting.isEmpty, let row = waiting[next & (waiting.count - 1)].take() { append(row) }
  }

  /// The list of the first `count` rows; items that never came are `null`.
  consuming func finish(count: Int) -> [UInt8] {
    while next < count {
      append(waiting.isEmpty ? Self.null : waiting[next & (waiting.count - 1)].take() ?? Self.null)
    }
    text.append(UInt8(ascii: "]"))
    return text
  }

  private mutating func append(_ row: [UInt8]) {
    guard ready == nil else {
      ready?.append(row)
      next += 1
      return
    }
    if next > 0 { text.append(UInt8(ascii: ",")) }
    text += row
    next += 1
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
