public import PipelineJSONText
internal import PipelineLanguage
package import PipelineLint

/// The surroundings of a run: its clock, its randomness, its files. Everything has a usable
/// default.
public struct RunOptions: Sendable {
  /// Lowers or raises the workflow's `limits.concurrency`.
  public var concurrency: Int?
  /// The chosen environment of the workflow; `nil` for its `defaultEnvironment`.
  public var environment: String?
  /// The environment variables that inputs with `env` may read.
  public var variables: [String: String] = [:]
  /// The environment variables that are set and whose bytes are not UTF-8.
  package var unreadableVariables: Set<String> = []
  /// The names of inputs that nothing in the plan reads, so that they need no value.
  package var unneededInputs: Set<String> = []
  /// The state that the last successful run left, by name: its `RunReport.state`. The app keeps it.
  /// The engine writes it nowhere. Names that the workflow does not have are passed on unchanged.
  public var state: [String: JSONValue] = [:]
  /// The clock that the run reads and waits on.
  public var clock: any RunClock = SystemClock()
  /// Draws a number from `0..<1` for the jitter of retries.
  public var random: @Sendable () -> Double = { Double.random(in: 0..<1) }
  /// The run's id; `nil` for a random one.
  public var runID: String?
  /// What `sandbox:` stands for in a base URL: an origin such as `http://127.0.0.1:8080`.
  public var sandboxOrigin: String?
  /// The files that the run may use. By default there are none.
  public var files: any FileAccess = NoFileAccess()
  /// The journal that the run writes, and resumes from; `nil` if nothing is kept.
  ///
  /// A journal that holds a run decides its id, its start and its inputs, except for inputs that
  /// are given again.
  public var journal: (any Journal)?
  /// Answers to the questions of `ask` steps that are given beforehand, by name: `confirm.answer`, and
  /// for the item at position 3 of a block `each[3].confirm.answer`. A text is read according to the
  /// answer's type.
  public var answers: [String: JSONValue] = [:]
  /// Asks a person, and returns the answers by their names, or `nil` if no answer can be given now.
  /// Called for several questions at once. Its task is cancelled when the time for the answer is
  /// over, or the run stops. If it is `nil`, no person is there, and a run that needs an answer
  /// ends as `RunReport.Status.waiting`.
  public var asker: (@Sendable (_ question: RunQuestion) async -> [String: JSONValue]?)?
  /// Whether the run may end as waiting. If not, as in a part of a run, a question without an answer
  /// has its defaults, or fails.
  package var mayWait = true
  /// Receives each answer that is taken and is not secret, with its name.
  package var answerReader: (@Sendable (_ name: String, _ value: JSONValue) -> Void)?
  /// Where responses are kept for later requests of steps with `cache`; `nil` if nothing is kept,
  /// and `cache` has no effect.
  public var cache: (any ResponseCache)?
  /// The values of a unit that is not to be carried out, as the text of an object; `nil` if it is.
  /// It is asked once for each unit, with the positions of the items around it, and the same
  /// without those of rounds.
  package var givenValues:
    (@Sendable (_ step: String, _ path: [Int], _ group: [Int], _ item: Int?) -> [UInt8]?)?
  /// Whether the caller itself writes into the journal that the run has finished: when its results
  /// have arrived.
  package var leavesJournalOpen = false
  /// The part of the run that this process carries out; `nil` for all of it. The journal must hold
  /// what the parts before it did.
  package var part: RunPart?
  /// Hands out the limits of the run that other processes keep, too; `nil` if they are its own.
  package var sharing: (any LimitSharing)?
  /// Keeps the counts of `limits.quota` between runs; `nil` if each run counts its own requests.
  package var quotas: (any QuotaKeeping)?
  /// Keeps the limits that servers announce for all processes of a machine; `nil` if the run knows
  /// what its own answers say.
  package var announcedLimits: (any AnnouncedLimitKeeping)?
  /// Whether the process may send a request, asked before each one leaves. Once it may not, the run
  /// is cancelled; `nil` if it may.
  package var maySend: (@Sendable () -> Bool)?
  /// The step each of whose items is a run of its own, for reports; `nil` if the run is one.
  package var rowStep: String?
  /// What is compared of responses with the descriptions of the APIs; `nil` if nothing is.
  package var responseChecks: ResponseChecks?
  /// How many events a run keeps for listeners that ask for them after it began.
  public var keptEvents = 1_000
  /// Receives each event at its place of origin, from several tasks at once. It is the cheapest way
  /// to count or to write events. It must be quick, because the calling task waits for it.
  public var observer: (@Sendable (RunEvent) -> Void)?
  /// Whether each server-sent event of a response that a step reads as `sse` is an event of the run,
  /// as soon as it has come.
  public var reportsServerEvents = true
  /// A folder for the rows of large responses that are never needed as a whole; `nil` keeps all
  /// rows in memory. With a journal, what lies there belongs to the run until it has succeeded.
  public var rowFolder: String?
  /// The limits that the run shares with other runs; `nil` if it has only those of its workflow.
  public var limit: SharedLimit?
  /// The OAuth 2.0 tokens that the run shares with other runs; `nil` if it has its own.
  public var tokens: SharedTokens?
  /// Keeps refresh tokens that servers replace; `nil` if the run keeps them in memory.
  package var logins: (any LoginStore)?
  /// What a person types to log in, given the name of the login, and the inputs that an earlier
  /// process of the run was given; `nil` if this is not a command line.
  package var loginCommand: (@Sendable (_ credential: String?, _ recorded: JSONValue?) -> String)?
  /// The inputs that the journal of the run has.
  var recordedInputs: JSONValue?
  /// Receives the progress of each request's bytes, from several tasks at once. It must be quick,
  /// because the bytes wait until it returns.
  public var transferObserver: (@Sendable (Transfer) -> Void)?
  /// Takes the rows if the workflow's one output is the rows of a collection. It gets each row as
  /// compact JSON text, as soon as its turn has come, from one task. The rows are then not kept, so
  /// that memory stays flat however many there are, and the report has no such output.
  public var rowReader: (@Sendable (_ row: [UInt8]) -> Void)?
  /// Takes the values of every step as soon as they are there: those of each item of a collection,
  /// in the order in which items end, and else those of the step. It is called by one task, also for
  /// values taken from a journal. The run does nothing further until it returns, so it must be
  /// quick.
  public var valueReader: (@Sendable (StepValues) -> Void)?
  /// How requests are marked as parts of a trace; `nil` if they are not.
  public var tracing: RequestTracing?
  /// Take the rows of collections of the file, in addition to their other readers.
  package var rowTaps: [RowTap] = []
  /// The contracts of the file, if rows are compared with them elsewhere, too; `nil` if they are
  /// not.
  package var contracts: [RowContract]?
  /// The time limit of all `finally` steps of the workflow together, and of those of each pass
  /// through a block or a called file. The lower one counts if the file sets `limits.finally`, too.
  /// `nil` for that of the file, or 60 seconds. `cancel()` does not end `finally` steps that have
  /// begun.
  public var finallyLimit: Duration?

  /// The defaults: no files, no journal, no cache.
  public init() {}
}
