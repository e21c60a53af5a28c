internal import PipelineHTTPTerms
internal import PipelineLanguage
internal import PipelineURIs

/// Decides which request may be sent when. It is a value without clock, task or lock. `OriginGates`
/// asks it.
///
/// A unit that must wait holds a ticket. Tickets keep the order in which they were drawn. The place
/// of an ended request goes to the first ticket that can use it.
///
/// The states of a ticket, and the functions on the edges between them:
///
/// ```
///            enter                          enter
///   (none) ────────► queued      (none) ─────────────► holding, until a time
///                      │ ▲                                │  ▲
///                      │ │           ask                  │  │ ask: not yet
///                      │ └────────────────────────────────┤  └──┐
///                      │   leave, setLimits: a time       ├─────┘
///                      ├─────────────────────────────────►│
///                      │ leave, setLimits: a place        │ ask: it may go
///                      └──────────► entered ◄─────────────┘
/// ```
///
/// `enter` admits a request at once if nothing holds it back, without a ticket. `drop` removes a
/// ticket in either state. An entered request is in flight until `leave`.
struct GateBook: Sendable {
  enum Decision: Equatable, Sendable {
    case go
    /// Ask again after this time.
    case hold(Duration)
    /// Wait until the ticket is called.
    case queue
  }

  /// A ticket that is called.
  struct Call: Equatable, Sendable {
    let ticket: Int
    /// Whether its holder has entered. If not, it asks again.
    let hasEntered: Bool
  }

  private struct Gate: Sendable {
    var limit: Int
    var window: RateWindow?
    var inFlight = 0
    var heldUntil = Duration.zero
    /// `nil` if announced limits are not obeyed.
    var announced: AnnouncedLimits?

    init(limit: Int, rate: PipelineLanguage.Limits.Rate?) {
      self.limit = limit
      window = rate.map(RateWindow.init)
    }
  }

  private struct Ticket: Sendable {
    let number: Int
    /// The position of its origin's gate.
    let origin: Int
    /// Waits for a place, not for a time.
    var isQueued: Bool
    /// Waits for its turn under a rate.
    let isPaced: Bool
  }

  private var limits: OriginGates.Limits
  private var run: Gate
  /// The gates of the origins that were asked for, the first ones first: mostly there is one.
  private var gates: [(origin: Origin, gate: Gate)] = []
  private var positions: [Origin: Int] = [:]
  /// Whether an origin has asked for a pause.
  private var holdsOrigins = false
  /// Whether an origin has announced a limit, or the store may know one.
  private var hasAnnounced: Bool
  /// In the order drawn.
  private var tickets: [Ticket] = []
  private var lastNumber = 0

  init(limits: OriginGates.Limits) {
    self.limits = limits
    run = Gate(limit: limits.run, rate: limits.runRate)
    hasAnnounced = limits.announced?.isShared == true
  }

  /// Whether the time matters to the decision.
  var needsTime: Bool {
    limits.runRate != nil || limits.originRate != nil || holdsOrigins || hasAnnounced
  }

  /// Whether no further request may be in flight, to whatever origin.
  var isFull: Bool { run.inFlight >= run.limit }

  /// Whether a request may be sent now. If not, nothing changes.
  mutating func entersAtOnce(_ origin: Origin, at now: Duration) -> Bool {
    let origin = position(of: origin)
    guard decision(origin, before: .max, at: now) == .go else { return false }
    admit(origin, at: now)
    return true
  }

  /// Whether a request may be sent. Where it must wait, `ticket` stands for it.
  mutating func enter(_ origin: Origin, at now: Duration) -> (decision: Decision, ticket: Int) {
    let origin = position(of: origin)
    let decision = decision(origin, before: .max, at: now)
    if decision == .go {
      admit(origin, at: now)
      return (.go, 0)
    }
    lastNumber += 1
    tickets.append(ticket(lastNumber, origin, decision, at: now))
    return (decision, lastNumber)
  }

  /// The holder of a ticket asks again; `nil` if it has given up.
  mutating func ask(_ number: Int, at now: Duration) -> Decision? {
    guard let index = tickets.firstIndex(where: { $0.number == number }) else { return nil }
    let origin = tickets[index].origin
    // Its time has come, so it need not check the tickets before it.
    if decision(origin, before: 0, at: now) == .go {
      tickets.remove(at: index)
      admit(origin, at: now)
      return .go
    }
    let decision = decision(origin, before: number, at: now)
    tickets[index] = ticket(number, origin, decision, at: now)
    return decision
  }

  /// The holder of a ticket gives up. Returns whether it was still to enter.
  @discardableResult
  mutating func drop(_ number: Int) -> Bool {
    guard let index = tickets.firstIndex(where: { $0.number == number }) else { return false }
    tickets.remove(at: index)
    return true
  }

  /// The first byte of a request is about to be sent.
  mutating func sends(to origin: Origin, at now: Duration) {
    run.window?.leaves(at: now)
    gates[position(of: origin)].gate.window?.leaves(at: now)
  }

  /// A request has ended, or was given up before it was sent. Returns the tickets to call.
  mutating func leave(_ origin: Origin, wasSent: Bool, at now: Duration) -> [Call] {
    let position = position(of: origin)
    run.inFlight -= 1
    gates[position].gate.inFlight -= 1
    if !wasSent {
      run.window?.giveUp()
      gates[position].gate.window?.giveUp()
    }
    guard !tickets.isEmpty else { return [] }
    var calls: [Call] = []
    for index in tickets.indices where tickets[index].isQueued {
      let ticket = tickets[index]
      switch decision(ticket.origin, before: ticket.number, at: now) {
      case .queue: continue
      case .hold:
        tickets[index].isQueued = false
        calls.append(Call(ticket: ticket.number, hasEntered: false))
      case .go:
        // One place came free, so no other ticket can go.
        tickets.remove(at: index)
        admit(ticket.origin, at: now)
        calls.append(Call(ticket: ticket.number, hasEntered: true))
        return calls
      }
    }
    return calls
  }

  /// The requests in flight: all, and the most to one origin.
  var inFlight: InFlight {
    InFlight(run: run.inFlight, origin: gates.map(\.gate.inFlight).max() ?? 0)
  }

  /// Sets another number of requests that may be in flight. Returns the tickets to call.
  mutating func setLimits(_ share: InFlight, at now: Duration) -> [Call] {
    (limits.run, limits.origin) = (share.run, share.origin)
    run.limit = share.run
    for position in gates.indices { gates[position].gate.limit = share.origin }
    var calls: [Call] = []
    var index = 0
    while index < tickets.count {
      let ticket = tickets[index]
      guard ticket.isQueued else {
        index += 1
        continue
      }
      switch decision(ticket.origin, before: ticket.number, at: now) {
      case .queue: index += 1
      case .hold:
        tickets[index].isQueued = false
        calls.append(Call(ticket: ticket.number, hasEntered: false))
        index += 1
      case .go:
        tickets.remove(at: index)
        admit(ticket.origin, at: now)
        calls.append(Call(ticket: ticket.number, hasEntered: true))
      }
    }
    return calls
  }

  /// No request to `origin` starts before `time`.
  mutating func hold(_ origin: Origin, until time: Duration) {
    let position = position(of: origin)
    gates[position].gate.heldUntil = max(gates[position].gate.heldUntil, time)
    holdsOrigins = true
  }

  /// Whether an origin has asked for a pause that has not ended.
  mutating func isHeld(_ origin: Origin, at now: Duration) -> Bool {
    holdsOrigins && now < gates[position(of: origin)].gate.heldUntil
  }

  private mutating func position(of origin: Origin) -> Int {
    if let first = gates.first, first.origin == origin { return 0 }
    if let position = positions[origin] { return position }
    positions[origin] = gates.count
    var gate = Gate(limit: limits.origin, rate: limits.originRate)
    gate.announced = limits.announced.map {
      AnnouncedLimits(patience: $0.patience, isShared: $0.isShared && !$0.isPrivate(origin))
    }
    gates.append((origin, gate))
    return gates.count - 1
  }

  // MARK: Announced limits

  /// Takes what an answer of an origin announces, while its request is still in flight.
  mutating func note(
    _ announced: [AnnouncedLimit], date: Double?, from origin: Origin, at now: Duration,
    wall: Double
  ) {
    let position = position(of: origin)
    let inFlight = gates[position].gate.inFlight
    gates[position].gate.announced?.note(
      announced, date: date, at: now, wall: wall, inFlight: inFlight)
    hasAnnounced = true
  }

  /// Whether there is something of an origin that an answer without announced limits could change.
  mutating func hasAnnounced(_ origin: Origin) -> Bool {
    hasAnnounced && gates[position(of: origin)].gate.announced?.isEmpty == false
  }

  /// Whether the store is asked before a request to `origin` enters.
  mutating func wantsStore(_ origin: Origin, at now: Duration) -> Bool {
    guard hasAnnounced else { return false }
    let gate = gates[position(of: origin)].gate
    return gate.announced?.wantsStore(at: now, inFlight: gate.inFlight) ?? false
  }

  /// Shares the limits of an origin with other processes.
  ///
  /// - Returns: Whether `kept` has changed.
  mutating func share(
    _ kept: inout [KeptLimit], _ origin: Origin, as process: String, at now: Duration, wall: Double
  ) -> Bool {
    let position = position(of: origin)
    let inFlight = gates[position].gate.inFlight
    return gates[position].gate.announced?.share(
      &kept, as: process, at: now, wall: wall, inFlight: inFlight) ?? false
  }

  /// Takes this run out of what the store has of an origin.
  mutating func leaveStore(
    _ kept: inout [KeptLimit], _ origin: Origin, as process: String, at now: Duration, wall: Double
  ) -> Bool {
    gates[position(of: origin)].gate.announced?.leave(
      &kept, as: process, at: now, wall: wall) ?? false
  }

  /// The origins that have announced limits.
  var announcedOrigins: [Origin] {
    gates.filter { $0.gate.announced?.isEmpty == false }.map(\.origin)
  }

  /// Whether an announced limit holds `origin` back now.
  mutating func isAnnounced(_ origin: Origin, at now: Duration) -> Bool {
    guard hasAnnounced else { return false }
    let gate = gates[position(of: origin)].gate
    return now >= gate.heldUntil
      && (gate.announced?.pause(at: now, inFlight: gate.inFlight, ahead: 0) ?? .zero) > .zero
  }

  /// How long an announced limit holds `origin` back, if people do not know yet.
  mutating func newPause(_ origin: Origin, at now: Duration) -> Duration? {
    guard hasAnnounced else { return nil }
    return gates[position(of: origin)].gate.announced?.newPause(at: now)
  }

  private mutating func admit(_ origin: Int, at now: Duration) {
    run.window?.take(at: now)
    gates[origin].gate.window?.take(at: now)
    gates[origin].gate.announced?.admit(at: now)
    run.inFlight += 1
    gates[origin].gate.inFlight += 1
  }

  private func ticket(_ number: Int, _ origin: Int, _ decision: Decision, at now: Duration)
    -> Ticket
  {
    Ticket(
      number: number, origin: origin, isQueued: decision == .queue,
      isPaced: decision != .queue && gates[origin].gate.heldUntil <= now)
  }

  /// - Parameter before: Requests that wait under a rate with a lower number are sent first.
  private func decision(_ origin: Int, before number: Int, at now: Duration) -> Decision {
    let gate = gates[origin].gate
    if now < gate.heldUntil { return .hold(gate.heldUntil - now) }
    if run.inFlight >= run.limit || gate.inFlight >= gate.limit { return .queue }
    let announced = hasAnnounced ? gate.announced.flatMap { $0.isEmpty ? nil : $0 } : nil
    guard run.window != nil || gate.window != nil || announced != nil else { return .go }
    var ahead = (run: 0, origin: 0)
    for ticket in tickets where ticket.isPaced && ticket.number < number {
      ahead.run += 1
      if ticket.origin == origin { ahead.origin += 1 }
    }
    let pause = max(
      run.window?.pause(at: now, ahead: ahead.run) ?? .zero,
      gate.window?.pause(at: now, ahead: ahead.origin) ?? .zero,
      announced?.pause(at: now, inFlight: gate.inFlight, ahead: ahead.origin) ?? .zero)
    return pause > .zero ? .hold(pause) : .go
  }
}
