public import PipelineJSONText

/// A piece of news that a run writes into its journal.
///
/// Indirect, for entries are handed on more often than they are looked into.
public indirect enum JournalEntry: Sendable {
  /// A process takes the run up: the first, or a later one.
  case started(RunRecord)
  /// A unit has ended.
  case unit(UnitRecord)
  /// A page of an unfinished unit was read.
  case page(PageRecord)
  /// A request that must not be sent twice is about to leave.
  case sending(SendingRecord)
  /// The state of such a request; `nil` if it may be forgotten.
  case sent(SendingRecord.ID, SendingRecord.State?)
  /// The answer to such a request whose unit has not succeeded, so that it can be read again.
  case answered(SendingRecord.ID, RecordedAnswer)
  /// A step and its inner steps are to be carried out again.
  case again(step: String)
  /// A pass through a block or a called file failed and begins again: what is recorded inside it no
  /// longer counts. The step is that of the block or call, and the place has the positions of the
  /// items around its steps.
  case passAgain(step: String, place: [Int])
  /// A file is about to be saved.
  case saving(SavedFile)
  /// The process has come to the end of the run.
  case finished(FinishRecord)
}

/// A file that a run was about to save, or has saved.
public struct SavedFile: Sendable, Hashable {
  /// Its path as the workflow names it, or a fingerprint of one that holds a secret.
  public let path: String
  /// The unit that saved it, as `UnitKey.name` gives it; `nil` in an older journal.
  public let owner: String?
  /// The fingerprint of the unit's item and the items around it; `nil` in an older journal.
  public let items: Fingerprint?

  /// A file of a unit.
  public init(path: String, owner: String? = nil, items: Fingerprint? = nil) {
    self.path = path
    self.owner = owner
    self.items = items
  }
}

/// The identity of a run, the same in each of its processes.
public struct RunRecord: Sendable {
  /// The id of the run.
  public let id: String
  /// The workflow's name.
  public let workflow: String
  /// The workflow's file, as it was given.
  public let file: String
  /// When the first process began, in seconds since 1970-01-01T00:00:00Z.
  public let startedAt: Double
  /// The chosen environment.
  public let environment: String?
  /// The inputs with their values, defaults included, as a JSON object without the secret ones.
  public let inputs: JSONValue
  /// The state that the previous run left.
  public let state: [String: JSONValue]

  /// A record of a run that begins.
  public init(
    id: String, workflow: String, file: String, startedAt: Double, environment: String?,
    inputs: JSONValue, state: [String: JSONValue] = [:]
  ) {
    self.id = id
    self.workflow = workflow
    self.file = file
    self.startedAt = startedAt
    self.environment = environment
    self.inputs = inputs
    self.state = state
  }
}

/// A request that must not be sent twice, was carried out, and is no longer in doubt.
public struct SettledRequest: Sendable {
  /// Which request it was.
  public let id: SendingRecord.ID
  /// The answer to it, so that it can be read again; `nil` if it is not kept, or was before.
  public let answer: RecordedAnswer?

  /// A request that was carried out, and the answer to keep.
  public init(_ id: SendingRecord.ID, answer: RecordedAnswer? = nil) {
    self.id = id
    self.answer = answer
  }
}

/// How one unit ended: a request with its attempts, pages and polls, or a wait.
public struct UnitRecord: Sendable {
  /// How a unit ended.
  public enum Outcome: Sendable {
    /// The step's values: the text of a JSON object.
    case values([UInt8])
    /// It succeeded, and its values hold a secret.
    case withheld
    /// Its row is `null`, because a person said that it need not be carried out.
    case skipped
    /// It failed. Secrets are hidden.
    case failed(FailureReason)
  }

  /// Which unit it was.
  public let key: UnitKey
  /// How it ended.
  public let outcome: Outcome
  /// Since the process took the run up.
  public let began: Duration
  /// How long it took.
  public let duration: Duration
  /// The unit's requests that were carried out, without any doubt.
  public let settled: [SettledRequest]
  /// If a person settled it: the items that it was for, in whatever way its step is written.
  public let items: Fingerprint?
  /// The number of requests that the process had sent before; 0 if unknown.
  public let requests: Int

  /// A record of a unit that has ended.
  public init(
    key: UnitKey, outcome: Outcome, began: Duration = .zero, duration: Duration = .zero,
    settled: [SettledRequest] = [], items: Fingerprint? = nil, requests: Int = 0
  ) {
    self.key = key
    self.outcome = outcome
    self.items = items
    self.began = began
    self.duration = duration
    self.settled = settled
    self.requests = requests
  }
}

/// A page that a unit has read.
public struct PageRecord: Sendable {
  /// The values that lead to the following page.
  public enum Next: Sendable, Hashable {
    /// There is none.
    case none
    /// The number of the page says it.
    case number
    /// A URL.
    case link(String)
    /// A cursor, as JSON text.
    case cursor(String)

    /// As a journal keeps it: the word of the case, and its text.
    package var record: (word: String, target: String?) {
      switch self {
      case .none: ("none", nil)
      case .number: ("number", nil)
      case .link(let url): ("link", url)
      case .cursor(let text): ("cursor", text)
      }
    }

    /// Reads what a journal keeps; `nil` if it is damaged.
    package init?(word: String, target: String) {
      switch word {
      case "none": self = .none
      case "number": self = .number
      case "link": self = .link(target)
      case "cursor": self = .cursor(target)
      default: return nil
      }
    }
  }

  /// The unit that has read the page.
  public let unit: UnitKey
  /// From 0.
  public let number: Int
  /// The values of the extractors: the text of a JSON object.
  public let values: [UInt8]
  /// The values that lead to the next page.
  public let next: Next
  /// The number of pages, if the first one says so.
  public let count: Int?
  /// The unit's requests that were carried out, without any doubt.
  public package(set) var settled: [SettledRequest]
  /// The number of requests that the process had sent before; 0 if unknown.
  public package(set) var requests: Int

  /// A record of a page that was read.
  public init(
    unit: UnitKey, number: Int, values: [UInt8], next: Next, count: Int?,
    settled: [SettledRequest] = [], requests: Int = 0
  ) {
    self.unit = unit
    self.number = number
    self.values = values
    self.next = next
    self.count = count
    self.settled = settled
    self.requests = requests
  }
}

/// How a process ended a run.
public struct FinishRecord: Sendable {
  /// How the run ended.
  public let status: RunStatus
  /// How long the process worked on it.
  public let duration: Duration
  /// The counts of the process.
  public let counts: RunCounts
  /// The first failures, secrets hidden.
  public let failures: [Failed]
  /// The number of failures in all.
  public let failureCount: Int
  /// What the run waits for, if it waits.
  public package(set) var questions: [RunQuestion] = []

  /// A failure of a unit, in short.
  public struct Failed: Sendable {
    /// The id of the step, after the ids of the blocks and calls around it.
    public let step: String
    /// The positions of the items around it, and its own.
    public let place: [Int]
    /// The kind of the failure.
    public let kind: FailureReason.Kind
    /// The event, as one phrase.
    public let message: String

    /// A failure of a step, at a place.
    public init(step: String, place: [Int], kind: FailureReason.Kind, message: String) {
      self.step = step
      self.place = place
      self.kind = kind
      self.message = message
    }
  }

  /// A record with these failures, of `failureCount` in all.
  public init(
    status: RunStatus, duration: Duration, counts: RunCounts, failures: [Failed],
    failureCount: Int
  ) {
    self.status = status
    self.duration = duration
    self.counts = counts
    self.failures = failures
    self.failureCount = failureCount
  }
}
