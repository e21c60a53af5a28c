/// The size of the rows, values, failures and passes of a run, in bytes.
struct HeldMemory {
  private let limit: Int
  private var held = 0
  /// How much of it was reported.
  private var reported = 0

  init(limit: Int) {
    self.limit = limit
  }

  /// Whether there is room for `count` more bytes.
  func hasRoom(for count: Int) -> Bool { held + count <= limit }

  mutating func hold(_ count: Int) { held += count }

  mutating func release(_ count: Int) { held -= count }

  /// By how much it has changed since the last call.
  mutating func takeChange() -> Int {
    defer { reported = held }
    return held - reported
  }
}
