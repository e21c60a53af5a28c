import SourceText
import Templates

/// Two requests that change one thing, in no order.
struct UnorderedWrites: LintRule {
  static let explanation = Explanation(
    "unordered-writes", .note,
    what: "Two steps change the same address, and nothing says which comes first.",
    why: """
      Steps that do not read each other run at the same time, so which of the two wins differs \
      from run to run. Where the order matters, say so with `dependsOn`.
      """,
    bad: """
      {
        "steps": [
          {
            "id": "rename",
            "endpoint": "PATCH https://api.example.com/users/1",
            "body": { "json": { "name": "Ada" } }
          },
          { "id": "remove", "endpoint": "DELETE https://api.example.com/users/1" }
        ]
      }
      """,
    good: """
      {
        "steps": [
          {
            "id": "rename",
            "endpoint": "PATCH https://api.example.com/users/1",
            "body": { "json": { "name": "Ada" } }
          },
          {
            "id": "remove",
            "dependsOn": ["rename"],
            "endpoint": "DELETE https://api.example.com/users/1"
          }
        ]
      }
      """)

  /// What the search for a path costs at most, in steps visited for one block.
  private static let budget = 20_000

  func check(_ context: LintContext) -> [Diagnostic] {
    context.blocks.flatMap { block in
      block.resolution.block.order == .listed ? [] : check(block, context)
    }
  }

  private func check(_ block: LintBlock, _ context: LintContext) -> [Diagnostic] {
    var writers: [String: [Int]] = [:]
    for index in 0..<block.mainCount {
      guard let request = context.steps[block.steps[index]].request,
        ["PUT", "PATCH", "DELETE"].contains(request.method)
      else { continue }
      writers[request.endpoint.value.url.text, default: []].append(index)
    }
    var found: [Diagnostic] = []
    var budget = Self.budget
    for (url, steps) in writers where steps.count > 1 {
      for (one, two) in zip(steps, steps.dropFirst()) {
        let conditions = [one, two].map { context.steps[block.steps[$0]].step.when }
        // Two branches of which one runs are in no order, and need none.
        if conditions.allSatisfy({ $0 != nil }) { continue }
        guard budget > 0, !isOrdered(one, two, in: block.resolution.graph, &budget) else {
          continue
        }
        let first = context.steps[block.steps[one]].step
        let second = context.steps[block.steps[two]].step
        found.append(
          finding(
            "'\(first.id.value)' and '\(second.id.value)' both change '\(url)', in no order; "
              + "write \"dependsOn\": [\"\(first.id.value)\"] if it matters",
            at: second.id.range,
            related: [.init(range: first.id.range, message: "the other one stands here")]))
      }
    }
    return found
  }

  /// Whether one of two steps follows the other; `true` where the search would cost too much.
  private func isOrdered(_ one: Int, _ two: Int, in graph: Graph, _ budget: inout Int) -> Bool {
    for (start, end) in [(one, two), (two, one)] {
      var seen: Set<Int> = [start]
      var queue = [start]
      while let step = queue.popLast() {
        for follower in graph.followers[step] {
          budget -= 1
          if follower == end || budget <= 0 { return true }
          if seen.insert(follower).inserted { queue.append(follower) }
        }
      }
    }
    return false
  }
}
