internal import PipelineKit
internal import Synchronization

/// The texts of `say` steps, from events, in the order in which they were shown.
final class SaidTexts: Sendable {
  private let state = Mutex<[String]>([])

  var texts: [String] { state.withLock { $0 } }

  func receive(_ event: RunEvent) {
    guard case .said(let said) = event.kind else { return }
    state.withLock { $0.append(said.text) }
  }
}
