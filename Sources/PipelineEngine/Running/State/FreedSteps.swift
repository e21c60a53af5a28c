/// The steps of a frame whose dependencies have all ended and that have not been looked at since,
/// first written first. So a plan of very many steps is visited in the order of memory.
///
/// A bit for each step, because thousands wait if a graph is wide.
struct FreedSteps {
  /// For each step, the number of its dependencies that have not ended. If all have, the negated
  /// number of the last one, less one.
  private var remaining: [Int32]
  private var words: [UInt64]
  /// No word before this one has a bit.
  private var first = 0
  private var count = 0

  /// - Parameter dependencyCounts: For each step how many it follows.
  init(_ dependencyCounts: [Int32]) {
    remaining = dependencyCounts
    words = Array(repeating: 0, count: (dependencyCounts.count + 63) / 64)
  }

  var isEmpty: Bool { count == 0 }

  /// Frees those of these steps that have no dependencies.
  mutating func begin(_ steps: Range<Int>) {
    for step in steps where remaining[step] <= 0 { insert(step) }
  }

  /// A step has ended. Frees its followers that nothing else delays, unless they are of another
  /// phase.
  mutating func release(_ followers: ArraySlice<Int>, of phase: Range<Int>, after step: Int) {
    for follower in followers where remaining[follower] > 0 {
      remaining[follower] -= 1
      guard remaining[follower] == 0 else { continue }
      remaining[follower] = -1 - Int32(clamping: step)
      if phase.contains(follower) { insert(follower) }
    }
  }

  /// The step whose end freed another one; `nil` if that follows none, or not all have ended.
  func releaser(of step: Int) -> Int? {
    remaining[step] < 0 ? Int(-1 - remaining[step]) : nil
  }

  private mutating func insert(_ step: Int) {
    let bit: UInt64 = 1 << UInt64(step % 64)
    guard words[step / 64] & bit == 0 else { return }
    words[step / 64] |= bit
    first = min(first, step / 64)
    count += 1
  }

  /// - Complexity: O(1) if steps come roughly in the order of the file; at worst O(steps / 64).
  mutating func removeFirst() -> Int? {
    guard count > 0 else { return nil }
    while words[first] == 0 { first += 1 }
    let step = first * 64 + words[first].trailingZeroBitCount
    words[first] &= words[first] - 1
    count -= 1
    return step
  }
}
