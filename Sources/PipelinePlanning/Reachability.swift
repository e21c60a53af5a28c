/// Answers for many pairs of steps at once whether the second follows the first.
///
/// The steps are brought into an order in which each follows all that it follows, as near to the
/// order written as that allows. One walk over the stretch between them answers 64 pairs: each step
/// holds a bit for each pair whose first step it follows.
package struct Reachability {
  private let graph: Graph
  /// The steps in that order. Those in a circle are in some order.
  private let order: [Int]
  /// Where each step is in it.
  package let places: [Int]

  /// - Complexity: O(steps + edges).
  package init(_ graph: Graph) {
    self.graph = graph
    order = Self.order(of: graph)
    var places = [Int](repeating: 0, count: order.count)
    for (place, step) in order.enumerated() { places[step] = place }
    self.places = places
  }

  /// For each pair whether a way leads from the first step to the second.
  ///
  /// - Complexity: O(steps + edges + pairs) if the steps of a pair are near each other, and O(pairs
  ///   · (steps + edges) / 64) at most.
  package func areOrdered(_ pairs: [(from: Int, to: Int)]) -> [Bool] {
    var isOrdered = [Bool](repeating: false, count: pairs.count)
    var open: [Int] = []
    for (number, pair) in pairs.enumerated() where places[pair.from] < places[pair.to] {
      isOrdered[number] = graph.dependencies[pair.to].contains(pair.from)
      if !isOrdered[number] { open.append(number) }
    }
    // Pairs at the same distance are grouped, so that no walk is longer than its pairs need.
    let keys = pairs.map { pair in
      let distance = max(places[pair.to] - places[pair.from], 0)
      return (Int.bitWidth - distance.leadingZeroBitCount) << 32 | places[pair.from]
    }
    open.sort { keys[$0] < keys[$1] }
    var reached = [UInt64](repeating: 0, count: order.count)
    for start in stride(from: 0, to: open.count, by: UInt64.bitWidth) {
      let batch = open[start..<min(start + UInt64.bitWidth, open.count)]
      walk(batch, pairs, &reached, &isOrdered)
    }
    return isOrdered
  }

  /// Answers at most 64 pairs. `reached` is zero before and after.
  private func walk(
    _ batch: ArraySlice<Int>, _ pairs: [(from: Int, to: Int)], _ reached: inout [UInt64],
    _ isOrdered: inout [Bool]
  ) {
    var (first, last) = (Int.max, 0)
    for (bit, number) in batch.enumerated() {
      let from = places[pairs[number].from]
      reached[from] |= 1 << UInt64(bit)
      first = min(first, from)
      last = max(last, places[pairs[number].to])
    }
    for place in first...last where reached[place] != 0 {
      for follower in graph.followers[order[place]] where places[follower] <= last {
        reached[places[follower]] |= reached[place]
      }
    }
    for (bit, number) in batch.enumerated() {
      isOrdered[number] = reached[places[pairs[number].to]] & 1 << UInt64(bit) != 0
    }
    for place in first...last { reached[place] = 0 }
  }

  /// Each step after its dependencies, otherwise as written.
  private static func order(of graph: Graph) -> [Int] {
    enum Visit { case none, begun, done }
    var order: [Int] = []
    order.reserveCapacity(graph.stepCount)
    var visits = [Visit](repeating: .none, count: graph.stepCount)
    var stack: [Int] = []
    for step in 0..<graph.stepCount where visits[step] == .none {
      stack.append(step)
      while let step = stack.last {
        if visits[step] == .none {
          visits[step] = .begun
          for earlier in graph.dependencies[step].reversed() where visits[earlier] == .none {
            stack.append(earlier)
          }
        } else {
          stack.removeLast()
          if visits[step] == .begun { order.append(step) }
          visits[step] = .done
        }
      }
    }
    return order
  }
}
