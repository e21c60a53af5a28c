internal import PipelineByteText
internal import PipelineHTTPTerms
internal import PipelineTransports

/// The limits that an origin has announced. A value without clock or lock, as `GateBook`, which has
/// one for each origin.
///
/// What holds:
///
/// 1. A request whose answer has not come counts as one that the server has not counted yet. So the
///    server never gets more requests than it takes.
/// 2. A pause never ends later than `patience` from now. A window that ends later is not waited for:
///    the request goes, and the answer to it decides.
/// 3. When a window has ended, one request goes first, until a window has been seen to begin with all
///    its requests.
struct AnnouncedLimits: Sendable {
  /// A server may name new limits without end.
  private static let most = 16
  /// An answer is on its way for less than this many seconds, mostly.
  private static let latency = 0.25

  private(set) var windows: [(name: String, window: AnnouncedWindow)] = []
  /// The longest pause.
  private let patience: Duration
  /// Whether the store hands out what is scarce.
  let isShared: Bool
  /// How far the server's clock is ahead of this one's, in seconds; `nil` if it has sent no `Date`.
  private var clock: (least: Double, most: Double)?
  /// The last time at which the store was read.
  private var sharedAt: Duration?
  /// The end of the window that was reported to people.
  private var toldEnd: Duration?

  init(patience: Duration, isShared: Bool) {
    self.patience = patience
    self.isShared = isShared
  }

  var isEmpty: Bool { windows.isEmpty }

  // MARK: Answers

  /// Takes what an answer announces.
  ///
  /// - Parameters:
  ///   - date: The answer's `Date`, in seconds since 1970.
  ///   - wall: Seconds since 1970.
  ///   - inFlight: The requests without an answer, the answered one included.
  mutating func note(
    _ limits: [AnnouncedLimit], date: Double?, at now: Duration, wall: Double, inFlight: Int
  ) {
    if let date { noteDate(date, wall) }
    for limit in limits {
      guard let end = end(of: limit, at: now, wall: wall) else { continue }
      let new = AnnouncedWindow(limit, at: now, until: end)
      if let index = windows.firstIndex(where: { $0.name.equals(bytes: limit.name) }) {
        windows[index].window.update(new, at: now, inFlight: inFlight)
      } else if windows.count < Self.most {
        windows.append((limit.name, new))
      }
    }
    if limits.isEmpty, !windows.isEmpty {
      // The server's answers no longer count what has ended.
      windows.removeAll { $0.window.refill == 0 && $0.window.isEnded(at: now) }
    }
  }

  /// `Date` has whole seconds, and the answer was on its way for a while. Each answer narrows down how
  /// far the server's clock is ahead. Clocks that may agree are taken to agree.
  private mutating func noteDate(_ date: Double, _ wall: Double) {
    let seen = (least: date - wall, most: date - wall + 1 + Self.latency)
    let known = clock ?? seen
    let both = (least: max(known.least, seen.least), most: min(known.most, seen.most))
    // One of the clocks was set.
    clock = both.least > both.most ? seen : both
  }

  /// How far the server's clock is ahead: rather too little, so that a window ends too late for us.
  private var offset: Double {
    guard let clock else { return 0 }
    return clock.least <= 0 && clock.most >= 0 ? 0 : clock.least
  }

  /// When the requests of a limit are there again; `nil` if there is no such time, or it has
  /// passed.
  private func end(of limit: AnnouncedLimit, at now: Duration, wall: Double) -> Duration? {
    if limit.refill > 0 { return now }
    let seconds: Double
    switch limit.reset {
    case .after(let time)?: seconds = time
    case .at(let time)?: seconds = time - (wall + offset)
    case nil: return nil
    }
    // Servers round in both directions.
    let time = seconds + (limit.isWhole ? 1 : 0.02)
    return time > 0 ? now + .seconds(min(time, 1e9)) : nil
  }

  // MARK: Requests

  /// How long until a request may be let through, or asks again.
  ///
  /// - Parameters:
  ///   - inFlight: The requests without an answer.
  ///   - ahead: Requests that wait and go first.
  func pause(at now: Duration, inFlight: Int, ahead: Int) -> Duration {
    var pause = Duration.zero
    for (_, window) in windows where isObeyed(window, at: now) {
      pause = max(
        pause,
        window.pause(at: now, inFlight: inFlight, ahead: ahead, isShared: isShared))
    }
    return pause
  }

  private func isObeyed(_ window: AnnouncedWindow, at now: Duration) -> Bool {
    window.refill > 0
      ? 1 / window.refill <= patience.seconds : window.end - now <= patience
  }

  /// A request is let through.
  mutating func admit(at now: Duration) {
    for index in windows.indices where windows[index].window.granted > 0 {
      windows[index].window.granted -= 1
    }
  }

  /// How long nothing is let through, if that is worth telling people; `nil` if they know, or it is
  /// short.
  mutating func newPause(at now: Duration) -> Duration? {
    let usedUp = windows.map(\.window).filter {
      $0.refill == 0 && !$0.isEnded(at: now) && $0.remaining < 1 && isObeyed($0, at: now)
    }
    guard let end = usedUp.map(\.end).max(), end - now >= .seconds(1),
      toldEnd.map({ end > $0 }) ?? true
    else { return nil }
    toldEnd = end + AnnouncedWindow.tolerance
    return end - now
  }

  // MARK: Other processes

  /// Whether the store is asked before a request is let through: once at first and when a window has
  /// ended, and then only where few requests are left.
  func wantsStore(at now: Duration, inFlight: Int) -> Bool {
    guard isShared else { return false }
    guard let sharedAt else { return true }
    return windows.contains { _, window in
      if window.isEnded(at: now) { return window.refill == 0 && sharedAt < window.end }
      return window.isScarce(at: now, inFlight: inFlight) && window.granted(at: now) == 0
        && now >= window.nextAsk
    }
  }

  /// Takes what other processes know of the limits, and a share of what is scarce.
  ///
  /// - Parameters:
  ///   - kept: What the store has of the origin.
  ///   - process: The name of this process in it.
  ///   - wall: Seconds since 1970.
  /// - Returns: Whether `kept` has changed.
  mutating func share(
    _ kept: inout [KeptLimit], as process: String, at now: Duration, wall: Double, inFlight: Int
  ) -> Bool {
    sharedAt = now
    kept.removeAll { $0.end <= wall }
    for entry in kept { adopt(entry, at: now, wall: wall) }
    var hasChanged = false
    for index in windows.indices {
      let name = windows[index].name
      var window = windows[index].window
      guard !window.isEnded(at: now) || window.refill > 0 else { continue }
      let known = kept.firstIndex { $0.name.equals(bytes: name) }
      let others = known.map { kept[$0].heldByOthers(than: process, at: wall) } ?? 0
      window.isContended = window.isContended || others > 0
      if window.isScarce(at: now, inFlight: inFlight) {
        if window.granted(at: now) == 0 {
          let free = window.left(at: now) - Double(others + inFlight)
          window.granted = free < 1 ? 0 : Int(min(32, (free / 8).rounded(.up)))
          window.askedAt = now
          let pause = window.refill > 0 ? min(1, max(0.02, 1 / window.refill)) : 1
          window.nextAsk = window.granted > 0 ? now : now + .seconds(pause)
        }
        var entry = KeptLimit(name, window, at: now, wall: wall)
        entry.held = known.map { kept[$0].held } ?? [:]
        entry.held[process] = .init(count: inFlight + window.granted(at: now), time: wall)
        if let known { kept[known] = entry } else { kept.append(entry) }
        hasChanged = true
      }
      windows[index].window = window
    }
    return hasChanged
  }

  /// Takes what another process has written of a limit.
  private mutating func adopt(_ entry: KeptLimit, at now: Duration, wall: Double) {
    let new = AnnouncedWindow(
      limit: entry.limit, length: entry.length.map { .seconds($0) },
      remaining: entry.remaining, refill: entry.refill,
      since: now - .seconds(min(max(0, wall - entry.time), 1e9)),
      end: now + .seconds(min(entry.end - wall, 1e9)))
    guard let index = windows.firstIndex(where: { $0.name.equals(bytes: entry.name) }) else {
      if windows.count < Self.most { windows.append((entry.name, new)) }
      return
    }
    let old = windows[index].window
    let isNewer =
      old.isEnded(at: now) || new.refill == 0 && new.end > old.end + AnnouncedWindow.tolerance
    if isNewer {
      windows[index].window = new
      windows[index].window.isTrusted = old.isTrusted
    } else if new.left(at: now) < old.left(at: now) {
      windows[index].window.remaining = new.left(at: now)
      windows[index].window.since = now
    }
  }

  /// Takes this process out of what the store has, and leaves what its last answers said.
  ///
  /// - Returns: Whether `kept` has changed.
  func leave(
    _ kept: inout [KeptLimit], as process: String, at now: Duration, wall: Double
  ) -> Bool {
    var hasChanged = false
    for index in kept.indices where kept[index].held.removeValue(forKey: process) != nil {
      hasChanged = true
      guard
        let window = windows.first(where: { $0.name.equals(bytes: kept[index].name) })?.window,
        !window.isEnded(at: now) || window.refill > 0
      else { continue }
      var entry = KeptLimit(kept[index].name, window, at: now, wall: wall)
      // Another process may know more, or of a later window.
      guard entry.end >= kept[index].end - AnnouncedWindow.tolerance.seconds else { continue }
      entry.held = kept[index].held
      entry.remaining = min(entry.remaining, kept[index].left(at: wall))
      kept[index] = entry
    }
    return hasChanged
  }
}
