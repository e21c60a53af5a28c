public import JSONText
internal import Synchronization

/// Answers requests from a script in place of a network, and remembers what was asked.
///
/// ```swift
/// let transport = ScriptedTransport([
///   "GET https://bank.example/users/7": [.json(["accountId": 42])],
///   "GET https://bank.example/accounts/42": [.status(503), .json(["balance": 10])],
/// ])
/// ```
public final class ScriptedTransport: Transport {
  /// One answer of a script.
  public enum Answer: Sendable {
    case response(HTTPResponse)
    case failure(TransportError)

    /// A response with a JSON body.
    public static func json(_ value: JSONValue, status: Int = 200) -> Answer {
      .response(
        HTTPResponse(
          status: status, headers: [HTTPField("Content-Type", "application/json")],
          body: value.document.bytes))
    }

    /// A response with a body of plain text.
    public static func text(
      _ text: String, status: Int = 200, type: String = "text/plain"
    ) -> Answer {
      .response(
        HTTPResponse(
          status: status, headers: [HTTPField("Content-Type", type)], body: Array(text.utf8)))
    }

    /// A response without a body.
    public static func status(_ status: Int, headers: [HTTPField] = []) -> Answer {
      .response(HTTPResponse(status: status, headers: headers))
    }
  }

  private struct State {
    var answers: [String: [Answer]]
    var requests: [HTTPRequest] = []
  }

  private let state: Mutex<State>
  private let fallback: @Sendable (HTTPRequest) async -> Answer
  private let clock: (any RunClock)?

  /// A script of answers by method and URL, given one after the other; the last one stays.
  /// A request that is not in the script fails, naming what is.
  ///
  /// - Parameter clock: Says when a request has taken longer than its `timeout`; `nil`: none does.
  public init(_ answers: [String: [Answer]], clock: (any RunClock)? = nil) {
    self.clock = clock
    state = Mutex(State(answers: answers))
    let known = answers.keys.sorted().joined(separator: ", ")
    fallback = { request in
      .failure(
        TransportError(
          .unusable,
          "the script has no answer for \(request.method) \(request.url); it has: \(known)"))
    }
  }

  /// Answers made by a function, which may wait before it returns.
  ///
  /// - Parameter clock: Says when a request has taken longer than its `timeout`; `nil`: none does.
  ///   The function's task is cancelled then, and the request fails when it has returned.
  public init(
    clock: (any RunClock)? = nil, _ answer: @escaping @Sendable (HTTPRequest) async -> Answer
  ) {
    self.clock = clock
    state = Mutex(State(answers: [:]))
    fallback = answer
  }

  /// The requests received so far, in the order received.
  public var requests: [HTTPRequest] { state.withLock { $0.requests } }

  /// Records the request, and gives the answer that the script has for it.
  public func send(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
    if Task.isCancelled { throw TransportError(.cancelled, "the request was cancelled") }
    let key = request.method + " " + request.url
    let scripted = state.withLock { state -> Answer? in
      state.requests.append(request)
      guard let answers = state.answers[key], let first = answers.first else { return nil }
      if answers.count > 1 { state.answers[key]?.removeFirst() }
      return first
    }
    let answer: Answer
    if let scripted {
      answer = scripted
    } else {
      answer = await self.answer(request)
    }
    if Task.isCancelled { throw TransportError(.cancelled, "the request was cancelled") }
    switch answer {
    case .response(let response): return response
    case .failure(let error): throw error
    }
  }

  /// What the function answers, or that it took too long.
  private func answer(_ request: HTTPRequest) async -> Answer {
    guard let clock, let limit = request.timeout else { return await fallback(request) }
    return await withTaskGroup(of: Answer.self) { group in
      group.addTask { [fallback] in await fallback(request) }
      group.addTask {
        try? await clock.sleep(for: limit)
        let shown = (request.statedTimeout ?? limit).shown
        return .failure(TransportError(.timeout, "no complete response within \(shown)"))
      }
      let late = Answer.failure(TransportError(.timeout, "no complete response"))
      let first = await group.next() ?? late
      group.cancelAll()
      return first
    }
  }
}
