/// A queue that gives the smallest of its elements first.
struct Heap<Element: Comparable> {
  /// A binary heap: no element is smaller than the one at half its number.
  private var elements: [Element] = []

  var isEmpty: Bool { elements.isEmpty }
  var count: Int { elements.count }
  var first: Element? { elements.first }

  /// - Complexity: O(log n); O(1) if elements come in ascending order.
  mutating func insert(_ element: Element) {
    elements.append(element)
    var child = elements.count - 1
    while child > 0, elements[child] < elements[(child - 1) / 2] {
      elements.swapAt((child - 1) / 2, child)
      child = (child - 1) / 2
    }
  }

  /// - Complexity: O(log n).
  mutating func removeFirst() -> Element? {
    guard let last = elements.popLast() else { return nil }
    guard let first = elements.first else { return last }
    elements[0] = last
    var parent = 0
    while true {
      var child = 2 * parent + 1
      guard child < elements.count else { return first }
      if child + 1 < elements.count, elements[child + 1] < elements[child] { child += 1 }
      guard elements[child] < elements[parent] else { return first }
      elements.swapAt(parent, child)
      parent = child
    }
  }
}
