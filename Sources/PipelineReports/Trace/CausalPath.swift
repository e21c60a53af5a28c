/// The path of waits that led to a moment: from the run's start, part after part, without a gap.
///
/// Ways that have begun together share their beginning. Parts of the same step join when there are
/// many, so that a million items one after another take the room of a few.
struct CausalPath {
  /// A way so far, ending in a part. Nothing in it changes while others share it.
  private final class Link {
    let before: Link?
    let depth: Int
    // One way changes it at a time, and nothing that it calls comes back to it. A check at each
    // access, many times a request, would find nothing.
    @exclusivity(unchecked) var part: Part

    init(_ part: Part, after before: Link?) {
      self.part = part
      self.before = before
      depth = (before?.depth ?? 0) + 1
    }
  }

  /// A stretch of work for one step.
  struct Part {
    /// The number of the step; `nil` for several.
    var step: Int?
    /// The step at the top that it belongs to; `nil` for several.
    var root: Int?
    var item: Int?
    let start: Int
    var end: Int
    var links = 1
    var uses: [Use] = []
    /// The last piece of work in it.
    var work: Work

    init(_ work: Work, at start: Int) {
      step = work.step
      root = work.root
      item = work.item < 0 ? nil : work.item
      self.start = start
      end = start
      self.work = work
      uses.reserveCapacity(4)
    }

    mutating func add(_ time: Int, _ use: TimeUse, _ origin: Int?) {
      end += time
      if let index = uses.firstIndex(where: { $0.use == use && $0.origin == origin }) {
        uses[index].time += time
      } else {
        uses.append(Use(use: use, origin: origin, time: time))
      }
    }
  }

  struct Use: Equatable {
    let use: TimeUse
    let origin: Int?
    var time: Int
  }

  /// A piece of work: a step, or an item of it.
  struct Work: Equatable {
    let step: Int
    let root: Int
    /// The positions of the items around.
    let path: [Int]
    let item: Int
  }

  private var last: Link?
  /// When the way ends.
  private(set) var time = 0

  /// The number of parts from which items of a step are joined; beyond it, inner steps; beyond
  /// that, all.
  private static let depths = (items: 300, inner: 700, all: 1_000)

  /// Continues the path to a time at which a piece of work has used the time between.
  mutating func extend(to time: Int, _ use: TimeUse, _ work: Work, origin: Int? = nil) {
    guard time > self.time else { return }
    link(for: work).part.add(time - self.time, use, origin)
    self.time = time
  }

  /// Continues the path by the pieces of one request.
  mutating func extend(by pieces: TraceBuilder.Pieces, _ work: Work, origin: Int) {
    guard pieces.end > time else { return }
    let link = link(for: work)
    var time = time
    pieces.forEach { piece in
      guard piece.end > time else { return }
      link.part.add(piece.end - time, piece.use, origin)
      time = piece.end
    }
    self.time = time
  }

  /// The last part, of this way alone, for more of a piece of work.
  private mutating func link(for work: Work) -> Link {
    let isShared = !isKnownUniquelyReferenced(&last)
    guard let link = last, joins(work, link) else {
      let link = Link(Part(work, at: time), after: last)
      last = link
      return link
    }
    let target = isShared ? Link(link.part, after: link.before) : link
    if target.part.work != work {
      target.part.links += 1
      target.part.item = nil
      if target.part.step != work.step { target.part.step = nil }
      if target.part.root != work.root { target.part.root = nil }
      target.part.work = work
    }
    last = target
    return target
  }

  private func joins(_ work: Work, _ link: Link) -> Bool {
    if link.part.work == work { return true }
    if link.depth >= Self.depths.all { return true }
    if link.depth >= Self.depths.inner { return link.part.root == work.root }
    if link.depth >= Self.depths.items { return link.part.step == work.step }
    return false
  }

  /// All parts, from the run's start on.
  var parts: [Part] {
    var parts: [Part] = []
    var link = last
    while let current = link {
      parts.append(current.part)
      link = current.before
    }
    return parts.reversed()
  }
}
