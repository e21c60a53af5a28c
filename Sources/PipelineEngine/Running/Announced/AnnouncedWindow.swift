internal import PipelineHTTPTerms
internal import PipelineTransports

/// What a server has announced of one of its limits: the requests that it still takes, and when it
/// takes more.
///
/// A window ends at once, and all its requests are there again. A bucket fills again little by
/// little. Times are those of the run's clock.
struct AnnouncedWindow: Sendable, Hashable {
  /// The requests of a window; `nil` if the server does not say.
  var limit: Double?
  /// The length of a window; `nil` if the server does not say.
  var length: Duration?
  /// The requests that were left at `since`.
  var remaining: Double
  var since: Duration
  /// The requests that come back each second; 0: the window ends at once.
  var refill: Double
  /// When the window ends, or the bucket is full.
  var end: Duration
  /// Whether a window has been seen to begin with all its requests. If not, one request goes first.
  var isTrusted = false
  /// Requests that the store has given to this process.
  var granted = 0
  /// When it gave them, or had none.
  var askedAt: Duration?
  /// When it is asked again, if it had none.
  var nextAsk = Duration.zero
  /// Whether other processes have requests of the same limit.
  var isContended = false

  /// The time for which the store grants requests. A process that holds them longer has been
  /// killed.
  static let grantTime = Duration.seconds(30)
  /// Differences of this size do not mean another window: servers count in whole seconds.
  static let tolerance = Duration.milliseconds(1_500)

  private static let shortest = Duration.milliseconds(20)

  /// - Parameter end: When the window ends. Of a bucket it is computed.
  init(_ limit: AnnouncedLimit, at now: Duration, until end: Duration) {
    self.limit = limit.limit
    length = limit.window.map { .seconds(min($0, 1e9)) }
    remaining = limit.remaining
    since = now
    refill = limit.refill
    self.end = end
    if refill > 0 { self.end = now + timeToFill }
  }

  init(
    limit: Double?, length: Duration?, remaining: Double, refill: Double, since: Duration,
    end: Duration
  ) {
    self.limit = limit
    self.length = length
    self.remaining = remaining
    self.refill = refill
    self.since = since
    self.end = end
  }

  private var timeToFill: Duration {
    .seconds(max(0, (limit ?? remaining) - remaining) / refill)
  }

  /// Whether nothing is known any more but the limit itself.
  func isEnded(at now: Duration) -> Bool { now >= end }

  /// The requests that the server takes now, those in flight included.
  func left(at now: Duration) -> Double {
    if isEnded(at: now) { return limit ?? max(remaining, 1) }
    guard refill > 0 else { return remaining }
    return min(limit ?? .infinity, remaining + refill * max(0, (now - since).seconds))
  }

  /// Whether so few are left that processes must share them out.
  func isScarce(at now: Duration, inFlight: Int) -> Bool {
    !isEnded(at: now) && left(at: now) - Double(inFlight) <= max(32, (limit ?? 0) / 20)
  }

  /// The requests that the store gave and that were not sent.
  func granted(at now: Duration) -> Int {
    guard let askedAt, now < askedAt + Self.grantTime else { return 0 }
    return granted
  }

  /// How long until a request may be let through, or may ask again.
  ///
  /// - Parameters:
  ///   - inFlight: Requests whose answers have not come: the server may have counted them or not.
  ///   - ahead: Requests that wait and go first.
  ///   - isShared: Whether the store hands out what is scarce.
  func pause(at now: Duration, inFlight: Int, ahead: Int, isShared: Bool) -> Duration {
    let (left, waiting, ahead) = (left(at: now), Double(inFlight), Double(ahead))
    let again = max(Self.shortest, min(.seconds(1), (now - since) / 4))
    if isEnded(at: now), refill == 0 {
      if isTrusted ? left - waiting - ahead >= 1 : waiting + ahead == 0 { return .zero }
      return ahead < left ? again : max(again, min(length ?? .seconds(1), .seconds(10)))
    }
    if isShared, isScarce(at: now, inFlight: inFlight) {
      if Double(granted(at: now)) - ahead >= 1 { return .zero }
      if refill > 0 { return max(again, .seconds(max(0, 1 + ahead - left) / refill)) }
      if left - waiting - ahead >= 1 { return min(.seconds(1), end - now) }
    }
    if left - waiting - ahead >= 1 { return .zero }
    if refill > 0 {
      return max(.milliseconds(1), .seconds((1 - (left - waiting - ahead)) / refill))
    }
    // The answers to those in flight tell how many are left.
    if left - ahead >= 1 { return min(again, end - now) }
    guard let limit, limit >= 1, let length else { return end - now }
    return end - now + length * ((ahead - left.rounded(.down)) / limit).rounded(.down)
  }

  /// Takes what a later answer says of the same limit.
  ///
  /// - Parameter inFlight: The requests without an answer, the answered one included.
  mutating func update(_ new: AnnouncedWindow, at now: Duration, inFlight: Int) {
    let old = self
    let isSame =
      !old.isEnded(at: now) && refill == new.refill
      && (refill > 0
        ? now - since < .seconds(1)
        : max(old.end, new.end) - min(old.end, new.end) <= Self.tolerance)
    self = new
    (granted, askedAt, isContended) = (old.granted, old.askedAt, old.isContended)
    limit = new.limit ?? old.limit.map { max($0, new.remaining) } ?? new.remaining + 1
    isTrusted = old.isTrusted
    if isSame {
      // Answers may overtake each other.
      remaining = min(old.left(at: now), new.remaining)
      if refill == 0 { end = min(old.end, new.end) }
    } else if refill == 0, old.isEnded(at: now) {
      length = new.length ?? old.length ?? (new.end > old.end ? new.end - old.end : nil)
      (granted, askedAt) = (0, nil)
      let most = limit ?? 0
      isTrusted = !isContended && new.remaining + Double(inFlight) >= most - max(1, most / 10)
    }
    length = length ?? old.length
  }
}
