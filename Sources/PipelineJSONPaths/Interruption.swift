/// Whether the work that the current task does is still wanted.
///
/// An evaluation that takes long asks every thousand nodes or so, and ends early if not. The result
/// then has no meaning. The caller asks again afterwards, and drops the result.
package enum Interruption {
  /// The flag that can end long work early; `nil` if only the task's cancellation does.
  @TaskLocal package static var source: (any InterruptionSource)?

  /// Whether the work is no longer wanted.
  package static var isRaised: Bool { Task.isCancelled || source?.interruptsWork == true }

  /// Whether work that takes long must end now. Checked in the middle of that work.
  package static var endsLongWork: Bool {
    source?.noteLongWork()
    return isRaised
  }
}

/// Ends long work early.
package protocol InterruptionSource: Sendable {
  /// Whether the work is no longer wanted.
  var interruptsWork: Bool { get }
  /// Work takes long enough to ask whether it is wanted.
  func noteLongWork()
}
