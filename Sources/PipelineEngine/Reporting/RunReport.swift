public import PipelineJSONText

/// The end of a run, and its outputs.
public struct RunReport: Sendable {
  /// How a run ended.
  public typealias Status = RunStatus
  /// Steps of the file, counted by how they ended.
  public typealias Counts = RunCounts

  /// The id of the run.
  public let runID: String
  /// How the run ended.
  public let status: Status
  /// Requests that were not sent, because earlier processes carried them out in another form: a
  /// person must say what becomes of them.
  public internal(set) var changedRequests: [SendingRecord] = []
  /// What it waits for, if it waits.
  public internal(set) var questions: [RunQuestion] = []
  /// In the order they happened. The items of one collection are in their own order.
  public let failures: [StepFailure]
  /// The reason outside of any step why the run stopped: a deadline, an interruption.
  public let stopReason: FailureReason?
  /// The counts of the run.
  public internal(set) var counts: Counts
  /// How long the run took.
  public internal(set) var duration: Duration
  /// The outputs of the workflow, without those that a failed or skipped step would have given.
  public let outputs: Outputs
  /// Why the journal is incomplete; `nil` if it is complete.
  public internal(set) var journalProblem: JournalError?
  /// The `RunOptions.state` of the next run. After a run that did not succeed it is the state that
  /// this run was given. Contains no secrets.
  public internal(set) var state: [String: JSONValue] = [:]

  /// A report, such as for a preview.
  public init(
    runID: String = "", status: Status = .succeeded, failures: [StepFailure] = [],
    stopReason: FailureReason? = nil, counts: Counts = Counts(), duration: Duration = .zero,
    outputs: Outputs = Outputs(), journalProblem: JournalError? = nil,
    state: [String: JSONValue] = [:]
  ) {
    self.runID = runID
    self.status = status
    self.failures = failures
    self.stopReason = stopReason
    self.counts = counts
    self.duration = duration
    self.outputs = outputs
    self.journalProblem = journalProblem
    self.state = state
  }
}
