internal import PipelineByteText
internal import PipelineHTTPTerms
internal import PipelineJSONText
internal import PipelineKit
internal import PipelineReports
internal import PipelineURIs
internal import Synchronization

/// Sends the spans of a run to a collector during the run. It never delays the run, and unsent
/// spans do not fail it.
final class SpanExporter: Sendable {
  private struct State {
    var collector: SpanCollector
    var waiting: [Span] = []
    var made = 0
    var unsent = 0
    var problem: String?
    /// Before then, the collector wants nothing.
    var pauseEnd = Duration.zero
  }

  private let settings: TracingSettings
  private let text: SpanText
  private let transport: any Transport
  private let clock: any RunClock
  private let state: Mutex<State>
  private let wakes = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

  /// Spans in one request.
  private static let batch = 512
  /// Spans that may wait. Those that follow are not sent.
  private static let room = 16 * batch
  /// How long the end of a run waits for the collector, and a request to it may take.
  private static let patience = Duration.seconds(5)

  init(
    _ settings: TracingSettings, transport: any Transport, clock: any RunClock, version: String
  ) {
    self.settings = settings
    self.transport = transport
    self.clock = clock
    text = SpanText(
      traceID: settings.traceID, state: settings.state, resource: settings.resource,
      version: version)
    state = Mutex(
      State(collector: SpanCollector(caller: settings.caller?.spanID, clock: clock)))
  }

  /// The marks of the run's requests.
  var requests: RequestTracing {
    RequestTracing(
      traceID: settings.traceID, isSampled: settings.isSampled, state: settings.state,
      sampledItems: SpanCollector.Most.first)
  }

  /// Takes an event and makes spans of it.
  func receive(_ event: RunEvent) {
    guard settings.isSampled else { return }
    state.withLock { state in
      state.collector.receive(event)
      guard state.collector.readyCount > 0 else { return }
      let spans = state.collector.takeReady()
      state.made += spans.count
      let kept = spans.prefix(max(0, Self.room - state.waiting.count))
      state.waiting += kept
      if kept.count < spans.count {
        state.unsent += spans.count - kept.count
        state.problem = "more spans came than the collector took"
      }
    }
  }

  /// Sends spans while `body` runs.
  ///
  /// A request to the collector is never cut short: it would be sent twice.
  func send<Value: Sendable>(during body: () async -> Value) async -> Value {
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await self.sendWhenWoken() }
      let value = await body()
      wakes.continuation.finish()
      await group.waitForAll()
      return value
    }
  }

  private func sendWhenWoken() async {
    for await _ in wakes.stream {
      while !isPaused, let spans = takeBatch() {
        guard await send(spans, within: min(settings.timeout, Self.patience)) else { break }
      }
    }
  }

  /// Whether the collector asked to wait. The last spans of a run do not: it would wait for them.
  private var isPaused: Bool { state.withLock { clock.elapsed < $0.pauseEnd } }

  /// Has what waits sent once a second, until the task is cancelled.
  func wake() async {
    while (try? await clock.sleep(for: .seconds(1))) != nil { wakes.continuation.yield() }
  }

  /// Sends the rest. Returns what could not be sent, as a phrase; `nil` if all of it was.
  func finish() async -> String? {
    let end = clock.elapsed + min(settings.timeout, Self.patience)
    while let spans = takeBatch() {
      let left = end - clock.elapsed
      guard left > .zero, await send(spans, within: left) else { break }
    }
    return state.withLock { state in
      let unsent = state.unsent + state.waiting.count
      guard unsent > 0 else { return nil }
      let place = Origin(of: settings.endpoint).map { "\($0)" } ?? "the collector"
      let reason = state.problem ?? "it took too long"
      return "\(unsent.grouped) of \(state.made.counting("span")) could not be sent to \(place):"
        + " \(reason)"
    }
  }

  /// Counts what a collector has received and not taken, of a group of `sent` spans.
  private func noteRejected(_ body: [UInt8], of sent: Int) {
    guard let answer = try? JSONDocument.parse(body).root["partialSuccess"],
      let count = answer["rejectedSpans"].flatMap({ Int($0.string ?? $0.text) }), count > 0
    else { return }
    state.withLock { state in
      state.unsent += min(count, sent)
      state.problem = answer["errorMessage"]?.string ?? "it did not take them"
    }
  }

  private func notePause(_ response: TransportResponse) {
    let field = response.headers.first { $0.name.equalsIgnoringASCIICase("retry-after") }
    guard let field, let pause = RetryAfter.parse(field.value, now: clock.wallTime) else { return }
    state.withLock { $0.pauseEnd = clock.elapsed + pause }
  }

  private func takeBatch() -> [Span]? {
    state.withLock { state in
      guard !state.waiting.isEmpty else { return nil }
      let spans = Array(state.waiting.prefix(Self.batch))
      state.waiting.removeFirst(spans.count)
      return spans
    }
  }

  /// Sends spans. If that fails but may succeed later, they wait again. Returns whether it is worth
  /// going on.
  private func send(_ spans: [Span], within limit: Duration) async -> Bool {
    let request = TransportRequest(
      method: "POST", url: settings.endpoint,
      headers: [HeaderField("Content-Type", "application/json")] + settings.headers,
      body: .bytes(text.bytes(of: spans)), timeout: limit, connectTimeout: limit, silence: limit,
      responseLimit: 1 << 20)
    let outcome: (problem: String, isFinal: Bool)?
    do throws(TransportError) {
      let response = try await transport.send(request)
      switch response.status {
      case 200..<300:
        outcome = nil
        noteRejected(response.body, of: spans.count)
      case 429, 502, 503, 504:
        outcome = ("it answered \(response.status)", false)
        notePause(response)
      default: outcome = ("it answered \(response.status)", true)
      }
    } catch {
      outcome = (error.message, false)
    }
    guard let outcome else { return true }
    state.withLock { state in
      state.problem = outcome.problem
      if outcome.isFinal {
        state.unsent += spans.count
      } else {
        state.waiting = spans + state.waiting
      }
    }
    return outcome.isFinal
  }
}
