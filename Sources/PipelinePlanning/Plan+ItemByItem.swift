import PipelineByteText
import PipelineJSONPaths
package import PipelineLanguage
import PipelineSourceText

extension Plan {
  /// The collections before a step from which an item needs only the item at the same position: the
  /// rows are the items of the step, or of such a collection, and nothing else of the plan reads
  /// them.
  ///
  /// - Parameters:
  ///   - id: The id of a step of the file itself, after which the plan ends.
  ///   - isWhole: Whether all items of a collection have ended well. Those of another one are
  ///     needed all.
  /// - Complexity: O(size of the plan).
  package func collectionsItemByItem(before id: String, where isWhole: (Step) -> Bool) -> [Step] {
    let resolution = Resolution.of(workflow)
    var pairs: Set<Int> = []
    var collections: [Step] = []
    for number in root.graph.topologicalOrder.reversed() {
      let step = root.steps[number].step
      guard step.takesOneItemAtATime else { continue }
      if step.id.value.equals(bytes: id) {
        pairs.insert(number)
        continue
      }
      let followers = root.graph.followers[number]
      let isRead = followers.contains { follower in
        resolution.edges(to: follower).contains { edge in
          guard edge.from == number, case .use(let use) = edge.reason else { return false }
          return !pairs.contains(follower) || !root.steps[follower].step.hasItems(of: use, step)
        }
      }
      guard !isRead, isWhole(step) else { continue }
      pairs.insert(number)
      collections.append(step)
    }
    return collections
  }
}

extension Step {
  /// Whether the step is a collection whose items are those of its source, one by one.
  fileprivate var takesOneItemAtATime: Bool {
    guard let forEach else { return false }
    return forEach.batch == nil && forEach.batchData == nil && forEach.until == nil
      && !forEach.isDistinct
  }

  /// Whether a use is the step's own `forEach`, which takes all rows of a collection as they are.
  ///
  /// The keys of all items must be known for the state of any.
  fileprivate func hasItems(of use: Use, _ collection: Step) -> Bool {
    guard let forEach, case .query(let query) = forEach.source.value,
      query.value.anchor == .root, query.value.segments.count == 1, !hasItemState,
      iterationUses.contains(where: { $0.range == use.range })
    else { return false }
    return query.value.segments[0].name.map { $0.equals(bytes: collection.id.value) } == true
  }
}
