/// The share that one of several processes has of a run's limits.
package struct Share: Sendable, Hashable {
  /// The number of parts…
  package let parts: Int
  /// …of this number.
  package let total: Int
  /// The number of this share among its equals, from 0.
  package let turn: Int
  /// Whether rates and requests in flight are handed out to the processes while they run: then they
  /// stay whole here.
  package let isHandedOut: Bool

  /// The whole of all limits.
  package static let whole = Share(parts: 1, total: 1, turn: 0)

  /// - Precondition: `parts` and `total` are positive.
  package init(parts: Int, total: Int, turn: Int, isHandedOut: Bool = false) {
    self.parts = parts
    self.total = total
    self.turn = turn
    self.isHandedOut = isHandedOut
  }

  /// At least 1.
  package func of(_ count: Int) -> Int {
    max(1, count.multipliedReportingOverflow(by: parts).overflow ? count : count * parts / total)
  }
}

extension Limits {
  /// These limits for a process that has a share of them.
  ///
  /// Each process counts the items of all processes, so their limit stays whole. All processes
  /// together may send a few requests more than the limit on requests, if it is not a multiple of
  /// their number.
  package func limited(to share: Share) -> Limits {
    var limits = self
    if !share.isHandedOut {
      limits.concurrency = share.of(concurrency)
      limits.perOrigin = perOrigin.map(share.of)
      limits.rate = rate?.limited(to: share)
      limits.ratePerOrigin = ratePerOrigin?.limited(to: share)
    }
    limits.requests = share.of(requests + share.total - 1)
    return limits
  }
}

extension RequestRate {
  /// This rate for a process that has a share of it. All shares together never exceed it.
  ///
  /// If there are fewer requests than processes in a span, the processes take turns. Each may send
  /// one in its slot, which recurs by the wall clock.
  package func limited(to share: Share) -> RequestRate {
    let own = count * share.parts / share.total
    if own > 0 { return RequestRate(count: own, per: per) }
    // The distance of slots with which no span meets more of them than the rate allows.
    let distance = per * 4 / (4 * count - 1)
    let turns = (share.total + share.parts - 1) / share.parts
    var rate = RequestRate(count: 1, per: distance * turns)
    rate.slot = Slot(start: distance * share.turn, length: distance / 4)
    return rate
  }
}
