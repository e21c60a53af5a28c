internal import Synchronization
internal import Templates

/// Holds requests back from an origin that is busy, that asked for a pause, or that has its share
/// of the run's requests in flight.
///
/// What is allowed when is decided in `OriginGate`, a value; here are only the waiting tasks.
final class OriginGates: Sendable {
  private let gates = Mutex<[Origin: OriginGate]>([:])
  private let limit: Int
  private let clock: any RunClock

  /// - Parameter limit: The most requests in flight to one origin.
  init(limit: Int, clock: any RunClock) {
    self.limit = limit
    self.clock = clock
  }

  /// Returns when a request to `origin` may be sent; `leave` must follow.
  ///
  /// - Throws: `CancellationError` where the task is cancelled while it waits.
  func enter(_ origin: Origin) async throws {
    while true {
      let decision = gates.withLock { gates in
        gates[origin, default: OriginGate(limit: limit)].enter(at: clock.elapsed)
      }
      switch decision {
      case .go: return
      case .hold(let duration): try await clock.sleep(for: duration)
      case .queue(let ticket): try await wait(for: ticket, at: origin)
      }
    }
  }

  /// A request to `origin` has ended; the next one may start.
  func leave(_ origin: Origin) {
    let waiter = gates.withLock { gates in gates[origin]?.leave() }
    waiter?.resume()
  }

  /// No request to `origin` starts for `duration` from now.
  func hold(_ origin: Origin, for duration: Duration) {
    gates.withLock { gates in
      gates[origin, default: OriginGate(limit: limit)].hold(until: clock.elapsed + duration)
    }
  }

  private func wait(for ticket: Int, at origin: Origin) async throws {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isWaiting = gates.withLock { gates in
          gates[origin]?.wait(ticket, continuation) ?? false
        }
        if !isWaiting { continuation.resume() }
      }
    } onCancel: {
      let waiter = gates.withLock { gates in gates[origin]?.giveUp(ticket) }
      waiter?.resume()
    }
    try Task.checkCancellation()
  }
}

/// What one origin allows.
struct OriginGate {
  enum Decision {
    case go
    /// Ask again after this long.
    case hold(Duration)
    /// Ask again when the ticket is called.
    case queue(ticket: Int)
  }

  let limit: Int
  private var inFlight = 0
  private var heldUntil = Duration.zero
  private var nextTicket = 0
  /// Tickets given out whose turn has not come, the first to be called first.
  private var tickets: [Int] = []
  private var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
  private var called: Set<Int> = []

  init(limit: Int) {
    self.limit = limit
  }

  mutating func enter(at now: Duration) -> Decision {
    if now < heldUntil { return .hold(heldUntil - now) }
    if inFlight < limit {
      inFlight += 1
      return .go
    }
    nextTicket += 1
    tickets.append(nextTicket)
    return .queue(ticket: nextTicket)
  }

  /// Returns whom to wake.
  mutating func leave() -> CheckedContinuation<Void, Never>? {
    inFlight -= 1
    guard !tickets.isEmpty else { return nil }
    let ticket = tickets.removeFirst()
    guard let waiter = waiters.removeValue(forKey: ticket) else {
      called.insert(ticket)
      return nil
    }
    return waiter
  }

  mutating func hold(until time: Duration) {
    heldUntil = max(heldUntil, time)
  }

  /// Whether the waiter must wait; otherwise its ticket was called already.
  mutating func wait(_ ticket: Int, _ waiter: CheckedContinuation<Void, Never>) -> Bool {
    guard called.remove(ticket) == nil, tickets.contains(ticket) else { return false }
    waiters[ticket] = waiter
    return true
  }

  /// Returns whom to wake: the waiter itself, or, where it had been called, the one after it.
  mutating func giveUp(_ ticket: Int) -> CheckedContinuation<Void, Never>? {
    called.remove(ticket)
    tickets.removeAll { $0 == ticket }
    return waiters.removeValue(forKey: ticket)
  }
}
