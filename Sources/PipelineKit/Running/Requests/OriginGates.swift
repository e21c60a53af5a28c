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

  /// Whether a request to `origin` may be sent without waiting; then `leave` must follow.
  func entersAtOnce(_ origin: Origin) -> Bool {
    book.withLock { $0.entersAtOnce(origin, at: $0.needsTime ? clock.elapsed : .zero) }
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
    let woken = book.withLock { $0.leave(origin) }
    woken.origin?.resume()
    woken.run?.resume()
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
  /// The gates of the origins that were asked for, the first ones first: mostly there is one.
  private var gates: [(origin: Origin, gate: Gate)] = []
  private var positions: [Origin: Int] = [:]
  /// Whether an origin has asked for a pause.
  private var holdsOrigins = false
  private var nextTicket = 0
  private var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
  /// Tickets that were called before their holder began to wait.
  private var called: Set<Int> = []

  init(limits: OriginGates.Limits) {
    self.limits = limits
    run = Gate(limit: limits.run, rate: limits.runRate)
  }

  mutating func enter(_ origin: Origin, at now: Duration) -> Decision {
    let position = position(of: origin)
    if let decision = obstacle(position, at: now) {
      guard case .queue = decision else { return decision }
      nextTicket += 1
      if run.inFlight >= run.limit {
        run.tickets.append(nextTicket)
      } else {
        gates[position].gate.tickets.append(nextTicket)
      }
      return .queue(ticket: nextTicket)
    }
    take(position, at: now)
    return .go
  }

  /// The same where nothing is to be waited for; otherwise nothing changes.
  mutating func entersAtOnce(_ origin: Origin, at now: Duration) -> Bool {
    let position = position(of: origin)
    guard obstacle(position, at: now) == nil else { return false }
    take(position, at: now)
    return true
  }

  /// Whether the time matters to what is decided.
  var needsTime: Bool {
    limits.runRate != nil || limits.originRate != nil || holdsOrigins
  }

  /// What keeps a request from being sent; a queue's ticket is not drawn yet.
  private func obstacle(_ position: Int, at now: Duration) -> Decision? {
    let gate = gates[position].gate
    if now < gate.heldUntil { return .hold(gate.heldUntil - now) }
    if run.inFlight >= run.limit || gate.inFlight >= gate.limit { return .queue(ticket: 0) }
    guard run.bucket != nil || gate.bucket != nil else { return nil }
    let pause = max(run.bucket?.pause(at: now) ?? .zero, gate.bucket?.pause(at: now) ?? .zero)
    return pause > .zero ? .hold(pause) : nil
  }

  private mutating func take(_ position: Int, at now: Duration) {
    run.bucket?.take(at: now)
    gates[position].gate.bucket?.take(at: now)
    run.inFlight += 1
    gates[position].gate.inFlight += 1
  }

  private mutating func position(of origin: Origin) -> Int {
    if let first = gates.first, first.origin == origin { return 0 }
    if let position = positions[origin] { return position }
    positions[origin] = gates.count
    gates.append((origin, Gate(limit: limits.origin, rate: limits.originRate)))
    return gates.count - 1
  }

  /// Returns whom to wake: one who waits for the origin, one who waits for the run.
  mutating func leave(
    _ origin: Origin
  ) -> (origin: CheckedContinuation<Void, Never>?, run: CheckedContinuation<Void, Never>?) {
    let position = position(of: origin)
    run.inFlight -= 1
    gates[position].gate.inFlight -= 1
    let isAwaited = !gates[position].gate.tickets.isEmpty
    return (
      isAwaited ? call(gates[position].gate.tickets.removeFirst()) : nil,
      run.tickets.isEmpty ? nil : call(run.tickets.removeFirst())
    )
  }

  mutating func hold(_ origin: Origin, until time: Duration) {
    let position = position(of: origin)
    gates[position].gate.heldUntil = max(gates[position].gate.heldUntil, time)
    holdsOrigins = true
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
