/// Something that happened in a run. Secrets are hidden in every text of it.
public struct RunEvent: Sendable {
  /// Since the run's start.
  public let time: Duration
  public let kind: Kind

  public init(time: Duration, kind: Kind) {
    self.time = time
    self.kind = kind
  }

  /// Indirect, for events are handed on more often than they are looked into.
  public indirect enum Kind: Sendable {
    /// The first event. `steps`: the file's steps as written, `finally` ones last.
    case runStarted(RunStarted)
    case stepStarted(StepStarted)
    /// One attempt, and its response or its error; each retry and redirect is an attempt of its own.
    case requestFinished(RequestFinished)
    case itemFinished(ItemFinished)
    case stepFinished(StepFinished)
    /// Something worth knowing that is no failure: a credential dropped, an origin that asked to
    /// wait.
    case note(Note)
    /// The last event.
    case runFinished(RunReport)

    var endsRun: Bool {
      if case .runFinished = self { true } else { false }
    }
  }

  public struct RunStarted: Sendable {
    public let runID: String
    public let workflow: String
    public let steps: [StepSummary]
  }

  /// A step of the file, for displays.
  public struct StepSummary: Sendable, Hashable {
    public let id: String
    public let isCollection: Bool
    public let isFinally: Bool
  }

  public struct StepStarted: Sendable {
    /// The step's id; inside of blocks the ids from outside, joined with dots.
    public let step: String
    /// The position of the item of each block around, outermost first; empty at the top.
    public let path: [Int]
    /// How many items the step runs over, where it runs over a collection.
    public let items: Int?
  }

  public struct RequestFinished: Sendable {
    public let step: String
    public let path: [Int]
    public let item: Int?
    /// From 1.
    public let attempt: Int
    public let method: String
    public let url: String
    /// How often the request left the machine: twice for digest authentication, 0 if there was no
    /// connection.
    public let requests: Int
    /// `nil` where no complete response arrived.
    public let status: Int?
    public let error: TransportError?
    public let bytesReceived: Int
    public let timings: Timings
    /// When the request will be sent again; `nil`: this was the last attempt.
    public let retryAfter: Duration?
    /// How a kept response was used; `nil`: the response came over the network.
    public internal(set) var cache: CacheUse?
  }

  public struct ItemFinished: Sendable {
    public let step: String
    public let path: [Int]
    public let item: Int
    public let outcome: Outcome
    /// Items done so far, this one included, and how many there are.
    public let done: Int
    public let total: Int
    /// The step around that recovers from a failure of this item; `nil`: none does.
    public internal(set) var recoveredBy: String?
  }

  public struct StepFinished: Sendable {
    public let step: String
    public let path: [Int]
    public let outcome: Outcome
    public internal(set) var duration: Duration
    /// Items that ended, where the step runs over a collection.
    public let items: Int?
    public let failedItems: Int
    /// The step around that recovers from the failure of this one; `nil`: none does.
    public internal(set) var recoveredBy: String?
  }

  public struct Note: Sendable {
    public let step: String?
    public let message: String
  }

  /// How a step or an item ended.
  public enum Outcome: Sendable {
    case succeeded
    /// Failed, and went on with the values of `otherwise`.
    case recovered(StepFailure)
    /// Did not run; the text says why.
    case skipped(String)
    case failed(StepFailure)
    /// Was at work, or had items left, when the run stopped.
    case cancelled
  }
}
