internal import PipelineLanguage
internal import PipelinePlanning

/// The items and calls of a run, and of each called file that limits them.
struct ItemCounts {
  private var total = 0
  private var totals: [ObjectIdentifier: Int] = [:]

  /// Counts items of a step.
  ///
  /// - Parameters:
  ///   - plan: The run's own.
  ///   - callers: The called files around the step.
  mutating func count(_ count: Int, of plan: Plan, in callers: [Plan]) throws(FailureReason) {
    let limit = plan.workflow.limits.items
    guard count <= limit - total else {
      throw FailureReason(
        .limit,
        "the run has more than \(limit) items and calls; 'limits.items' sets how many it may have")
    }
    total += count
    for caller in callers where caller.workflow.limitNames.contains("items") {
      let limit = caller.workflow.limits.items
      let file = ObjectIdentifier(caller)
      guard count <= limit - totals[file, default: 0] else {
        throw FailureReason(
          .limit,
          "'\(caller.workflow.name)' has more than \(limit) items and calls; its 'limits.items' sets"
            + " how many it may have")
      }
      totals[file, default: 0] += count
    }
  }
}
