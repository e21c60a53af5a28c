internal import Workflows

/// Work that may start, the most urgent first: by priority, then by the longest remaining path,
/// then in turn, then the block begun first, then as written.
struct ReadyQueue {
  struct Entry: Comparable {
    let place: StepPlace
    let priority: Int
    let remainingPath: Int
    /// When the step last started something, as a count of all that was started; 0: never. Of steps
    /// that are as urgent none waits while another starts all of its items.
    var turn = 0

    init(_ place: StepPlace, turn: Int) {
      self.place = place
      self.turn = turn
      priority = place.plan.step.priority
      remainingPath = place.plan.remainingPath
    }

    static func == (left: Entry, right: Entry) -> Bool { left.place == right.place }

    /// Whether `left` is less urgent.
    static func < (left: Entry, right: Entry) -> Bool {
      if left.priority != right.priority { return left.priority < right.priority }
      if left.remainingPath != right.remainingPath {
        return left.remainingPath < right.remainingPath
      }
      if left.turn != right.turn { return left.turn > right.turn }
      let (leftFrame, rightFrame) = (left.place.frame.number, right.place.frame.number)
      return leftFrame != rightFrame ? leftFrame > rightFrame : left.place.step > right.place.step
    }
  }

  /// A binary heap: no entry is more urgent than the one at half its number.
  private var heap: [Entry] = []

  var first: Entry? { heap.first }
  var isEmpty: Bool { heap.isEmpty }

  mutating func insert(_ entry: Entry) {
    heap.append(entry)
    var child = heap.count - 1
    while child > 0, heap[(child - 1) / 2] < heap[child] {
      heap.swapAt((child - 1) / 2, child)
      child = (child - 1) / 2
    }
  }

  @discardableResult
  mutating func removeFirst() -> Entry? {
    guard let last = heap.popLast() else { return nil }
    guard let first = heap.first else { return last }
    heap[0] = last
    var parent = 0
    while true {
      var child = 2 * parent + 1
      guard child < heap.count else { return first }
      if child + 1 < heap.count, heap[child] < heap[child + 1] { child += 1 }
      guard heap[parent] < heap[child] else { return first }
      heap.swapAt(parent, child)
      parent = child
    }
  }
}
