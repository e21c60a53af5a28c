internal import PipelineKit
internal import Synchronization

/// How steps ended, from events.
final class StepEnds: Sendable {
  private let state = Mutex<[String: (items: Int?, status: String)]>([:])

  var ends: [String: (items: Int?, status: String)] { state.withLock { $0 } }

  func receive(_ event: RunEvent) {
    guard case .stepFinished(let step) = event.kind else { return }
    let status =
      switch step.outcome {
      case .succeeded: "succeeded"
      case .recovered: "recovered"
      case .skipped: "skipped"
      case .failed: "failed"
      case .cancelled: "cancelled"
      }
    state.withLock { steps in
      let items = steps[step.step]?.items
      let sum = step.items.map { $0 + (items ?? 0) } ?? items
      steps[step.step] = (sum, status)
    }
  }
}
