/// The facts about a run after its end: steps, uses of time, the critical path, and samples of its
/// requests and failures. Its size depends on the file and not on the number of items.
///
/// Times are microseconds since the run's start. What lies between two processes of a run does not
/// count: the second begins when the first ends.
package struct RunTrace: Decodable, Sendable {
  /// The number of these that is kept.
  enum Most {
    static let requests = 300
    static let slowRequests = 40
    static let failedRequests = 60
    static let failures = 50
    static let notes = 50
    static let rows = 10_000
    static let pathParts = 2_000
    static let columns = 240
    static let excerpt = 2_000
    static let url = 400
  }

  package var run = ""
  package var workflow = ""
  package var file = ""
  /// In seconds since 1970-01-01T00:00:00Z.
  package var startedAt = 0.0
  /// `succeeded`, `failed`, `cancelled`, or `unfinished` if its events end early.
  package var status = "unfinished"
  package var duration = 0
  package var stopReason: String?
  /// The processes that carried the run out, one after another.
  package var processes: [Process] = []
  package var counts = Counts()
  package var limits = Limits()
  /// As written, the steps inside a step after it.
  package var steps: [Step] = []
  /// From the run's start to its end. Each part begins at the end of the one before.
  package var path: [PathPart] = []
  /// Where the time of all requests went, whether the run waited for them or not.
  package var uses: [Use] = []
  package var failures: [Failed] = []
  package var failureCount = 0
  package var notes: [Note] = []
  /// The first requests, the slowest, and the first that failed, in the order they were sent.
  package var requests: [Request] = []
  /// All requests that ended, by when they did.
  package var density = Density()
  package var least = Least()
  /// The step each of whose items is a run of its own; `nil` if there is none.
  package var rowStep: String?
  /// Its first items, as they ended.
  package var rows: [Row]?

  /// An item that is a run of its own.
  package struct Row: Decodable, Sendable, Equatable {
    package var item: Int
    package var outcome: Outcome
    package var time: Int
    /// How it failed.
    package var failure: RowFailure?
  }

  package struct RowFailure: Decodable, Sendable, Equatable {
    package var kind: String
    package var message: String
  }

  /// A process that carried the run out, or a part of it.
  package struct Process: Decodable, Sendable, Equatable {
    /// When it took the run up, on the run's own time.
    package var start: Int
    package var duration: Int
    /// In seconds since 1970-01-01T00:00:00Z.
    package var startedAt: Double
    /// As for the run. `unfinished`: it was killed, or goes on.
    package var status: String
    package var requests: Int
    /// The units whose values were taken from earlier processes.
    package var taken: Int
  }

  package struct Counts: Decodable, Sendable {
    package var succeeded = 0
    package var recovered = 0
    package var skipped = 0
    package var failed = 0
    package var cancelled = 0
    package var requests = 0
    package var items = 0
    package var bytes = 0
    package var cached = 0
    package var validated = 0
    package var taken = 0
    package var retries = 0
    package var repeats: Repeats?
  }

  package struct Limits: Decodable, Sendable {
    package var concurrency = 0
    package var perOrigin: Int?
    package var rate: Rate?
    package var ratePerOrigin: Rate?

    package struct Rate: Decodable, Sendable {
      package var count: Int
      package var per: Int
    }
  }

  /// A step as written, with all that it did, in whatever pass.
  package struct Step: Decodable, Sendable {
    /// The ids from outside, joined with dots.
    package var id: String
    package var action: String
    /// The number of the step around.
    package var parent: Int?
    package var isCollection = false
    /// How many of its items it carries out at once, if that is less than the run does.
    package var concurrency: Int?
    package var isFinally = false
    /// Whether its items are the rounds of a `repeat`; `nil` if they are not.
    package var hasRounds: Bool?
    /// The steps that it follows, in the same block.
    package var after: [String] = []
    package var file: String
    package var line: Int?
    /// The number of passes that began, and how they ended.
    package var began = 0
    package var outcomes = Outcomes()
    /// Why it was skipped, or how it failed, at first.
    package var reason: String?
    package var recoveredBy: String?
    /// The number of its failure among the kept ones.
    package var failure: Int?
    /// The first begin and the last end.
    package var start: Int?
    package var end: Int?
    /// The sum of its passes.
    package var time = 0
    package var items: Int?
    package var failedItems = 0
    package var requests = 0
    package var retries = 0
    package var repeats: Repeats?
    package var bytes = 0
    package var latency = Histogram()
    package var uses: [Use] = []
    /// Items of a collection that ended, by when they did.
    package var density: Density?
    /// Whether a later process took all of it from earlier ones.
    package var isTaken = false

    /// The outcome of all passes: the worst.
    package var outcome: Outcome {
      if outcomes.failed > 0 { return .failed }
      if outcomes.cancelled > 0 { return .cancelled }
      if outcomes.unfinished > 0 { return .unfinished }
      if outcomes.recovered > 0 { return .recovered }
      if outcomes.succeeded > 0 { return .succeeded }
      return outcomes.skipped > 0 ? .skipped : .none
    }
  }

  package enum Outcome: String, Decodable, Sendable {
    case succeeded, recovered, skipped, failed, cancelled
    /// The process ended before the step did.
    case unfinished
    /// The step's block did not begin.
    case none
  }

  package struct Outcomes: Decodable, Sendable {
    package var succeeded = 0
    package var recovered = 0
    package var skipped = 0
    package var failed = 0
    package var cancelled = 0
    package var unfinished = 0
  }

  /// A time that was used for something.
  package struct Use: Decodable, Sendable, Equatable {
    package var use: TimeUse
    package var origin: String?
    package var time: Int
  }

  /// A part of the critical path, in which the run waited for one step.
  package struct PathPart: Decodable, Sendable, Equatable {
    /// The number of the step; `nil` for several, or none.
    package var step: Int?
    /// The item, if it is one.
    package var item: Int?
    package var start: Int
    package var end: Int
    /// How many pieces of work lie in it one after another.
    package var links: Int
    package var uses: [Use]
  }

  package struct Request: Decodable, Sendable {
    package var step: Int
    package var path: [Int]
    package var item: Int?
    package var attempt: Int
    package var method: String
    package var url: String
    package var status: Int?
    package var error: String?
    package var bytes: Int
    /// When it was sent, after what held it back.
    package var sent: Int
    package var end: Int
    package var waits: [Use]
    package var connecting: Int
    package var server: Int
    package var receiving: Int
    package var isReused: Bool
    package var isRetried: Bool
    package var cache: String?
    /// Why it was sent; `nil` if the step or its item began.
    package var cause: String?
    /// The page, from 0; `nil` if the step does not read pages.
    package var page: Int?
    /// How many polls came before; `nil` if the step does not poll.
    package var poll: Int?
    /// Whether it asked for a token; `nil` if it did not.
    package var isForToken: Bool?
  }

  package struct Failed: Decodable, Sendable {
    package var step: String
    package var path: [Int]
    package var item: Int?
    package var kind: String
    package var message: String
    package var method: String?
    package var url: String?
    package var attempts: Int?
    package var status: Int?
    package var body: String?
    package var details: String?
    package var file: String?
    package var line: Int?
    package var column: Int?
    /// When it happened.
    package var time: Int?
    /// Whether the step, or one around it, went on all the same.
    package var isRecovered = false
  }

  package struct Note: Decodable, Sendable {
    package var time: Int
    package var step: String?
    package var message: String
  }
}
