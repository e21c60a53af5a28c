internal import PipelineByteText
public import PipelineKit
public import PipelineRecordings
internal import PipelineSourceText
internal import Synchronization

/// Answers requests out of a recording, and opens no socket.
///
/// Each request gets what was recorded of the same step, item, page, poll and attempt, whatever the
/// order. It must be the recorded request. Otherwise it fails, and says what differs.
public final class ReplayTransport: StandInTransport {
  private struct State {
    /// How many answers under one key that has several, or for one target, were given.
    var taken: [RecordingKey: Int] = [:]
    var takenTargets: [ExactText: Int] = [:]
    var problems: [String] = []
    var notes: [String] = []
  }

  private let recording: Recording
  private let aliases: [OriginAlias]
  private let fallback: (any Transport)?
  private let clock: VirtualClock?
  private let state = Mutex(State())
  /// The stand-ins of the recording's secrets, by their names in it.
  private let standIns = Redactor(names: SecretNames())

  /// - Parameters:
  ///   - recording: The source of the responses.
  ///   - fallback: Sends what is not recorded; `nil` if it fails.
  ///   - aliases: Origins that differ from run to run.
  ///   - clock: The clock of the run, if nothing is to take time.
  public init(
    _ recording: Recording, fallback: (any Transport)? = nil, aliases: [OriginAlias] = [],
    clock: VirtualClock? = nil
  ) {
    self.recording = recording
    for (name, shape) in recording.shapes.sorted(by: { $0.key < $1.key }) {
      standIns.hide(SecretShape(text: shape).standIn(for: name), as: name)
    }
    self.fallback = fallback
    self.aliases = aliases
    self.clock = clock
  }

  /// `true`: responses are found by the asking step.
  public var readsAsker: Bool { true }

  /// `true` if nothing takes time, or the transport behind it keeps them.
  public var keepsTimeLimits: Bool { fallback?.keepsTimeLimits ?? true }

  /// The executor of the transport that sends what is not recorded.
  public func preferredExecutor(for task: Int?) -> (any TaskExecutor)? {
    clock?.executor ?? fallback?.preferredExecutor(for: task)
  }

  /// Why requests could not be answered, each as one phrase.
  public var problems: [String] { state.withLock { $0.problems } }

  /// What was answered although it is not quite what was recorded, each as one phrase.
  public var notes: [String] { state.withLock { $0.notes } }

  /// Answers a request from the recording.
  public func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
    if Task.isCancelled { throw TransportError(.cancelled, "the request was cancelled") }
    let asker = request.stepRequest?.knowing(standIns)
    let asked = RecordedExchange.Request(asker?.unsigned ?? request, asker, aliases)
    guard let exchange = try exchange(for: asked, asker) else {
      if let fallback { return try await fallback.send(request) }
      throw unrecorded(asked, asker)
    }
    return try answer(exchange)
  }

  // MARK: Looking up

  private func exchange(
    for asked: RecordedExchange.Request, _ asker: StepRequest?
  ) throws(TransportError) -> RecordedExchange? {
    do throws(RecordingProblem) {
      if let asker {
        let places = recording.places(for: asker.key)
        if !places.isEmpty {
          let exchange =
            asker.key.isToken
            ? try token(asked, asker, places) : try next(of: places, for: asker.key)
          return try checked(exchange, asked, asker)
        }
      }
      return try foreign(asked)
    } catch {
      throw TransportError(.unusable, "the recording \(error.message)")
    }
  }

  /// The next response under a key. The last one is repeated.
  private func next(
    of places: [Recording.Place], for key: RecordingKey
  ) throws(RecordingProblem) -> RecordedExchange {
    if places.count == 1 { return try recording.exchange(at: places[0]) }
    let number = state.withLock { state in
      defer { state.taken[key, default: 0] += 1 }
      return state.taken[key, default: 0]
    }
    return try recording.exchange(at: places[min(number, places.count - 1)])
  }

  /// Tokens belong to no step. This is the token of an equal request.
  private func token(
    _ asked: RecordedExchange.Request, _ asker: StepRequest, _ places: [Recording.Place]
  ) throws(RecordingProblem) -> RecordedExchange {
    var alike: [Recording.Place] = []
    for place in places {
      let exchange = try recording.exchange(at: place)
      if RequestDifference.between(exchange.request, asked).isEmpty { alike.append(place) }
    }
    return try next(of: alike.isEmpty ? places : alike, for: asker.key)
  }

  /// Another tool's entries for this method and URL: those with this body first, then in order.
  private func foreign(
    _ asked: RecordedExchange.Request
  ) throws(RecordingProblem) -> RecordedExchange? {
    let places = recording.places(method: asked.method, url: asked.url)
    guard !places.isEmpty else { return nil }
    var alike: [Recording.Place] = []
    for place in places {
      let exchange = try recording.exchange(at: place)
      if Self.isSame(exchange.request.body, asked.body) { alike.append(place) }
    }
    if alike.isEmpty {
      let note =
        "\(asked.method) \(asked.url) has another body than any that is recorded of it, and is answered"
        + " in the recorded order"
      state.withLock { state in
        if state.notes.count < 100, !state.notes.contains(note) { state.notes.append(note) }
      }
    }
    let candidates = alike.isEmpty ? places : alike
    let target = ExactText(asked.method + " " + asked.url)
    let number = state.withLock { state in
      defer { state.takenTargets[target, default: 0] += 1 }
      return state.takenTargets[target, default: 0]
    }
    return try recording.exchange(at: candidates[min(number, candidates.count - 1)])
  }

  private static func isSame(
    _ one: RecordedExchange.Body?, _ other: RecordedExchange.Body?
  ) -> Bool {
    let url = "http://x.test"
    return RequestDifference.between(
      RecordedExchange.Request(method: "GET", url: url, body: one),
      RecordedExchange.Request(method: "GET", url: url, body: other)
    ).isEmpty
  }

  // MARK: Differences

  private func checked(
    _ exchange: RecordedExchange, _ asked: RecordedExchange.Request, _ asker: StepRequest
  ) throws(RecordingProblem) -> RecordedExchange? {
    let differences = RequestDifference.between(exchange.request, asked)
    if differences.isEmpty { return exchange }
    // A request without a recorded equal is sent.
    if fallback != nil { return nil }
    let text = differences.prefix(3).map { $0.message(asker.origin) }.joined(separator: "; ")
    let more = differences.count > 3 ? "; and \(differences.count - 3) more" : ""
    note("\(asker.key) does not ask what was recorded: \(text)\(more)")
    throw RecordingProblem("has another request here: \(text)\(more)")
  }

  private func unrecorded(
    _ asked: RecordedExchange.Request, _ asker: StepRequest?
  ) -> TransportError {
    let line = asked.method + " " + asked.url
    var message = "\(line) is not recorded"
    if let asker, let near = recording.index.nearest(to: asker.key) {
      message += "; of this step the recording has \(near.description)"
    } else {
      let known = recording.targets.prefix(Self.comparedTargets).map { $0.method + " " + $0.url }
      if let near = Spelling.nearest(to: line, among: known) ?? known.first {
        message += "; the nearest that is recorded is \(near)"
      } else if recording.index.count > 0, case let first = recording.index.key(at: 0) {
        message += "; the recording has nothing of this step, but of \(first)"
      }
    }
    message += "; record it again"
    note((asker.map { "\($0.key): " } ?? "") + message)
    return TransportError(.unusable, message)
  }

  /// How many targets of another tool's recording a message about a missing one is chosen from.
  private static let comparedTargets = 1_000

  private func note(_ problem: String) {
    state.withLock { state in
      if state.problems.count < 100, !state.problems.contains(problem) {
        state.problems.append(problem)
      }
    }
  }

  // MARK: Answering

  private func answer(_ exchange: RecordedExchange) throws(TransportError) -> TransportResponse {
    switch exchange.outcome {
    case .failure(let kind, let message):
      throw TransportError(TransportError.Kind(rawValue: kind) ?? .other, message)
    case .response(let response):
      let shapes = recording.shapes
      let shape = { (name: String) -> String? in shapes[name] }
      return TransportResponse(
        status: response.status,
        headers: response.headers.map { field in
          HeaderField(
            field.name,
            aliases.undone(
              in: String(
                decoding: SecretPlaceholder.filled(Array(field.value.utf8), shape: shape),
                as: UTF8.self)))
        }, body: aliases.undone(in: SecretPlaceholder.filled(response.body, shape: shape)),
        version: response.version)
    }
  }
}
