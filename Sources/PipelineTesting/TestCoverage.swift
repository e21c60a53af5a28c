internal import PipelineKit
import PipelineLanguage
package import PipelineLint
internal import Synchronization

/// Which steps ran in tests, and which of their branches were taken.
package struct TestCoverage: Sendable {
  /// Something that a test may do with a step.
  package enum Point: String, Sendable, CaseIterable {
    case ran, skipped, recovered, failed, retried

    /// The points that no test reached, as a phrase about a step.
    var gap: String {
      switch self {
      case .ran: "never ran"
      case .skipped: "its 'when' always held"
      case .recovered: "its 'otherwise' was never taken"
      case .failed: "its 'onError' was never taken"
      case .retried: "its 'retry' never sent a request again"
      }
    }
  }

  /// Points by the step's id, after the ids of the blocks and calls around it.
  private var taken: [String: Set<Point>] = [:]

  package init() {}

  mutating func add(_ point: Point, _ step: String) { taken[step, default: []].insert(point) }

  package mutating func add(_ other: TestCoverage) {
    taken.merge(other.taken) { $0.union($1) }
  }

  /// The number of points of the workflow, and those that no test has reached: `step 'user' never
  /// ran`.
  package func gaps(in workflow: LintedWorkflow) -> (count: Int, gaps: [String]) {
    var count = 0
    var gaps: [String] = []
    // A look-up is sent only after a failure.
    for entry in TestNames(workflow).steps where !entry.isLookUp {
      let done = taken[entry.id] ?? []
      let points = Self.points(of: entry.step)
      count += points.count
      // Nothing else is worth reporting about a step that never ran.
      let missing = done.contains(.ran) ? points.filter { !done.contains($0) } : [.ran]
      gaps += missing.map { "step '\(entry.id)': \($0.gap)" }
    }
    return (count, gaps)
  }

  /// Settings that the author wrote beside a step, without inherited ones.
  private static func points(of step: Step) -> [Point] {
    var points = [Point.ran]
    // A branch whose condition does not hold makes way for another one, which is a separate point.
    if step.when != nil, step.branch == nil { points.append(.skipped) }
    if step.onError == .recover || step.otherwise != nil && step.node["onError"] != nil {
      points.append(.recovered)
    } else if step.node["onError"] != nil, step.onError == .continue {
      points.append(.failed)
    }
    if case .request(let request) = step.action, step.node["retry"] != nil,
      request.retry.attempts > 1
    {
      points.append(.retried)
    }
    return points
  }
}

/// Gathers the coverage of a run from its events.
final class CoverageGatherer: Sendable {
  private let state = Mutex(TestCoverage())

  var coverage: TestCoverage { state.withLock { $0 } }

  func receive(_ event: RunEvent) {
    switch event.kind {
    case .requestFinished(let request):
      if request.retryAfter != nil { add(.retried, request.step) }
    case .itemFinished(let item): add(item.outcome, item.step)
    // A step without items has done nothing.
    case .stepFinished(let step): if step.items != 0 { add(step.outcome, step.step) }
    case .stepStarted(let step): if step.items != 0 { add(.ran, step.step) }
    case .runStarted, .itemStarted, .eventReceived, .note, .said, .asked, .runFinished: break
    }
  }

  private func add(_ outcome: RunEvent.Outcome, _ step: String) {
    switch outcome {
    case .succeeded: add(.ran, step)
    case .recovered:
      add(.ran, step)
      add(.recovered, step)
    case .skipped: add(.skipped, step)
    case .failed:
      add(.ran, step)
      add(.failed, step)
    case .cancelled: break
    }
  }

  private func add(_ point: TestCoverage.Point, _ step: String) {
    state.withLock { $0.add(point, step) }
  }
}
