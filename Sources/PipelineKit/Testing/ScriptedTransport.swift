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

  /// A script of answers by method and URL, given one after the other; the last one stays.
  /// A request that is not in the script fails, naming what is.
  public init(_ answers: [String: [Answer]]) {
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
  public init(_ answer: @escaping @Sendable (HTTPRequest) async -> Answer) {
    state = Mutex(State(answers: [:]))
    fallback = answer
  }

  /// The requests received so far, in the order received.
  public var requests: [HTTPRequest] { state.withLock { $0.requests } }

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
      answer = await fallback(request)
    }
    if Task.isCancelled { throw TransportError(.cancelled, "the request was cancelled") }
    switch answer {
    case .response(let response): return response
    case .failure(let error): throw error
    }
  }
}
