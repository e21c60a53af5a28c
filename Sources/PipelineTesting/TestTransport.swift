internal import PipelineByteText
internal import PipelineJSONText
internal import PipelineKit
internal import PipelineLanguage
internal import PipelinePlanning
internal import PipelineRecordings
internal import Synchronization

/// Answers the requests of a test as its author wrote, in virtual time, and remembers them.
final class TestTransport: StepMock, StandInTransport {
  /// A request that was sent, and its outcome.
  struct Sent: Sendable {
    let key: RecordingKey
    let request: RecordedExchange.Request
    /// When it was sent.
    let time: Duration
    /// When it arrived, among all requests; `nil` if it was given up before.
    var arrival: Int?
    var status: Int?

    /// As a message names it.
    var name: String { "\(request.method) \(request.url) of \(key)" }
  }

  private struct State {
    var sent: [Sent] = []
    var arrivals = 0
    /// The number of responses given from each list.
    var taken: [String: Int] = [:]
    /// The same for lists of steps that ask for several pages at once.
    var pages: [String: PagedAnswers] = [:]
    var problems: [TestProblem] = []
  }

  private let test: WorkflowTest
  private let clock: VirtualClock
  private let replay: ReplayTransport?
  private let order: AnswerOrder
  /// The steps that ask for several pages at once.
  private let pagedSteps: Set<String>
  private let load: @Sendable (String) throws(FileError) -> [UInt8]
  private let state = Mutex(State())

  init(
    _ test: WorkflowTest, clock: VirtualClock, replay: Recording?, order: AnswerOrder,
    pagedSteps: Set<String> = [],
    load: @escaping @Sendable (String) throws(FileError) -> [UInt8]
  ) {
    self.test = test
    self.clock = clock
    self.order = order
    self.pagedSteps = pagedSteps
    self.load = load
    self.replay = replay.map { ReplayTransport($0, clock: clock) }
  }

  var readsAsker: Bool { true }
  var keepsTimeLimits: Bool { true }

  func answers(_ step: String) -> Bool { true }

  func preferredExecutor(for task: Int?) -> (any TaskExecutor)? { clock.executor }

  /// The requests in the order sent.
  var sent: [Sent] { state.withLock { $0.sent } }

  /// Requests without a scripted response, and requests that differ from their recordings.
  var problems: [TestProblem] {
    let own = state.withLock { $0.problems }
    let place = test.replay?.range ?? test.name.range
    return own + (replay?.problems ?? []).map { TestProblem($0, at: place) }
  }

  func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
    guard let asker = request.stepRequest else {
      throw TransportError(.unusable, "nobody knows which step asks")
    }
    let key = asker.key
    let number = state.withLock { state in
      state.sent.append(
        Sent(key: key, request: RecordedExchange.Request(request, asker, []), time: clock.elapsed))
      return state.sent.count - 1
    }
    do {
      let travel = order.delays(of: key)
      try await clock.sleep(for: travel.request)
      state.withLock { state in
        state.sent[number].arrival = state.arrivals
        state.arrivals += 1
      }
      let planned = try plan(key, of: request.asker?.group ?? key.path)
      let delay = planned.delay + travel.answer
      if let limit = request.timeout, delay >= limit || planned.isTimeout {
        try await clock.sleep(for: limit)
        let shown = (request.statedTimeout ?? limit).shown
        throw TransportError(.timeout, "no complete response within \(shown)")
      }
      try await clock.sleep(for: delay)
      let response = try await planned.answer(request)
      state.withLock { $0.sent[number].status = response.status }
      return response
    } catch let error as TransportError {
      throw error
    } catch {
      throw TransportError(.cancelled, "the request was cancelled")
    }
  }

  // MARK: What is answered

  private struct Planned {
    var delay = Duration.zero
    var isTimeout = false
    let answer: (TransportRequest) async throws -> TransportResponse
  }

  /// - Parameter group: The positions of the items around. Rounds share a list.
  private func plan(
    _ key: RecordingKey, of group: [Int]
  ) throws(TransportError) -> Planned {
    if !key.isToken, let answers = test.answers(for: key.step) {
      return try plan(try next(of: answers, key, group))
    }
    if let replay { return Planned { try await replay.send($0) } }
    if key.isToken {
      return Planned { _ in
        TransportResponse(
          status: 200, headers: [HeaderField("Content-Type", "application/json")],
          body: Array(#"{"access_token":"test-token","token_type":"Bearer"}"#.utf8))
      }
    }
    throw unanswered(key)
  }

  /// Fails the test, once for all requests of the step.
  private func unanswered(_ key: RecordingKey) -> TransportError {
    let answer = "\"\(key.step)\": {\"json\": …}"
    let place = test.respondRange
    return fail(
      "nothing answers step '\(key.step)'; "
        + (place == nil ? "write \"respond\": {\(answer)}" : "write \(answer) into 'respond'"),
      at: place ?? test.name.range)
  }

  /// Fails the test, whatever the workflow makes of the failure.
  private func fail(
    _ message: String, at range: Range<Int>, unless isKnown: (TestProblem) -> Bool = { _ in false }
  ) -> TransportError {
    state.withLock { state in
      let problem = TestProblem(message, at: range)
      if state.problems.count < 20,
        !state.problems.contains(where: { $0 == problem || isKnown($0) })
      {
        state.problems.append(problem)
      }
    }
    return TransportError(.unusable, message)
  }

  /// The problem of a list with too few answers, recorded once for all its requests.
  private func tooFew(_ answers: StepAnswers, _ message: String) -> TransportError {
    fail(message, at: answers.range) { $0.range == answers.range }
  }

  private func tooFew(
    _ answers: StepAnswers, of list: [TestAnswer], _ asked: String
  ) -> TransportError {
    let count = "\(list.count) \(list.count == 1 ? "answer" : "answers")"
    return tooFew(
      answers, "\(asked), and the list has \(count); add one, or write one answer for all")
  }

  private func next(
    of answers: StepAnswers, _ key: RecordingKey, _ group: [Int]
  ) throws(TransportError) -> TestAnswer {
    switch answers.choice(for: key.step, at: key.path, of: group, key.item) {
    case .one(let answer): return answer
    case .list(let list, let asker): return try next(of: list, for: asker, key, answers)
    case .missing(let count):
      throw tooFew(answers, "\(key) asks, and 'items' has \(count); add an answer for each item")
    }
  }

  private func next(
    of list: [TestAnswer], for asker: String, _ key: RecordingKey, _ answers: StepAnswers
  ) throws(TransportError) -> TestAnswer {
    if !answers.isShared, pagedSteps.contains(key.step) {
      return try next(of: list, forPageOf: asker, key, answers)
    }
    let number = state.withLock { state in
      defer { state.taken[asker, default: 0] += 1 }
      return state.taken[asker, default: 0]
    }
    guard number < list.count else {
      throw tooFew(answers, of: list, "\(key) is request \(number + 1)")
    }
    return list[number]
  }

  private func next(
    of list: [TestAnswer], forPageOf asker: String, _ key: RecordingKey, _ answers: StepAnswers
  ) throws(TransportError) -> TestAnswer {
    let next = state.withLock { state in
      Result { () throws(PagedAnswers.Problem) in
        try state.pages[asker, default: PagedAnswers()].next(of: list, page: key.page)
      }
    }
    switch next {
    case .success(let answer): return answer
    case .failure(.noOther):
      throw tooFew(
        answers,
        "\(key) asks for page \(key.page + 1) again, and the list has no other answer for it")
    case .failure(.noPage(let pages, let given)):
      throw tooFew(
        answers,
        "\(key) asks for page \(key.page + 1), and the list has answers for \(pages)"
          + (given == 0 ? "" : " after the \(given) that were given before"))
    }
  }

  private func plan(_ answer: TestAnswer) throws(TransportError) -> Planned {
    var headers = answer.headers.map { HeaderField($0.name, $0.value) }
    func response(_ body: [UInt8], type: String?) -> Planned {
      if let type, !headers.contains(where: { $0.name.equalsIgnoringASCIICase("content-type") }) {
        headers.append(HeaderField("Content-Type", type))
      }
      let response = TransportResponse(status: answer.status, headers: headers, body: body)
      return Planned(delay: answer.delay) { _ in response }
    }
    switch answer.content {
    case .none, .values: return response([], type: nil)
    case .json(let node):
      var writer = JSONWriter(style: .compact)
      writer.value(node)
      return response(writer.bytes, type: "application/json")
    case .text(let text): return response(Array(text.utf8), type: "text/plain")
    case .file(let path):
      do throws(FileError) {
        return response(try load(path.value), type: Self.type(of: path.value))
      } catch {
        throw fail(error.message, at: path.range)
      }
    case .fault(let fault):
      let error = TransportError.fault(fault)
      return Planned(delay: answer.delay, isTimeout: fault == .timeout) { _ in throw error }
    }
  }

  // MARK: Values in place of requests

  /// Whether some step is answered with `values`.
  var givesValues: Bool { test.respond.contains(where: \.givesValues) }

  /// Takes the next answer to a step if it is `values`, as the text of an object; `nil` if it is
  /// not, and the step is carried out.
  ///
  /// - Parameters:
  ///   - path: The positions of the items and rounds around.
  ///   - group: Those of the items alone: rounds share a list.
  ///   - item: The item of the step itself.
  func takeValues(of step: String, at path: [Int], of group: [Int], item: Int?) -> [UInt8]? {
    guard let answers = test.answers(for: step), answers.givesValues else { return nil }
    let answer: TestAnswer? =
      switch answers.choice(for: step, at: path, of: group, item) {
      case .one(let answer): answer
      case .list(let list, let asker): takeValues(of: list, asker, answers)
      case .missing: nil
      }
    guard case .values(let node)? = answer?.content else { return nil }
    var writer = JSONWriter(style: .compact)
    writer.value(node)
    return writer.bytes
  }

  private func takeValues(
    of list: [TestAnswer], _ asker: String, _ answers: StepAnswers
  ) -> TestAnswer? {
    let number = state.withLock { state -> Int in
      let number = state.taken[asker, default: 0]
      if number < list.count, list[number].hasValues { state.taken[asker] = number + 1 }
      return number
    }
    if number < list.count { return list[number] }
    // A step without a request would not notice.
    let names = answers.steps.joined(separator: ", ")
    _ = tooFew(answers, of: list, "'\(names)' asks for answer \(number + 1)")
    return nil
  }

  static func type(of path: String) -> String {
    if path.hasSuffix(bytes: ".json") { return "application/json" }
    if path.hasSuffix(bytes: ".html") { return "text/html" }
    if path.hasSuffix(bytes: ".xml") { return "application/xml" }
    return path.hasSuffix(bytes: ".txt") ? "text/plain" : "application/octet-stream"
  }
}

/// An order of requests and responses. Each takes a short time, drawn from a seed.
struct AnswerOrder: Sendable {
  /// `nil` if all come in the order in which the run sends them.
  let seed: UInt64?

  /// Less than a millisecond each, and with the same seed the same for the same asker.
  func delays(of key: RecordingKey) -> (request: Duration, answer: Duration) {
    guard let seed else { return (.zero, .zero) }
    var hash = UnitKey.mixed(seed) ^ UnitKey.hash(of: key.step)
    let numbers = key.path + [key.item ?? -1, key.page, key.poll, key.attempt, key.redirect]
    for number in numbers { hash = UnitKey.mixed(hash ^ UInt64(bitPattern: Int64(number))) }
    return (
      .nanoseconds(Int64(hash % 1_000_000)),
      .nanoseconds(Int64(UnitKey.mixed(hash) % 1_000_000))
    )
  }
}

extension Plan {
  /// The ids of the steps that ask for several pages at once: the first one says how many there are.
  var pagedSteps: Set<String> {
    var ids: Set<String> = []
    func add(_ block: BlockPlan, _ prefix: String, depth: Int) {
      for plan in block.steps {
        let id = prefix + plan.step.pathID
        if plan.request?.request.paginate?.form.numbering?.count != nil { ids.insert(id) }
        guard let inner = plan.inner ?? plan.callee?.root, depth < 32 else { continue }
        add(inner, id + ".", depth: depth + 1)
      }
    }
    add(root, "", depth: 0)
    return ids
  }
}
