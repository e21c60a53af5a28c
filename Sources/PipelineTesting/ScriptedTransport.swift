internal import PipelineByteText
public import PipelineKit
internal import PipelineRecordings
internal import Synchronization

/// Answers requests from a script in place of a network, and remembers what was asked.
///
/// By method and URL, in which `*` stands for any text:
///
/// ```swift
/// let transport = ScriptedTransport([
///   "GET https://bank.example/users/*": [.json(["accountId": 42])],
///   "GET https://bank.example/accounts/42": [.status(503), .json(["balance": 10])],
/// ])
/// ```
///
/// Or by the step that asks, whatever it asks for:
///
/// ```swift
/// let transport = ScriptedTransport(steps: [
///   "user": [.json(["accountId": 42])],
///   "account": [.refused, .json(["balance": 10]).after(.seconds(2))],
/// ])
/// ```
public final class ScriptedTransport: Transport {
  private struct State {
    var answers: [String: [Answer]]
    /// The number of responses given to each step.
    var taken: [String: Int] = [:]
    var requests: [TransportRequest] = []
  }

  private let state: Mutex<State>
  private let patterns: [String]
  private let steps: [StepScript]
  private let fallback: @Sendable (TransportRequest) async -> Answer
  private let clock: (any RunClock)?
  /// `true` if answers are chosen by step.
  public let readsAsker: Bool
  /// `true` if a list of answers or a clock of its own says when each answer comes. Otherwise the
  /// run keeps them.
  public let keepsTimeLimits: Bool

  /// A script of responses by method and URL, given one after the other. The last one is repeated.
  ///
  /// In a URL, `*` stands for any text. Entries without it come first, then the longest pattern. A
  /// request that is not in the script fails, naming what is.
  ///
  /// - Parameters:
  ///   - answers: By method and URL, `GET https://api.example/users/*`.
  ///   - clock: On which answers are delayed, and which says when a request has taken longer than
  ///     its `timeout`; `nil` for the clock of the run that asks.
  public init(_ answers: [String: [Answer]], clock: (any RunClock)? = nil) {
    self.clock = clock
    state = Mutex(State(answers: answers))
    patterns = answers.keys.filter { $0.contains(bytes: "*") }
      .sorted { ($1.utf8.count, $0) < ($0.utf8.count, $1) }
    steps = []
    readsAsker = false
    keepsTimeLimits = true
    let known = answers.keys.sorted().joined(separator: ", ")
    fallback = { request in
      .failure(
        TransportError(
          .unusable,
          "the script has no answer for \(request.method) \(request.url); it has: \(known)"))
    }
  }

  /// A script of responses by the id of the asking step, given one after the other. The last one is
  /// repeated. Each item of a step with `forEach` gets them from the first one on. From round to
  /// round of a `repeat` they go on.
  ///
  /// A step inside a block or a called file is named with the ids around it: `order.pay`. A step in
  /// Swift is answered too, and its handler is not called. A request of a step that is not in the
  /// script fails, naming the steps that are. Requests for tokens are granted `test-token`.
  ///
  /// - Parameters:
  ///   - steps: By the step's id.
  ///   - clock: On which answers are delayed, and which says when a request has taken longer than
  ///     its `timeout`; `nil` for the clock of the run that asks.
  public convenience init(steps: [String: [Answer]], clock: (any RunClock)? = nil) {
    self.init(
      scripts: steps.map { StepScript(steps: [$0.key], form: .listed($0.value)) }, clock: clock)
  }

  /// A script in the form of `respond` in a test file (docs/testing.md), without `values`.
  ///
  /// A list that has come to its end gives no further answer: the next request fails.
  ///
  /// - Parameters:
  ///   - respond: An object of answers by step, as JSON text.
  ///   - files: The files that the paths of `file` name.
  ///   - clock: On which answers are delayed, and which says when a request has taken longer than
  ///     its `timeout`; `nil` for the clock of the run that asks.
  /// - Throws: `WorkflowError` with the problems of the text, `FileError` if a file cannot be read.
  public convenience init(
    respond: String, files: any FileAccess = NoFileAccess(), clock: (any RunClock)? = nil
  ) throws {
    self.init(scripts: try StepScript.scripts(ofRespond: respond, files: files), clock: clock)
  }

  private init(scripts: [StepScript], clock: (any RunClock)?) {
    self.clock = clock
    state = Mutex(State(answers: [:]))
    patterns = []
    steps = scripts
    readsAsker = true
    keepsTimeLimits = true
    let known = scripts.flatMap(\.steps).sorted().joined(separator: ", ")
    fallback = { request in
      guard let key = request.asker?.key else {
        return .failure(TransportError(.unusable, "nobody knows which step asks"))
      }
      if key.isToken { return .json(["access_token": "test-token", "token_type": "Bearer"]) }
      return .failure(
        TransportError(.unusable, "the script has no answer for \(key); it has: \(known)"))
    }
  }

  /// Answers made by a function, which may wait before it returns.
  ///
  /// - Parameters:
  ///   - clock: Says when a request has taken longer than its `timeout`; `nil` for the clock of the
  ///     run that asks. The function's task is cancelled then, and the request fails when it has
  ///     returned.
  ///   - answer: Answers a request.
  public init(
    clock: (any RunClock)? = nil, _ answer: @escaping @Sendable (TransportRequest) async -> Answer
  ) {
    self.clock = clock
    state = Mutex(State(answers: [:]))
    patterns = []
    steps = []
    readsAsker = false
    keepsTimeLimits = clock != nil
    fallback = answer
  }

  /// The requests received so far, in the order received.
  public var requests: [TransportRequest] { state.withLock { $0.requests } }

  /// The requests of a step so far, if answers are chosen by step.
  ///
  /// - Parameter step: The id of the step.
  public func requests(of step: String) -> [TransportRequest] {
    requests.filter { $0.asker?.key.step.equals(bytes: step) == true }
  }

  /// Records the request, and gives the answer that the script has for it.
  public func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
    if Task.isCancelled { throw TransportError(.cancelled, "the request was cancelled") }
    let scripted = state.withLock { state -> Answer? in
      state.requests.append(request)
      return next(for: request, in: &state)
    }
    let answer: Answer
    if let scripted {
      answer = await delayed(scripted, for: request)
    } else {
      answer = await self.answer(request)
    }
    if Task.isCancelled { throw TransportError(.cancelled, "the request was cancelled") }
    switch answer {
    case .response(let response): return response
    case .failure(let error): throw error
    case .delayed, .timeout: throw Self.late(request)
    }
  }

  // MARK: The script

  /// The script's answer; `nil` if it has none.
  private func next(for request: TransportRequest, in state: inout State) -> Answer? {
    if readsAsker {
      guard let asker = request.asker, case let key = asker.key, !key.isToken,
        let script = steps.first(where: { $0.steps.contains(bytes: key.step) })
      else { return nil }
      return script.next(for: key, of: asker.group, &state.taken)
    }
    let target = request.method + " " + request.url
    let name =
      state.answers[target] != nil
      ? target : patterns.first { target.matches(pattern: $0) } ?? target
    guard let answers = state.answers[name], let first = answers.first else { return nil }
    if answers.count > 1 { state.answers[name]?.removeFirst() }
    return first
  }

  // MARK: Time

  /// The response, when its time has come, or the fact that it came too late.
  private func delayed(_ answer: Answer, for request: TransportRequest) async -> Answer {
    let (answer, delay) = answer.withDelay
    let clock = clock ?? request.clock ?? SystemClock()
    if case .timeout = answer {
      try? await clock.sleep(for: request.timeout ?? .seconds(60))
      return .timeout
    }
    guard delay > .zero else { return answer }
    if let limit = request.timeout, limit <= delay {
      try? await clock.sleep(for: limit)
      return .timeout
    }
    try? await clock.sleep(for: delay)
    return answer
  }

  private static func late(_ request: TransportRequest) -> TransportError {
    guard let limit = request.statedTimeout ?? request.timeout else {
      return TransportError(.timeout, "no complete response")
    }
    return TransportError(.timeout, "no complete response within \(limit.shown)")
  }

  /// The response of the function, or the fact that it took too long.
  private func answer(_ request: TransportRequest) async -> Answer {
    guard let clock, let limit = request.timeout else {
      return await delayed(await fallback(request), for: request)
    }
    let answer = await clock.limiting(to: limit) {
      await self.delayed(await self.fallback(request), for: request)
    }
    return answer ?? .timeout
  }
}

extension ScriptedTransport: StepMock {
  package func answers(_ step: String) -> Bool {
    steps.contains { $0.steps.contains(bytes: step) }
  }
}
