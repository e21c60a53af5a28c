/// How a run ended.
public enum RunStatus: String, Sendable, Hashable {
  /// No step failed for good.
  case succeeded
  /// A step failed, or a limit of the run was reached.
  case failed
  /// `Run.cancel()`, or a task that awaited the run, ended it.
  case cancelled
  /// It waits for a person to answer (`RunReport.questions`), and holds nothing open. A later
  /// process of the run goes on with the answers.
  case waiting
}
