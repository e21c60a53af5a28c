import PipelineJSONText
import PipelineKit
import PipelinePlanning
import PipelineTesting
import Synchronization

/// A whole run over a scripted transport, on a clock that is turned from one moment to the next, and
/// the times at which its requests were in flight.
struct Schedule {
  /// How a request is answered, and after how many seconds.
  struct Reply {
    var seconds = 0
    var answer = ScriptedTransport.Answer.json([:])
  }

  private struct Row {
    let name: String
    let start: Int
    var text: String
  }

  /// One line for each request, in the order they were sent: the last part of its URL, with the
  /// number of its attempt from the second on, then a column for each second; `|` answered with
  /// success, `!` with anything else, `x` cancelled.
  let drawing: [String]
  let report: RunReport

  /// - Parameters:
  ///   - turns: Before each turn of the clock, how many tasks sleep: the run's deadline, each
  ///     request that takes time, each pause. The clock is then turned to the next one's end.
  ///   - stop: Cancels the run before this turn.
  ///   - reply: Answers the request of a name, by the number of those before it.
  init(
    _ plan: Plan, turns: [Int], stop: Int? = nil, options: RunOptions = RunOptions(),
    inputs: [String: JSONValue] = [:],
    reply: @escaping @Sendable (_ name: String, _ attempt: Int) -> Reply
  ) async throws {
    let clock = ManualClock()
    let log = Log()
    let transport = ScriptedTransport { request in
      let name = String(request.url.split(separator: "/").last ?? "")
      let (row, attempt) = log.begin(name, at: clock.elapsed)
      let planned = reply(name, attempt)
      do {
        try await clock.sleep(for: .seconds(planned.seconds))
        log.end(row, planned.answer.isSuccess ? "|" : "!", after: planned.seconds)
      } catch {
        log.end(row, "x", after: nil, at: clock.elapsed)
      }
      return planned.answer
    }
    var options = options
    options.clock = clock
    options.random = { 0 }
    let run = Pipeline(plan, transport: OwnLimits(transport), options: options).run(inputs: inputs)
    async let result = run.result
    for (turn, sleepers) in turns.enumerated() {
      await clock.waitForSleepers(sleepers)
      if turn == stop {
        run.cancel()
        await log.waitUntilIdle()
      } else if let next = clock.nextWake {
        clock.advance(by: next)
      }
    }
    report = try await result.report
    drawing = log.drawing
  }

  private final class Log: Sendable {
    private struct State {
      var rows: [Row] = []
      var attempts: [String: Int] = [:]
      var inFlight = 0
      var idle: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())

    func begin(_ name: String, at time: Duration) -> (row: Int, attempt: Int) {
      state.withLock { state in
        let attempt = state.attempts[name, default: 0]
        state.attempts[name] = attempt + 1
        state.inFlight += 1
        let shown = attempt == 0 ? name : "\(name) \(attempt + 1)"
        state.rows.append(Row(name: shown, start: Int(time.components.seconds), text: ""))
        return (state.rows.count - 1, attempt)
      }
    }

    /// - Parameter seconds: `nil`: until now.
    func end(_ row: Int, _ mark: String, after seconds: Int?, at time: Duration = .zero) {
      let idle = state.withLock { state in
        let start = state.rows[row].start
        let length = seconds ?? Int(time.components.seconds) - start
        state.rows[row].text =
          String(repeating: " ", count: start) + String(repeating: "-", count: length) + mark
        state.inFlight -= 1
        guard state.inFlight == 0 else { return nil as CheckedContinuation<Void, Never>? }
        defer { state.idle = nil }
        return state.idle
      }
      idle?.resume()
    }

    /// Returns when no request is in flight.
    func waitUntilIdle() async {
      await withCheckedContinuation { continuation in
        let isIdle = state.withLock { state in
          if state.inFlight > 0 { state.idle = continuation }
          return state.inFlight == 0
        }
        if isIdle { continuation.resume() }
      }
    }

    var drawing: [String] {
      let rows = state.withLock { $0.rows }.sorted { ($0.start, $0.name) < ($1.start, $1.name) }
      let width = rows.map(\.name.count).max() ?? 0
      return rows.map { row in
        row.name + String(repeating: " ", count: width - row.name.count + 1) + row.text
      }
    }
  }
}

extension ScriptedTransport.Answer {
  fileprivate var isSuccess: Bool {
    if case .response(let response) = self { response.status < 300 } else { false }
  }
}
