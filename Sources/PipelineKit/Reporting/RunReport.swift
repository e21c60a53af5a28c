public import PipelineJSONText

/// The end of a run, and its outputs.
public struct RunReport: Sendable {
  /// How a run ended.
  public enum Status: String, Sendable, Hashable {
    /// No step failed for good.
    case succeeded
    /// A step failed, or a limit of the run was reached.
    case failed
    /// `Run.cancel()`, or a task that awaited the run, ended it.
    case cancelled
    /// It waits for a person to answer (`questions`), and holds nothing open. A later process of the
    /// run goes on with the answers.
    case waiting
  }

  /// Steps of the file, counted by how they ended, without steps inside blocks.
  public struct Counts: Sendable, Hashable {
    /// Steps that succeeded.
    public var succeeded = 0
    /// Steps that failed and recovered.
    public var recovered = 0
    /// Steps that did not run.
    public var skipped = 0
    /// Steps that failed.
    public var failed = 0
    /// Steps that were at work, or had items left, when the run stopped.
    public var cancelled = 0
    /// Requests sent, retries included.
    public var requests = 0
    /// The bytes of all bodies that were received.
    public var bytesReceived = 0
    /// Items of collections that ended.
    public var items = 0
    /// Answers that a cache gave, and for which nothing was sent.
    public var cached = 0
    /// Answers that a cache gave after the server had confirmed them.
    public var validated = 0
    /// Requests and waits that an earlier process of the run has carried out, and whose values were
    /// taken.
    public var taken = 0
    /// Requests that must not be sent twice, may have arrived, and have an unknown outcome. Only a
    /// run with a journal counts them.
    public var inDoubt = 0
    /// Units of other parts of the run that were not found, and that this part must not carry out.
    package var refused = 0

    /// Counts of zero.
    public init() {}
  }

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
