extension Graph {
  /// A cycle: each edge starts at the end of the one before.
  package typealias Cycle = [Edge]

  /// Cycles that together hold every edge on any cycle, shortest first within each knot of steps,
  /// and at most `limit` for each knot. Empty exactly if the graph can be ordered.
  ///
  /// - Parameter edges: All edges of the graph. Not called if there is no cycle.
  /// - Complexity: O(1) if there is no cycle.
  func cycles(of edges: @autoclosure () -> [Edge], limit: Int = 20) -> [Cycle] {
    if topologicalOrder.count == stepCount { return [] }
    let edges = edges()
    let component = components()
    // For each step the edges that lead on within its knot.
    var outgoing: [Int: [Int]] = [:]
    for (number, edge) in edges.enumerated() where component[edge.from] == component[edge.to] {
      outgoing[edge.from, default: []].append(number)
    }
    var found: [Int: [Cycle]] = [:]
    var covered = Set<Int>()
    for (number, edge) in edges.enumerated()
    where component[edge.from] == component[edge.to] && !covered.contains(number) {
      let knot = component[edge.from]
      guard found[knot, default: []].count < limit else { continue }
      let numbers = [number] + path(along: edges, outgoing, from: edge.to, to: edge.from)
      covered.formUnion(numbers)
      found[knot, default: []].append(numbers.map { edges[$0] })
    }
    return found.sorted { $0.key < $1.key }
      .flatMap { $0.value.sorted { $0.count < $1.count } }
  }

  /// The numbers of the edges on a shortest path; empty if both ends are the same.
  private func path(
    along edges: [Edge], _ outgoing: [Int: [Int]], from start: Int, to end: Int
  ) -> [Int] {
    var arrival: [Int: Int] = [:]
    var queue = [start]
    var next = 0
    while next < queue.count, queue[next] != end {
      for number in outgoing[queue[next]] ?? []
      where edges[number].to != start && arrival[edges[number].to] == nil {
        arrival[edges[number].to] = number
        queue.append(edges[number].to)
      }
      next += 1
    }
    var path: [Int] = []
    var step = end
    while step != start, let number = arrival[step] {
      path.append(number)
      step = edges[number].from
    }
    return path.reversed()
  }

  /// The number of each step's strongly connected component (Tarjan, without recursion).
  private func components() -> [Int] {
    var search = ComponentSearch(followers: followers)
    for step in 0..<stepCount { search.visit(step) }
    return search.component
  }
}

/// Tarjan's search for strongly connected components, on an explicit stack.
private struct ComponentSearch {
  let followers: NumberLists
  var component: [Int]
  private var index: [Int]
  private var low: [Int]
  private var open: [Int] = []
  private var visited = 0
  private var componentCount = 0

  init(followers: NumberLists) {
    self.followers = followers
    component = Array(repeating: -1, count: followers.count)
    index = Array(repeating: -1, count: followers.count)
    low = Array(repeating: 0, count: followers.count)
  }

  mutating func visit(_ start: Int) {
    guard index[start] < 0 else { return }
    var path: [(step: Int, next: Int)] = []
    enter(start, &path)
    while let (step, next) = path.last {
      let behind = followers[step]
      if next < behind.count {
        path[path.count - 1].next += 1
        let follower = behind[behind.startIndex + next]
        if index[follower] < 0 {
          enter(follower, &path)
        } else if component[follower] < 0 {
          low[step] = min(low[step], index[follower])
        }
      } else {
        path.removeLast()
        if let parent = path.last?.step { low[parent] = min(low[parent], low[step]) }
        if low[step] == index[step] { close(step) }
      }
    }
  }

  private mutating func enter(_ step: Int, _ path: inout [(step: Int, next: Int)]) {
    index[step] = visited
    low[step] = visited
    visited += 1
    open.append(step)
    path.append((step, 0))
  }

  private mutating func close(_ root: Int) {
    while let step = open.popLast() {
      component[step] = componentCount
      if step == root { break }
    }
    componentCount += 1
  }
}
