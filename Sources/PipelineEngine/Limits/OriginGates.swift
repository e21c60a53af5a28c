internal import PipelineByteText
internal import PipelineHTTPTerms
internal import PipelineLanguage
internal import PipelineURIs
internal import Synchronization

/// Holds requests back from an origin that asked for a pause. Also keeps the run's limits, over all
/// and for each origin: requests in flight, and requests in a time.
///
/// `GateBook`, a value, decides which request may leave and when. This type has only the waiting
/// tasks.
final class OriginGates: Sendable {
  /// The limits that the gates keep.
  struct Limits: Sendable {
    /// The most requests in flight.
    var run: Int
    /// The most requests in flight to one origin.
    var origin: Int
    var runRate: PipelineLanguage.Limits.Rate?
    var originRate: PipelineLanguage.Limits.Rate?
    /// How limits that origins announce are obeyed; `nil` if they are not.
    var announced: Announced?
  }

  /// How limits that origins announce are obeyed.
  struct Announced: Sendable {
    /// The longest that one may hold a request back.
    var patience: Duration
    /// Hands out what is scarce among the processes of a machine; `nil` if nothing does.
    var keeper: (any AnnouncedLimitKeeping)?
    /// The sandbox forgets everything, so its limits are those of a run.
    var sandbox: String?

    var isShared: Bool { keeper != nil }

    func isPrivate(_ origin: Origin) -> Bool {
      sandbox?.equals(bytes: origin.description) == true
    }
  }

  private enum Waiter {
    case waiting(CheckedContinuation<Outcome, Never>)
    /// Called, or cancelled, before it began to wait.
    case called(Outcome)
  }

  private enum Outcome {
    case entered, again, cancelled
  }

  private struct State {
    var book: GateBook
    var waiters: [Int: Waiter] = [:]
  }

  private let state: Mutex<State>
  private let clock: any RunClock
  /// Whether a rate limits how fast requests follow each other.
  let hasRate: Bool
  /// Keeps the rates with other processes; `nil` for the gates keep them.
  private let sharing: (any LimitSharing)?
  private let sharedRates: SharedRates
  private let owner: String
  private let keeper: (any AnnouncedLimitKeeping)?
  /// The name of this run among the processes of the machine.
  private let process = String(UInt64.random(in: .min ... .max), radix: 36)

  /// - Parameters:
  ///   - sharing: Hands out the limits that other processes keep, too.
  ///   - owner: The called file that sets the limits; empty: the run's own file.
  init(
    limits: Limits, clock: any RunClock, sharing: (any LimitSharing)? = nil, of owner: String = ""
  ) {
    var limits = limits
    self.owner = owner
    keeper = limits.announced?.keeper
    sharedRates =
      sharing == nil
      ? SharedRates() : SharedRates(run: limits.runRate, origin: limits.originRate)
    if sharing != nil { (limits.runRate, limits.originRate) = (nil, nil) }
    limits.runRate = limits.runRate?.aligned(to: clock)
    limits.originRate = limits.originRate?.aligned(to: clock)
    self.sharing = sharedRates == SharedRates() ? nil : sharing
    hasRate = limits.runRate != nil || limits.originRate != nil || self.sharing != nil
    state = Mutex(State(book: GateBook(limits: limits)))
    self.clock = clock
    sharing?.join(run: limits.run, origin: limits.origin, of: owner) { [weak self] share in
      self?.setLimits(share) ?? InFlight(run: 0, origin: 0)
    }
  }

  /// Changes how many requests may be in flight, because other processes began or ended.
  ///
  /// - Returns: How many are in flight. They may be more for a while.
  private func setLimits(_ share: InFlight) -> InFlight {
    let (woken, count) = state.withLock { state in
      let calls = state.book.setLimits(share, at: clock.elapsed)
      return (Self.wake(calls, &state), state.book.inFlight)
    }
    for (waiter, outcome) in woken { waiter.resume(returning: outcome) }
    return count
  }

  /// Whether a request to `origin` may be sent without waiting. If so, `leave` must follow.
  func entersAtOnce(_ origin: Origin) -> Bool {
    if sharing != nil { return false }
    return state.withLock { state in
      let now = state.book.needsTime ? clock.elapsed : .zero
      share(origin, &state, at: now)
      return state.book.entersAtOnce(origin, at: now)
    }
  }

  /// Shares what is scarce of the limits of an origin with other processes.
  private func share(_ origin: Origin, _ state: inout State, at now: Duration) {
    guard let keeper, state.book.wantsStore(origin, at: now) else { return }
    let wall = clock.wallTime
    let makesStore = state.book.hasAnnounced(origin)
    keeper.change(origin.description, at: wall, makesStore: makesStore) { kept in
      state.book.share(&kept, origin, as: process, at: now, wall: wall)
    }
  }

  /// Takes what an answer of an origin announces, before its request leaves.
  func note(_ announced: [AnnouncedLimit], date: Double?, from origin: Origin) {
    state.withLock { state in
      state.book.note(
        announced, date: date, from: origin, at: clock.elapsed, wall: clock.wallTime)
    }
  }

  /// Whether an answer without announced limits could change something.
  func hasAnnounced(_ origin: Origin) -> Bool {
    state.withLock { $0.book.hasAnnounced(origin) }
  }

  /// Tells the store what is known, and gives back what it has of this run. All requests of a short
  /// run may have left before the first answer.
  func close() {
    guard let keeper else { return }
    let (now, wall) = (clock.elapsed, clock.wallTime)
    state.withLock { state in
      for origin in state.book.announcedOrigins {
        keeper.change(origin.description, at: wall, makesStore: true) { kept in
          let isShared = state.book.share(&kept, origin, as: process, at: now, wall: wall)
          return state.book.leaveStore(&kept, origin, as: process, at: now, wall: wall) || isShared
        }
      }
    }
  }

  /// Returns when a request to `origin` may be sent; `leave` must follow.
  ///
  /// - Parameters:
  ///   - tells: Called once for each window, with the time for which an announced limit holds
  ///     requests back.
  ///   - waits: Called before each wait. Its argument is true if the wait is for the origin or a
  ///     rate, and false if it is for a slot of the run.
  /// - Returns: How long it has waited.
  /// - Throws: `CancellationError` if the task is cancelled while it waits.
  func enter(
    _ origin: Origin, tells: (Duration) -> Void = { _ in }, waits: (_ isForOrigin: Bool) -> Void
  ) async throws -> RunEvent.Waits {
    var times = try await enterBook(origin, tells: tells, waits: waits)
    guard let sharing else { return times }
    let began = clock.elapsed
    do {
      try await sharing.waitForTurn(origin.description, sharedRates, of: owner)
    } catch {
      leave(origin, wasSent: false)
      throw error
    }
    times.rate += clock.elapsed - began
    return times
  }

  private func enterBook(
    _ origin: Origin, tells: (Duration) -> Void, waits: (_ isForOrigin: Bool) -> Void
  ) async throws -> RunEvent.Waits {
    let (first, ticket, isFull) = state.withLock { state in
      let now = clock.elapsed
      share(origin, &state, at: now)
      let (decision, ticket) = state.book.enter(origin, at: now)
      return (decision, ticket, state.book.isFull)
    }
    var decision: GateBook.Decision? = first
    var times = RunEvent.Waits()
    if first != .go { waits(!isFull) }
    while true {
      switch decision {
      case .go: return times
      case .hold(let duration):
        let began = clock.elapsed
        let (isPause, isAnnounced, pause) = state.withLock { state in
          let isHeld = state.book.isHeld(origin, at: began)
          let isAnnounced = !isHeld && state.book.isAnnounced(origin, at: began)
          return (
            isHeld, isAnnounced, isAnnounced ? state.book.newPause(origin, at: began) : nil
          )
        }
        if let pause { tells(pause) }
        do {
          try await clock.sleep(for: duration)
        } catch {
          state.withLock { _ = $0.book.drop(ticket) }
          throw error
        }
        let time = clock.elapsed - began
        if isPause {
          times.pause += time
        } else if isAnnounced {
          times.announced += time
        } else {
          times.rate += time
        }
      case .queue:
        let began = clock.elapsed
        let outcome = await wait(for: ticket)
        times.place += clock.elapsed - began
        switch outcome {
        case .entered: return times
        case .again: break
        case .cancelled: throw CancellationError()
        }
      case nil: throw CancellationError()
      }
      decision = state.withLock { state in
        let now = clock.elapsed
        share(origin, &state, at: now)
        return state.book.ask(ticket, at: now)
      }
    }
  }

  /// The first byte of a request to `origin` is about to be sent: that is the moment which counts
  /// under a rate.
  func sends(to origin: Origin) {
    guard hasRate else { return }
    state.withLock { $0.book.sends(to: origin, at: clock.elapsed) }
  }

  /// A request to `origin` has ended, or was given up before it was sent. The one that waits for
  /// its place continues.
  func leave(_ origin: Origin, wasSent: Bool) {
    let woken = state.withLock { state -> [(CheckedContinuation<Outcome, Never>, Outcome)] in
      let now = state.book.needsTime ? clock.elapsed : .zero
      return Self.wake(state.book.leave(origin, wasSent: wasSent, at: now), &state)
    }
    for (waiter, outcome) in woken { waiter.resume(returning: outcome) }
  }

  /// The called tickets whose holders already wait.
  private static func wake(
    _ calls: [GateBook.Call], _ state: inout State
  ) -> [(CheckedContinuation<Outcome, Never>, Outcome)] {
    calls.compactMap { call in
      let outcome: Outcome = call.hasEntered ? .entered : .again
      return Self.call(call.ticket, outcome, &state).map { ($0, outcome) }
    }
  }

  /// No request to `origin` starts for `duration` from now.
  func hold(_ origin: Origin, for duration: Duration) {
    let end = clock.elapsed + duration
    state.withLock { $0.book.hold(origin, until: end) }
  }

  private func wait(for ticket: Int) async -> Outcome {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let outcome = state.withLock { state -> Outcome? in
          if case .called(let outcome)? = state.waiters.removeValue(forKey: ticket) {
            return outcome
          }
          state.waiters[ticket] = .waiting(continuation)
          return nil
        }
        if let outcome { continuation.resume(returning: outcome) }
      }
    } onCancel: {
      // A waiter that has entered stays: its request finds itself cancelled, and leaves.
      let waiter = state.withLock { state in
        state.book.drop(ticket) ? Self.call(ticket, .cancelled, &state) : nil
      }
      waiter?.resume(returning: .cancelled)
    }
  }

  /// The holder of a ticket, if it waits already. Otherwise it is reported when it begins to.
  private static func call(
    _ ticket: Int, _ outcome: Outcome, _ state: inout State
  ) -> CheckedContinuation<Outcome, Never>? {
    if case .waiting(let continuation)? = state.waiters.removeValue(forKey: ticket) {
      return continuation
    }
    state.waiters[ticket] = .called(outcome)
    return nil
  }
}
