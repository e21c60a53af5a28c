/// The next thing that a run does.
enum Action: Sendable {
  case start(Unit)
  /// The unit waits until everything else has ended. Then `releaseHeld` continues it.
  case hold(Unit)
  /// This process must not carry the unit out. It fails with this, unless the run ends before.
  case refuse(Unit, FailureReason)
  /// A unit was taken from the journal. Only a rehearsal has this action.
  case taken(StepLabel)
  /// Stop these units. Their outcomes still come in.
  case cancel([Unit])
  /// Stop all units started so far, but not later ones.
  case cancelAll
  case emit(RunEvent.Kind)
  /// Hand on what a step, or an item of it, gave.
  case values(StepValues)
  /// Hand on this row of a step of the file.
  case row([UInt8], step: Int)
  /// Hand on the rows in the values of a step of the file, or those that wait on the disk.
  case rows(of: [UInt8], step: Int)
  /// The rows of a step are at an end. If they are not whole, the step's value is an empty list.
  case rowsEnd(step: Int, areWhole: Bool)
  /// Say when the time of a frame, by its number, is over: a called file's, or that of a block's
  /// `finally` steps. It replaces the one of the frame.
  case startTimer(frame: Int, Duration)
  /// The frame's time no longer matters.
  case stopTimer(frame: Int)
  /// A pass through a block or a called file begins again: what was recorded of it no longer counts.
  case again(step: String, place: [Int])
  /// The `finally` steps of the file begin.
  case beginFinally
  case finish(RunReport)

  /// Moves the end that the action announces to a later time.
  mutating func end(later delay: Duration) {
    switch self {
    case .emit(.stepFinished(var event)):
      if case .skipped = event.outcome { return }
      event.duration += delay
      self = .emit(.stepFinished(event))
    case .finish(var report):
      report.duration += delay
      self = .finish(report)
    default: break
    }
  }
}
