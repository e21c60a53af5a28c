internal import PipelineByteText
internal import PipelineKit

/// The requests in flight that several processes share: each process at work has an equal share. It
/// takes the share when it begins, and gives it back when it ends, or when its lease is over.
///
/// 1. The shares in the file are never more than the limit in total.
/// 2. A share that becomes smaller is written down once so few requests are in flight.
struct SharedPlaces {
  /// A process at work.
  struct Member: Equatable {
    /// The path of its lease, which no other process at work has.
    let lease: String
    var share: InFlight
  }

  private(set) var members: [Member]

  /// How many others a process looks at each time. All of them look, so one that was killed is soon
  /// found.
  private static let checks = 8

  /// - Parameter text: Lines of a share and a lease. Others are left out.
  init(_ text: String) {
    members = text.split(ascii: "\n").compactMap { line in
      let words = line.split(ascii: " ", maxSplits: 2)
      guard words.count == 3, let run = Int(words[0]), let origin = Int(words[1]), run >= 0,
        origin >= 0
      else { return nil }
      return Member(lease: String(words[2]), share: InFlight(run: run, origin: origin))
    }
  }

  var text: String {
    members.map { "\($0.share.run) \($0.share.origin) \($0.lease)\n" }.joined()
  }

  /// Takes the share of a process, after it has begun or after others have.
  ///
  /// - Parameters:
  ///   - lease: That of the process.
  ///   - limit: What all processes may have in flight.
  ///   - isAlive: Whether a process with this lease is at work.
  ///   - gates: Is given the share. Returns how many requests are in flight.
  mutating func take(
    _ lease: String, of limit: InFlight, isAlive: (String) -> Bool,
    _ gates: (InFlight) -> InFlight
  ) {
    let own = members.firstIndex { $0.lease.equals(bytes: lease) }
    if own == nil {
      members.append(Member(lease: lease, share: InFlight(run: 0, origin: 0)))
    }
    let others = members.map(\.lease).filter { !$0.equals(bytes: lease) }
    let ended = others.shuffled().prefix(Self.checks).filter { !isAlive($0) }
    for other in ended { giveBack(other) }
    guard let place = members.firstIndex(where: { $0.lease.equals(bytes: lease) }) else { return }
    let count = members.count
    // A process that takes the place of one that was killed has nothing in flight.
    members[place].share = InFlight(run: 0, origin: 0)
    func share(_ limit: Int, _ path: KeyPath<InFlight, Int>) -> Int {
      if limit == .max { return limit }
      let equal = limit / count + (place < limit % count ? 1 : 0)
      let taken = members.reduce(0) { $0 + min($1.share[keyPath: path], limit) }
      return min(equal, max(0, limit - taken))
    }
    let share = InFlight(run: share(limit.run, \.run), origin: share(limit.origin, \.origin))
    let inFlight = gates(share)
    members[place].share = InFlight(
      run: max(share.run, inFlight.run), origin: max(share.origin, inFlight.origin))
  }

  mutating func giveBack(_ lease: String) {
    members.removeAll { $0.lease.equals(bytes: lease) }
  }
}
