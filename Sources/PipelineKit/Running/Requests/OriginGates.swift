internal import Synchronization
internal import Templates
internal import Workflows

/// Holds requests back from an origin that asked for a pause, and keeps the run's limits: requests
/// in flight and requests in a time, over all and for each origin.
///
/// What is allowed when is decided in `GateBook`, a value; here are only the waiting tasks.
final class OriginGates: Sendable {
  /// What the gates keep.
  struct Limits: Sendable {
    /// The most requests in flight.
    let run: Int
    /// The most requests in flight to one origin.
    let origin: Int
    let runRate: Workflows.Limits.Rate?
    let originRate: Workflows.Limits.Rate?
  }

  private let book: Mutex<GateBook>
  private let clock: any RunClock

  init(limits: Limits, clock: any RunClock) {
    book = Mutex(GateBook(limits: limits))
    self.clock = clock
  }

  /// Returns when a request to `origin` may be sent; `leave` must follow.
  ///
  /// - Throws: `CancellationError` where the task is cancelled while it waits.
  func enter(_ origin: Origin) async throws {
    while true {
      switch book.withLock({ $0.enter(origin, at: clock.elapsed) }) {
      case .go: return
      case .hold(let duration): try await clock.sleep(for: duration)
      case .queue(let ticket): try await wait(for: ticket)
      }
    }
  }

  /// A request to `origin` has ended; whoever waits for its place may try.
  func leave(_ origin: Origin) {
    for waiter in book.withLock({ $0.leave(origin) }) { waiter.resume() }
  }

  /// No request to `origin` starts for `duration` from now.
  func hold(_ origin: Origin, for duration: Duration) {
    let end = clock.elapsed + duration
    book.withLock { $0.hold(origin, until: end) }
  }

  private func wait(for ticket: Int) async throws {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        if !book.withLock({ $0.wait(ticket, continuation) }) { continuation.resume() }
      }
    } onCancel: {
      book.withLock { $0.call(ticket) }?.resume()
    }
    try Task.checkCancellation()
  }
}

/// Who may send when.
struct GateBook {
  enum Decision: Equatable {
    case go
    /// Ask again after this long.
    case hold(Duration)
    /// Ask again when the ticket is called.
    case queue(ticket: Int)
  }

  /// One limit's requests: those in flight, and who waits for their places.
  private struct Gate {
    let limit: Int
    var bucket: TokenBucket?
    var inFlight = 0
    var heldUntil = Duration.zero
    var tickets: [Int] = []

    init(limit: Int, rate: Workflows.Limits.Rate?) {
      self.limit = limit
      bucket = rate.map(TokenBucket.init)
    }
  }

  private let limits: OriginGates.Limits
  private var run: Gate
  private var origins: [Origin: Gate] = [:]
  private var nextTicket = 0
  private var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
  /// Tickets that were called before their holder began to wait.
  private var called: Set<Int> = []

  init(limits: OriginGates.Limits) {
    self.limits = limits
    run = Gate(limit: limits.run, rate: limits.runRate)
  }

  mutating func enter(_ origin: Origin, at now: Duration) -> Decision {
    var gate = origins[origin] ?? Gate(limit: limits.origin, rate: limits.originRate)
    defer { origins[origin] = gate }
    if now < gate.heldUntil { return .hold(gate.heldUntil - now) }
    if run.inFlight >= run.limit {
      nextTicket += 1
      run.tickets.append(nextTicket)
      return .queue(ticket: nextTicket)
    }
    if gate.inFlight >= gate.limit {
      nextTicket += 1
      gate.tickets.append(nextTicket)
      return .queue(ticket: nextTicket)
    }
    let pause = max(run.bucket?.pause(at: now) ?? .zero, gate.bucket?.pause(at: now) ?? .zero)
    if pause > .zero { return .hold(pause) }
    run.bucket?.take(at: now)
    gate.bucket?.take(at: now)
    run.inFlight += 1
    gate.inFlight += 1
    return .go
  }

  /// Returns whom to wake: one who waits for the origin, one who waits for the run.
  mutating func leave(_ origin: Origin) -> [CheckedContinuation<Void, Never>] {
    run.inFlight -= 1
    origins[origin]?.inFlight -= 1
    var woken: [CheckedContinuation<Void, Never>] = []
    if origins[origin]?.tickets.isEmpty == false,
      let ticket = origins[origin]?.tickets.removeFirst(),
      let waiter = call(ticket)
    {
      woken.append(waiter)
    }
    if !run.tickets.isEmpty, let waiter = call(run.tickets.removeFirst()) { woken.append(waiter) }
    return woken
  }

  mutating func hold(_ origin: Origin, until time: Duration) {
    var gate = origins[origin] ?? Gate(limit: limits.origin, rate: limits.originRate)
    gate.heldUntil = max(gate.heldUntil, time)
    origins[origin] = gate
  }

  /// Whether the holder must wait; otherwise its ticket was called already.
  mutating func wait(_ ticket: Int, _ waiter: CheckedContinuation<Void, Never>) -> Bool {
    guard called.remove(ticket) == nil else { return false }
    waiters[ticket] = waiter
    return true
  }

  /// Calls a ticket, and returns its holder where it waits already.
  mutating func call(_ ticket: Int) -> CheckedContinuation<Void, Never>? {
    if let waiter = waiters.removeValue(forKey: ticket) { return waiter }
    called.insert(ticket)
    return nil
  }
}

/// A rate that allows short bursts: as many at once as its count, refilled evenly.
struct TokenBucket: Sendable {
  private let capacity: Double
  private let perSecond: Double
  private var tokens: Double
  private var updated = Duration.zero

  init(_ rate: Workflows.Limits.Rate) {
    capacity = Double(rate.count)
    perSecond = Double(rate.count) / rate.per.seconds
    tokens = capacity
  }

  /// How long until a request may be sent.
  func pause(at now: Duration) -> Duration {
    let available = level(at: now)
    return available >= 1 ? .zero : .seconds((1 - available) / perSecond) + .microseconds(1)
  }

  mutating func take(at now: Duration) {
    tokens = level(at: now) - 1
    updated = now
  }

  private func level(at now: Duration) -> Double {
    min(capacity, tokens + (now - updated).seconds * perSecond)
  }
}
