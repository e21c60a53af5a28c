/// Finds the likely intended name if a name does not exist.
package enum Spelling {
  /// The name that is nearest to `name`: the first among equals.
  ///
  /// Near means an optimal string alignment distance (insertions, deletions, replacements, swaps of
  /// neighbours) of at most a third of the name's length. Case is ignored, but decides between
  /// equally near names. O(names × length²), though few names have to be compared letter by letter.
  package static func nearest(to name: String, among names: some Sequence<String>) -> String? {
    let exact = Array(name.unicodeScalars)
    guard !exact.isEmpty, exact.count <= 128 else { return nil }
    let folded = Array(name.lowercased().unicodeScalars)
    let letters = Letters(name)
    let limit = max(1, folded.count / 3)
    var best: (name: String, distance: Int, exactDistance: Int)?
    for candidate in names {
      let most = best?.distance ?? limit
      if let letters, let others = Letters(candidate), letters.isFar(from: others, by: most) {
        continue
      }
      let other = Array(candidate.lowercased().unicodeScalars)
      guard abs(other.count - folded.count) <= most,
        let distance = distance(folded, other, atMost: most),
        distance < max(folded.count, other.count)
      else { continue }
      let exactDistance =
        self.distance(exact, Array(candidate.unicodeScalars), atMost: exact.count) ?? exact.count
      if let best, (best.distance, best.exactDistance) <= (distance, exactDistance) { continue }
      best = (candidate, distance, exactDistance)
    }
    return best?.name
  }

  /// `; did you mean 'x'?` to end a message with, or nothing.
  package static func didYouMean(_ name: String, among names: some Sequence<String>) -> String {
    nearest(to: name, among: names).map { "; did you mean '\($0)'?" } ?? ""
  }

  /// Which letters a name has, in ASCII without case: enough to see that another one is far.
  private struct Letters {
    private var set: UInt64 = 0
    private var count = 0

    /// `nil` if the name is not in ASCII.
    init?(_ name: String) {
      var bytes = 0 as UInt8
      for byte in name.utf8 {
        bytes |= byte
        let folded = byte &- 0x41 < 26 ? byte | 0x20 : byte
        set |= 1 << UInt64(folded & 63)
        count += 1
      }
      guard bytes < 0x80 else { return nil }
    }

    /// Whether more than `limit` changes lie between the names: each makes one letter another.
    func isFar(from other: Letters, by limit: Int) -> Bool {
      abs(count - other.count) > limit
        || max((set & ~other.set).nonzeroBitCount, (other.set & ~set).nonzeroBitCount) > limit
    }
  }

  /// The optimal string alignment distance, or `nil` if it is more than `limit`.
  private static func distance(
    _ a: [Unicode.Scalar], _ b: [Unicode.Scalar], atMost limit: Int
  ) -> Int? {
    var beforeLast = [Int](repeating: 0, count: b.count + 1)
    var last = Array(0...b.count)
    var row = last
    for i in a.indices {
      row[0] = i + 1
      var least = row[0]
      for j in b.indices {
        var cost = min(row[j] + 1, last[j + 1] + 1, last[j] + (a[i] == b[j] ? 0 : 1))
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
          cost = min(cost, beforeLast[j - 1] + 1)
        }
        row[j + 1] = cost
        least = min(least, cost)
      }
      // A swap may reach one row further back, so the row before counts too.
      if least > limit, (last.min() ?? 0) > limit { return nil }
      (beforeLast, last, row) = (last, row, beforeLast)
    }
    return last[b.count] <= limit ? last[b.count] : nil
  }
}
