internal import PipelineLanguage

/// A rate: the maximum of requests that leave in any span of its length, wherever the span begins.
///
/// After a pause of two spans as many as the count may go at once. From then on they keep an even
/// distance. A span that began with another burst would overlap requests of the first one that the
/// network delayed.
struct RateWindow: Sendable {
  private let count: Int
  /// The span, and a little more, because the network does not keep distances.
  private let span: Duration
  /// The distance between requests that do not leave at once.
  private let interval: Duration
  /// How far one that goes too late may be caught up with, since no timer is exact.
  private let tolerance: Duration

  /// The times when the last requests left, in order, as many as the count, from `start` on.
  private var times: [Duration] = []
  private var start = 0
  /// The requests that were let through and have not left yet, for instance because they connect.
  private var pending = 0
  /// How many more may go without a distance.
  private var burst: Int
  /// When the next one is due that keeps the distance.
  private var due = Duration.zero
  /// When the last one was let through.
  private var last: Duration?
  /// When requests may leave, if not at any time, on the scale of `now`.
  private let slot: PipelineLanguage.Limits.Rate.Slot?

  init(_ rate: PipelineLanguage.Limits.Rate) {
    count = rate.count
    span = rate.slot != nil ? rate.per : rate.per + min(rate.per / 50, .milliseconds(5))
    interval = span / rate.count
    tolerance = max(interval, span / 50)
    burst = rate.count
    slot = rate.slot
  }

  /// How long until a request may be let through that follows `ahead` others. It may turn out to be
  /// longer, never shorter.
  ///
  /// - Complexity: O(1).
  func pause(at now: Duration, ahead: Int = 0) -> Duration {
    if let slot { return pause(until: slot, at: now) + span * ahead }
    let burst = hasRested(at: now) ? count : burst
    var time = max(now, free(after: 0, at: now))
    if burst == 0 { time = max(time, due) }
    time += interval * (burst == 0 ? ahead : max(0, ahead - burst + 1))
    return max(time, free(after: ahead, at: now)) - now
  }

  /// How long until the next slot that is free, or until now if it is in one.
  private func pause(until slot: PipelineLanguage.Limits.Rate.Slot, at now: Duration) -> Duration {
    let time = max(now, due)
    let sinceStart = time - slot.start
    let phase = sinceStart - span * (sinceStart / span).rounded(.down)
    return time - now + (phase <= slot.length ? .zero : span - phase)
  }

  private func hasRested(at now: Duration) -> Bool {
    last.map { now >= $0 + span * 2 } ?? true
  }

  /// Since or from when a span has room for one more, and for `ahead` before it.
  private func free(after ahead: Int, at now: Duration) -> Duration {
    let index = times.count + pending + ahead - count
    if index < start { return .zero }
    // One that has not left yet leaves now at the soonest.
    return (index < times.count ? times[index] : now) + span
  }

  /// A request is let through. It leaves, or is given up.
  mutating func take(at now: Duration) {
    if let slot {
      pending += 1
      // The slot is used up.
      due = now + slot.length
      return
    }
    if hasRested(at: now) { burst = count }
    if burst > 0 {
      burst -= 1
      due = now + interval
    } else {
      due = max(due, free(after: 0, at: now), now - tolerance) + interval
    }
    last = now
    pending += 1
  }

  /// A request leaves. It was usually let through before.
  mutating func leaves(at now: Duration) {
    pending = max(0, pending - 1)
    times.append(now)
    if times.count - start > count { start += 1 }
    // Now and then, so that each costs the same.
    guard start > count else { return }
    times.removeFirst(start)
    start = 0
  }

  /// A request that was let through does not leave.
  mutating func giveUp() {
    pending = max(0, pending - 1)
  }
}

extension PipelineLanguage.Limits.Rate {
  /// The same rate, with its slot on the clock's own scale instead of the wall's.
  func aligned(to clock: any RunClock) -> Self {
    guard var slot else { return self }
    slot.start += clock.elapsed - .seconds(clock.wallTime)
    var rate = self
    rate.slot = slot
    return rate
  }
}
