internal import PipelineJSONPaths
internal import Synchronization

/// Tells the scheduler what cannot wait until it has time: to stop, or to look up from its work.
///
/// News wait in a mailbox until the scheduler reads them. It reads no news while it evaluates
/// `values`. So it looks at this between two items, and from time to time during a long evaluation.
final class StopSignal: Sendable {
  /// A request to the scheduler.
  struct Reasons: OptionSet, Sendable {
    let rawValue: UInt8

    /// The run was cancelled.
    static let cancel = Reasons(rawValue: 1)
    /// The run has reached its `limits.deadline`.
    static let deadline = Reasons(rawValue: 2)
    /// There are commands or timers to read, or what was done last took long.
    static let attention = Reasons(rawValue: 4)
  }

  private let reasons = Atomic<UInt8>(0)

  /// Whether the scheduler should look up.
  var isRaised: Bool { reasons.load(ordering: .relaxed) != 0 }

  /// Whether the whole run should stop.
  var stops: Bool {
    reasons.load(ordering: .relaxed) & ~Reasons.attention.rawValue != 0
  }

  func raise(_ reason: Reasons) {
    reasons.bitwiseOr(reason.rawValue, ordering: .acquiringAndReleasing)
  }

  /// The flags raised since the last call.
  func take() -> Reasons {
    guard isRaised else { return [] }
    return Reasons(rawValue: reasons.exchange(0, ordering: .acquiringAndReleasing))
  }
}

/// Ends work that takes longer than some milliseconds.
final class WorkLimit: InterruptionSource {
  private let left = Atomic<Int>(20)

  var interruptsWork: Bool { left.load(ordering: .relaxed) <= 0 }

  func noteLongWork() { left.subtract(1, ordering: .relaxed) }
}

extension StopSignal: InterruptionSource {
  var interruptsWork: Bool { stops }

  /// The scheduler ends the turn: what it took shows in the events that follow from it.
  func noteLongWork() { raise(.attention) }
}
