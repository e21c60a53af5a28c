/// Something that happened in a run. Secrets are hidden in every text of it.
public struct RunEvent: Sendable {
  /// Since the run's start.
  public let time: Duration
  /// The kind of event.
  public let kind: Kind

  /// An event at a time since the start of the run.
  public init(time: Duration, kind: Kind) {
    self.time = time
    self.kind = kind
  }

  /// Indirect, for events are handed on more often than they are looked into.
  public indirect enum Kind: Sendable {
    /// The first event. `steps`: the file's steps as written, `finally` ones last.
    case runStarted(RunStarted)
    /// A step begins.
    case stepStarted(StepStarted)
    /// An item that takes time begins, or the single action of a step gets its slot.
    case itemStarted(ItemStarted)
    /// One attempt, and its response or its error. Each retry and redirect is a separate attempt.
    case requestFinished(RequestFinished)
    /// A server-sent event has come, in a response that may still be open.
    case eventReceived(EventReceived)
    /// An item of a collection has ended.
    case itemFinished(ItemFinished)
    /// A step has ended.
    case stepFinished(StepFinished)
    /// A note that is not a failure: a credential dropped, an origin that asked to wait.
    case note(Note)
    /// A step has shown a text.
    case said(Said)
    /// A step has asked.
    case asked(RunQuestion)
    /// The last event.
    case runFinished(RunReport)

    var endsRun: Bool {
      if case .runFinished = self { true } else { false }
    }
  }

  /// The beginning of a run.
  public struct RunStarted: Sendable {
    /// The id of the run.
    public let runID: String
    /// The name of the workflow.
    public let workflow: String
    /// The steps of the file as written, `finally` steps last.
    public let steps: [StepSummary]
    /// The workflow's file.
    package internal(set) var file = ""
    /// In seconds since 1970-01-01T00:00:00Z.
    package internal(set) var startedAt = 0.0
    /// When this process took the run up, in the same way; `nil` if it began the run.
    package internal(set) var resumedAt: Double?
    /// The limits that hold requests back.
    package internal(set) var limits = RunLimits()
    /// The step each of whose items is a run of its own; `nil` if the run is one.
    package internal(set) var rowStep: String?
  }

  /// How many requests may be in flight, and how fast they may follow each other.
  package struct RunLimits: Sendable, Hashable {
    package internal(set) var concurrency = 0
    package internal(set) var perOrigin: Int?
    package internal(set) var rate: Rate?
    package internal(set) var ratePerOrigin: Rate?

    /// A number of requests in this time.
    package struct Rate: Sendable, Hashable {
      package let count: Int
      package let per: Duration
    }
  }

  /// A step of the file, for displays.
  public struct StepSummary: Sendable, Hashable {
    /// The id of the step.
    public let id: String
    /// Whether the step has a `forEach` or a `repeat`.
    public let isCollection: Bool
    /// Whether it is a step of `finally`.
    public let isFinally: Bool
    /// Whether its items are the rounds of a `repeat`.
    package internal(set) var hasRounds = false
    /// Its action: `request`, `values`, `wait`, `block`, `choose`, `call`, `fail`,
    /// `say` or `ask`.
    package internal(set) var action = ""
    /// The ids of the steps that it follows, in the same block.
    package internal(set) var after: [String] = []
    /// The file that it is written in; `nil` for the run's.
    package internal(set) var file: String?
    /// Where it is written, from 1.
    package internal(set) var line = 1
    /// The steps inside.
    package internal(set) var steps: [StepSummary] = []
  }

  /// A step that begins.
  public struct StepStarted: Sendable {
    /// The step's id. Inside blocks it follows the ids of these, joined with dots.
    public let step: String
    /// The position of the item of each block around, outermost first; empty at the top.
    public let path: [Int]
    /// The number of items, if the step runs over a collection.
    public let items: Int?
    /// The last event that it waited for.
    public internal(set) var releasedBy = Release(.start)
    /// How many of its items may be carried out at once; `nil` for as many as the run allows.
    package internal(set) var concurrency: Int?
    /// Whether each item needs the row of the one before, as with `until`.
    package internal(set) var isSequential = false
  }

  /// An item that begins: its request, its wait, or its pass through a block or a called file.
  public struct ItemStarted: Sendable {
    /// The step's id, after the ids of the blocks around it.
    public let step: String
    /// The positions of the items of the blocks around, outermost first.
    public let path: [Int]
    /// The position of the item; `nil` if the step does not run over a collection, and its request
    /// had to wait for a slot.
    public let item: Int?
    /// The last event that it waited for.
    public let releasedBy: Release
  }

  /// An attempt that has ended.
  public struct RequestFinished: Sendable {
    /// The id of the step, after the ids of the blocks around it.
    public let step: String
    /// The positions of the items of the blocks around, outermost first.
    public let path: [Int]
    /// The position of the item; `nil` if the step does not run over a collection.
    public let item: Int?
    /// From 1.
    public let attempt: Int
    /// The method that was sent.
    public let method: String
    /// The URL that was requested, secrets hidden.
    public let url: String
    /// The number of times that the request left the machine: twice for digest authentication, 0 if
    /// there was no connection.
    public let requests: Int
    /// `nil` if no complete response arrived.
    public let status: Int?
    /// Why no complete response arrived.
    public let error: TransportError?
    /// The bytes of the body that were received.
    public let bytesReceived: Int
    /// When each phase of the attempt ended.
    public let timings: Timings
    /// When the request will be sent again; `nil` if this was the last attempt.
    public let retryAfter: Duration?
    /// How a kept response was used; `nil` if the response came over the network.
    public internal(set) var cache: CacheUse?
    /// When all that held it back was over, since the run's start; `nil` if it was not to be sent.
    public internal(set) var sent: Duration?
    /// How long it was held back before.
    public internal(set) var waits = Waits()
    /// Why it was sent.
    public package(set) var cause = RequestCause.first
    /// The page that it asked for, from 0; `nil` if the step does not read pages.
    public package(set) var page: Int?
    /// How many polls came before, from 0; `nil` if the step does not poll.
    public package(set) var poll: Int?
    /// Whether it asked for a token that the step needs (OAuth 2.0), and not for the step's endpoint.
    public package(set) var isForToken = false
    /// The request's span in a trace; `nil` if the run is not traced.
    package internal(set) var span: UInt64?

    /// Its place in the step.
    package var place: RequestPlace {
      RequestPlace(item: item, page: page, poll: poll, isForToken: isForToken)
    }

    /// The id of the attempt's span, 16 hexadecimal digits; `nil` unless `RunOptions.tracing` gives
    /// each request a span.
    public var spanID: String? { span.map(TraceContext.hexadecimal) }
  }

  /// An event of a server, in a response that a step reads as `sse`.
  ///
  /// The attempt that it belongs to may still fail. The step's values are made of the events of the
  /// attempt that succeeds.
  public struct EventReceived: Sendable {
    /// The id of the step, after the ids of the blocks around it.
    public let step: String
    /// The positions of the items of the blocks around, outermost first.
    public let path: [Int]
    /// The position of the item; `nil` if the step does not run over a collection.
    public let item: Int?
    /// The attempt that it came in, from 1.
    public let attempt: Int
    /// The event as JSON text, an object with `event`, `data` and `id`, secrets hidden.
    public let row: [UInt8]

    /// An event of a server.
    public init(
      step: String, path: [Int] = [], item: Int? = nil, attempt: Int = 1, row: [UInt8]
    ) {
      self.step = step
      self.path = path
      self.item = item
      self.attempt = attempt
      self.row = row
    }
  }

  /// An item that has ended.
  public struct ItemFinished: Sendable {
    /// The id of the step, after the ids of the blocks around it.
    public let step: String
    /// The positions of the items of the blocks around, outermost first.
    public let path: [Int]
    /// The position of the item, from 0.
    public let item: Int
    /// How the item ended.
    public internal(set) var outcome: Outcome
    /// Items done so far, this one included, and how many there are.
    public let done: Int
    /// The number of items.
    public let total: Int
    /// The step around that recovers from a failure of this item; `nil` if none does.
    public internal(set) var recoveredBy: String?

    /// An item that has ended.
    public init(
      step: String, path: [Int] = [], item: Int, outcome: Outcome, done: Int, total: Int,
      recoveredBy: String? = nil
    ) {
      self.step = step
      self.path = path
      self.item = item
      self.outcome = outcome
      self.done = done
      self.total = total
      self.recoveredBy = recoveredBy
    }
  }

  /// A step that has ended.
  public struct StepFinished: Sendable {
    /// The id of the step, after the ids of the blocks around it.
    public let step: String
    /// The positions of the items of the blocks around, outermost first.
    public let path: [Int]
    /// How the step ended.
    public internal(set) var outcome: Outcome
    /// How long the step took, from its first item to its last.
    public internal(set) var duration: Duration
    /// Items that ended, if the step runs over a collection.
    public let items: Int?
    /// How many of the items failed.
    public let failedItems: Int
    /// The step around that recovers from the failure of this one; `nil` if none does.
    public internal(set) var recoveredBy: String?
    /// The last cause that a step waited for; `nil` if it did not run, or the run stopped before.
    public internal(set) var releasedBy: Release?
  }

  /// Something worth knowing.
  public struct Note: Sendable {
    /// The step that it is about; `nil` for the run as a whole.
    public let step: String?
    /// One phrase for people.
    public let message: String

    /// Something worth knowing.
    public init(
      step: String? = nil, message: String
    ) {
      self.step = step
      self.message = message
    }
  }

  /// A text that a step shows.
  public struct Said: Sendable {
    /// The id of the step, after the ids of the blocks around it.
    public let step: String
    /// The positions of the items of the blocks around, outermost first.
    public let path: [Int]
    /// The text.
    public let text: String

    /// A text of a step.
    public init(step: String, path: [Int] = [], text: String) {
      self.step = step
      self.path = path
      self.text = text
    }
  }

  /// How a step or an item ended.
  public enum Outcome: Sendable {
    /// Gave its values.
    case succeeded
    /// Failed, and went on with the values of `otherwise`.
    case recovered(StepFailure)
    /// Did not run. The text says why.
    case skipped(String)
    /// Failed for good.
    case failed(StepFailure)
    /// Was at work, or had items left, when the run stopped.
    case cancelled
  }
}

extension RunEvent.RunStarted {
  /// A beginning, such as for a preview.
  public init(
    runID: String, workflow: String, steps: [RunEvent.StepSummary]
  ) {
    self.runID = runID
    self.workflow = workflow
    self.steps = steps
  }
}

extension RunEvent.StepSummary {
  /// A step of the file.
  public init(
    id: String, isCollection: Bool = false, isFinally: Bool = false
  ) {
    self.id = id
    self.isCollection = isCollection
    self.isFinally = isFinally
  }
}

extension RunEvent.StepStarted {
  /// A step that begins.
  public init(
    step: String, path: [Int] = [], items: Int? = nil
  ) {
    self.step = step
    self.path = path
    self.items = items
  }
}

extension RunEvent.RequestFinished {
  /// An attempt that has ended.
  public init(
    step: String, path: [Int] = [], item: Int? = nil, attempt: Int = 1, method: String,
    url: String, requests: Int = 1, status: Int? = nil, error: TransportError? = nil,
    bytesReceived: Int = 0, timings: Timings = Timings(), retryAfter: Duration? = nil,
    cache: CacheUse? = nil
  ) {
    self.step = step
    self.path = path
    self.item = item
    self.attempt = attempt
    self.method = method
    self.url = url
    self.requests = requests
    self.status = status
    self.error = error
    self.bytesReceived = bytesReceived
    self.timings = timings
    self.retryAfter = retryAfter
    self.cache = cache
  }
}

extension RunEvent.StepFinished {
  /// A step that has ended.
  public init(
    step: String, path: [Int] = [], outcome: RunEvent.Outcome, duration: Duration = .zero,
    items: Int? = nil, failedItems: Int = 0, recoveredBy: String? = nil
  ) {
    self.step = step
    self.path = path
    self.outcome = outcome
    self.duration = duration
    self.items = items
    self.failedItems = failedItems
    self.recoveredBy = recoveredBy
  }
}
