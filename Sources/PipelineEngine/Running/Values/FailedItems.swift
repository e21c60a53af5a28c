/// The failures in the items of a step. There may be as much as there are items, so what is equal
/// is held once.
struct FailedItems: Sendable {
  /// In the order of arrival, with the failures of one item together.
  private var list: [StepFailure] = []
  /// The number of items around the step.
  private let depth: Int
  /// Items with at least one failure.
  private(set) var count = 0
  /// About what all of it takes, in bytes.
  private(set) var held = 0

  /// The size of a failure beside its texts: its places here and in the report, and its object.
  private static let failureSize = 360

  init(depth: Int) { self.depth = depth }

  /// A step that failed before its first item.
  init(_ failure: StepFailure) {
    depth = failure.path.count
    append([failure])
  }

  /// Adds what failed in an item. Returns about how many bytes that takes.
  @discardableResult
  mutating func append(_ failures: [StepFailure]) -> Int {
    let before = held
    for failure in failures {
      if list.last?.item(at: depth) != failure.item(at: depth) { count += 1 }
      let (failure, textSize) = failure.sharing(with: list.last)
      list.append(failure)
      held += Self.failureSize + textSize
    }
    return held - before
  }

  /// All failures in the order of the items.
  var failures: [StepFailure] {
    mutating get {
      sort()
      return list
    }
  }

  /// The first failure of each item, in the order of the items.
  var firsts: [(item: Int, failure: FailureReason)] {
    var sorted = self
    sorted.sort()
    var last: Int?
    return sorted.list.compactMap { failed in
      let item = failed.item(at: depth)
      defer { last = item }
      return item == last ? nil : (item, failed.failure)
    }
  }

  /// Leaves out the items that the step recovers from: all of their failures are recovered.
  mutating func leaveOut(where isRecovered: (FailureReason) -> Bool) {
    var others = FailedItems(depth: depth)
    let items = Set(list.filter { !isRecovered($0.failure) }.map { $0.item(at: depth) })
    for failure in failures where items.contains(failure.item(at: depth)) {
      others.append([failure])
    }
    self = others
  }

  private mutating func sort() {
    let depth = depth
    list.sort { $0.item(at: depth) < $1.item(at: depth) }
  }
}

extension StepFailure {
  /// The item of a step at that depth in which it happened, 0 if the step as a whole failed.
  fileprivate func item(at depth: Int) -> Int {
    path.count > depth ? path[depth] : item ?? 0
  }
}
