/// Where events go.
final class EventSink: Sendable {
  private let clock: any RunClock
  private let start: Duration
  /// Knows whether events are wanted; `nil` if they are.
  private let log: EventLog?
  private let yield: @Sendable (RunEvent) -> Void

  /// - Parameter clock: On which the run starts now.
  init(clock: any RunClock, log: EventLog?, yield: @escaping @Sendable (RunEvent) -> Void) {
    self.clock = clock
    self.log = log
    start = clock.elapsed
    self.yield = yield
  }

  var isWanted: Bool { log?.isWanted ?? true }

  /// Since the start of the run.
  var now: Duration { clock.elapsed - start }

  func emit(_ kind: RunEvent.Kind) {
    yield(RunEvent(time: now, kind: kind))
  }
}
