internal import PipelineByteText
package import PipelineJSONText
public import PipelineJournals
internal import PipelineTransports

/// A run in a store, as its summary has it.
public struct StoredRun: Sendable {
  /// The state of a run.
  public enum Status: String, Sendable {
    /// No step failed for good.
    case succeeded
    /// A step failed, or a limit was reached.
    case failed
    /// The run was cancelled.
    case cancelled
    /// It waits for a person to answer `questions`.
    case waiting
    /// A process is carrying it out.
    case running
    /// Its process ended without coming to the end of the run.
    case interrupted
  }

  /// The id of the run, which names its folder.
  public private(set) var id: String
  /// The name of the workflow.
  public let workflow: String
  /// The workflow's file.
  public let file: String
  /// In seconds since 1970-01-01T00:00:00Z.
  public let startedAt: Double
  /// When the last process ended, in seconds since 1970-01-01T00:00:00Z.
  public private(set) var endedAt: Double?
  /// The path of the workflow's file, from the root; `nil` if it is not known, or came from stdin.
  package internal(set) var path: String?
  /// The present state of the run.
  public internal(set) var status: Status
  /// How long its processes worked on it, in seconds: the time between them does not count. A
  /// process that was killed counts until it last wrote something down.
  public private(set) var duration: Double?
  /// How many requests its processes have recorded as sent.
  public internal(set) var requests: Int?
  /// Failures that the last process has left, items counted one by one.
  public private(set) var failed: Int?
  /// The number of requests with an unknown outcome.
  public internal(set) var inDoubt: Int?
  /// Answers that came from the cache, and for which nothing was sent.
  public private(set) var cached: Int?
  /// Answers that came from the cache after the server had confirmed them.
  public private(set) var validated: Int?
  /// Requests and waits whose values the last process took from earlier ones.
  public private(set) var taken: Int?
  /// What it waits for, if it waits: the questions as their process asked them.
  public private(set) var questions: [RunQuestion] = []
  /// The steps of a run that a process is carrying out, in the order in which their first units
  /// ended: what the process has done so far, up to a second ago. A run that is not under way has
  /// its steps in `RunStore.history(id:)`.
  public internal(set) var steps: [Step] = []
  /// When the process that carries the run out took it up, in seconds since 1970-01-01T00:00:00Z.
  var processStartedAt: Double?

  /// What a process has done of one step.
  public struct Step: Sendable {
    /// The step's id after the ids of the blocks and calls around it, joined with dots.
    public let path: String
    /// Units that ended well.
    public internal(set) var done = 0
    /// Units that failed.
    public internal(set) var failed = 0
  }

  /// A run whose process has begun, or has died.
  init(_ record: RunRecord) {
    id = record.id
    workflow = record.workflow
    file = record.file
    startedAt = FileNumber.seconds(record.startedAt)
    status = .interrupted
  }

  /// The run that a summary describes; `nil` if the summary is damaged.
  ///
  /// - Parameter id: The name of its folder.
  init?(json: String, id: String) {
    guard let root = try? JSONDocument.parse(Array(json.utf8)).root,
      let startedAt = Self.seconds(root["startedAt"]),
      let status = root["status"]?.string.flatMap(Status.init)
    else { return nil }
    self.id = id
    self.startedAt = FileNumber.seconds(startedAt)
    self.status = status
    workflow = root["workflow"]?.string ?? ""
    file = root["file"]?.string ?? ""
    path = root["path"]?.string
    processStartedAt = Self.seconds(root["processStartedAt"])
    endedAt = Self.seconds(root["endedAt"])
    duration = Self.seconds(root["duration"])
    requests = Self.count(root["requests"])
    failed = Self.count(root["failed"])
    inDoubt = Self.count(root["inDoubt"])
    cached = Self.count(root["cached"])
    validated = Self.count(root["validated"])
    taken = Self.count(root["taken"])
    questions = root["questions"].map(RunQuestion.all) ?? []
    for step in root["steps"]?.elements.map({ $0 }) ?? [] {
      guard let path = step["step"]?.string else { continue }
      steps.append(
        Step(
          path: path, done: Self.count(step["done"]) ?? 0, failed: Self.count(step["failed"]) ?? 0))
    }
  }

  private static func count(_ node: JSONNode?) -> Int? {
    node?.number?.int.map(FileNumber.count)
  }

  private static func seconds(_ node: JSONNode?) -> Double? {
    (node?.number?.double).map(FileNumber.seconds)
  }

  /// The same run, by the name of its folder.
  func named(_ id: String) -> StoredRun {
    var run = self
    run.id = id
    return run
  }

  /// Counts a process. They come in the order in which they took the run up.
  ///
  /// - Parameters:
  ///   - status: How it ended the run; `nil` if it did not come to the end.
  ///   - report: Its counts; `nil` if it did not come to the end.
  mutating func add(
    began: Double, status: Status?, duration: Double?, requests: Int?, report: JSONNode?
  ) {
    self.status = status ?? .interrupted
    endedAt = duration.map { began + $0 }
    let sum = { (sum: Int?, count: Int?) in
      count.map { FileNumber.count(FileNumber.count($0) + (sum ?? 0)) } ?? sum
    }
    self.duration = duration.map { $0 + (self.duration ?? 0) } ?? self.duration
    self.requests = sum(self.requests, requests)
    let count = { (name: String) in Self.count(report?[name]) }
    cached = sum(cached, count("cached"))
    validated = sum(validated, count("validated"))
    taken = count("taken")
    failed = count("failures")
    inDoubt = count("inDoubt")
    questions = report?["questions"].map(RunQuestion.all) ?? []
  }

  /// Until when a question of it may be answered, in seconds since 1970; `nil` if it waits for
  /// none.
  package var waitsUntil: Double? {
    status == .waiting ? questions.map(\.expiresAt).max() : nil
  }

  /// A process is carrying the run out.
  mutating func noteRunning(at time: Double) {
    status = .running
    endedAt = nil
    guard let processStartedAt else { return }
    duration = (duration ?? 0) + max(0, time - processStartedAt)
  }

  /// The run's summary.
  var json: [UInt8] {
    var writer = JSONWriter(style: .pretty)
    writer.beginObject()
    for (name, text) in [("id", id), ("workflow", workflow), ("file", file)] {
      writer.name(name)
      writer.string(text)
    }
    if let path {
      writer.name("path")
      writer.string(path)
    }
    writer.name("startedAt")
    writer.number(String(startedAt))
    writer.name("status")
    writer.string(status.rawValue)
    for case (let name, .some(let number)) in [
      ("endedAt", endedAt), ("duration", duration), ("processStartedAt", processStartedAt),
    ] {
      writer.name(name)
      writer.number(String(number))
    }
    for case (let name, .some(let count)) in [
      ("requests", requests), ("cached", cached), ("validated", validated), ("taken", taken),
      ("failed", failed), ("inDoubt", inDoubt),
    ] {
      writer.name(name)
      writer.integer(count)
    }
    RunQuestion.write(questions, to: &writer)
    if !steps.isEmpty { writeSteps(to: &writer) }
    writer.endObject()
    return writer.bytes
  }

  /// Writes the member `steps`: what was done of each step so far.
  package func writeSteps(to writer: inout JSONWriter) {
    writer.list("steps") { writer in
      for step in steps {
        writer.object {
          $0.member("step", step.path)
          $0.member("done", step.done)
          $0.member("failed", step.failed)
        }
      }
    }
  }
}
