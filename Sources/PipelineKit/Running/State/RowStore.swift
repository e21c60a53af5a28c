/// The rows of a collection, joined to one JSON list in the order of the items.
///
/// Rows come in any order. Those whose turn has come are part of the text at once; the others wait.
struct RowStore: Sendable {
  /// `[` and the rows whose turn has come.
  private(set) var text: [UInt8] = [UInt8(ascii: "[")]
  private var waiting: [Int: [UInt8]] = [:]
  private var next = 0

  private static let null = Array("null".utf8)

  /// The row of item `position`; `nil`: the item gave none.
  mutating func set(_ row: [UInt8]?, at position: Int) {
    guard position == next else {
      waiting[position] = row ?? Self.null
      return
    }
    append(row ?? Self.null)
    while !waiting.isEmpty, let row = waiting.removeValue(forKey: next) { append(row) }
  }

  private mutating func append(_ row: [UInt8]) {
    if next > 0 { text.append(UInt8(ascii: ",")) }
    text += row
    next += 1
  }

  /// The list of the first `count` rows; items that never came are `null`.
  consuming func finish(count: Int) -> [UInt8] {
    while next < count { set(waiting.removeValue(forKey: next), at: next) }
    text.append(UInt8(ascii: "]"))
    return text
  }
}
