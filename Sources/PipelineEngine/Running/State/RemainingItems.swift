internal import PipelineJSONText

/// The items of a collection that have not begun, kept from one question about them to the next.
struct RemainingItems {
  /// How many there are with each fingerprint.
  private(set) var counts: [Fingerprint: Int] = [:]
  private let fingerprints: [Fingerprint]
  /// How many items were left before the first of `fingerprints`.
  private let leftBefore: Int
  private var begun = 0

  /// - Complexity: O(*n*) for *n* items.
  init(of items: Items, _ fingerprint: (JSONNode) -> Fingerprint) {
    leftBefore = items.leftCount
    var items = items
    var fingerprints: [Fingerprint] = []
    while let item = items.next() {
      let print = fingerprint(item)
      fingerprints.append(print)
      counts[print, default: 0] += 1
    }
    self.fingerprints = fingerprints
  }

  /// Leaves out what has begun since.
  ///
  /// - Complexity: O(*n*) for *n* items that have begun.
  mutating func advance(to items: Items) {
    while begun < min(leftBefore - items.leftCount, fingerprints.count) {
      let item = fingerprints[begun]
      counts[item] = counts[item].flatMap { $0 > 1 ? $0 - 1 : nil }
      begun += 1
    }
  }
}
