package import PipelineLanguage

/// Which steps of a block follow which, and why.
///
/// Steps are numbered as written, the `finally` steps after the others.
package struct Graph: Sendable {
  /// One step follows another.
  package struct Edge: Sendable {
    /// The step that must end first.
    package let from: Int
    /// The step that follows.
    package let to: Int
    package let reason: Reason
  }

  /// The cause of an edge.
  package enum Reason: Sendable {
    /// The later step, or a step inside it, reads the earlier one.
    case use(Use)
    /// `dependsOn`.
    case declared(Written<String>)
    /// `"order": "listed"`.
    case listed
  }

  /// A step that must end first, and one that follows it.
  typealias Link = (from: Int, to: Int)

  package let stepCount: Int
  /// For each step its dependencies, each once, in the order of their causes.
  package let dependencies: NumberLists
  /// For each step the steps that follow it, each once.
  package let followers: NumberLists
  /// The steps in an order in which each follows its dependencies, and otherwise as written. Steps
  /// on a cycle, and their followers, are left out.
  package let topologicalOrder: [Int]

  /// - Parameter links: Grouped by their later step.
  /// - Complexity: O(steps + links).
  init(stepCount: Int, links: [Link]) {
    self.stepCount = stepCount
    // A repeat comes before any other link of its step.
    var last = [Int](repeating: -1, count: stepCount)
    let different = links.filter { link in
      defer { last[link.from] = link.to }
      return last[link.from] != link.to
    }
    dependencies = NumberLists(
      count: stepCount, different.lazy.map { (list: $0.to, number: $0.from) })
    followers = NumberLists(
      count: stepCount, different.lazy.map { (list: $0.from, number: $0.to) })
    topologicalOrder = Self.topologicalOrder(of: followers)
  }

  /// For each step the number of different steps that it follows.
  package var dependencyCounts: [Int] { Self.dependencyCounts(of: followers) }

  private static func dependencyCounts(of followers: NumberLists) -> [Int] {
    var counts = [Int](repeating: 0, count: followers.count)
    for step in followers.numbers { counts[step] += 1 }
    return counts
  }

  private static func topologicalOrder(of followers: NumberLists) -> [Int] {
    var remaining = dependencyCounts(of: followers)
    var order = remaining.indices.filter { remaining[$0] == 0 }
    order.reserveCapacity(followers.count)
    var next = 0
    while next < order.count {
      for follower in followers[order[next]] {
        remaining[follower] -= 1
        if remaining[follower] == 0 { order.append(follower) }
      }
      next += 1
    }
    return order
  }

  /// For each step, the length of the longest chain after it.
  ///
  /// - Complexity: O(steps + edges).
  package var remainingPaths: [Int] {
    var lengths = [Int](repeating: 0, count: stepCount)
    for step in topologicalOrder.reversed() {
      for follower in followers[step] {
        lengths[step] = max(lengths[step], lengths[follower] + 1)
      }
    }
    return lengths
  }
}
