internal import PipelineByteText
internal import PipelineKit
internal import PipelineSourceText

/// The display of a run on a terminal: a value that takes events and gives lines.
///
/// Finished steps and failures are lines that stay. The running steps are the live area below them.
/// The display knows no terminal and no clock: times are parameters, counted from the run's start.
struct Display: Sendable {
  enum Outcome: Sendable {
    case done
    /// Failed, and the run continued; with the reason.
    case recovered(String)
    case failed
    /// With the reason: "'user' failed".
    case skipped(String)
    case cancelled
  }

  /// How a run ended.
  enum Ending: Sendable {
    case succeeded, failed, interrupted, waiting
  }

  /// How an item of a step ended.
  enum ItemOutcome: Sendable {
    case done, recovered, failed
  }

  /// A step that runs.
  struct Item: Sendable {
    var name: String
    var started: Duration
    var total: Int?
    var finished = 0
    var failed = 0
    var recovered = 0
    var requests = 0
    /// Why and when the last request is sent again.
    var retry: String?
    var meter = Meter()
    /// The steps inside that run, in the order in which each first began, and how many times.
    var inner: [(name: String, count: Int)] = []
  }

  /// The workflow's name.
  let title: String
  /// The steps that run, in the order in which they began; `nil` for one that has ended.
  private var places: [Item?] = []
  /// Where each running step is in `places`.
  private var positions: [String: Int] = [:]
  private(set) var requests = 0
  private let steps: [String]
  /// Steps that have not started.
  private var waiting: Set<String>
  private let nameWidth: Int
  /// How many waiting steps are named.
  private static let mostWaiting = 12
  private var finished = 0
  private var failed = 0
  private var skipped = 0
  private var cancelled = 0

  /// A display of a run of `steps`, in the order in which the plan has them.
  init(title: String, steps: [String]) {
    self.title = title
    self.steps = steps
    waiting = Set(steps)
    nameWidth = min(steps.map { Cells.width(of: $0) }.max() ?? 0, 24)
  }

  // MARK: What happens

  /// A step starts; `items` is the length of its collection, if it has one and it is known.
  mutating func start(_ step: String, items: Int? = nil, at time: Duration) {
    waiting.remove(step)
    if let index = positions[step] {
      if let items { places[index]?.total = items }
    } else {
      positions[step] = places.count
      places.append(Item(name: step, started: time, total: items))
    }
    update(step) { $0.meter.note(0, at: time) }
  }

  mutating func finishItem(of step: String, _ outcome: ItemOutcome, at time: Duration) {
    update(step) { item in
      item.finished += 1
      switch outcome {
      case .done: break
      case .recovered: item.recovered += 1
      case .failed: item.failed += 1
      }
      item.meter.note(item.finished, at: time)
    }
  }

  /// A step inside `step` starts. It may start once for each item.
  mutating func startInner(_ name: String, of step: String) {
    update(step) { item in
      if let place = item.inner.firstIndex(where: { $0.name.equals(bytes: name) }) {
        item.inner[place].count += 1
      } else {
        item.inner.append((name, 1))
      }
    }
  }

  /// A step inside `step` ends, for one item.
  mutating func finishInner(_ name: String, of step: String) {
    update(step) { item in
      guard let place = item.inner.firstIndex(where: { $0.name.equals(bytes: name) }) else {
        return
      }
      item.inner[place].count = max(item.inner[place].count - 1, 0)
    }
  }

  /// An attempt ends that sent `count` requests; `retry` says why and when it is made again, if so.
  mutating func finishRequest(of step: String, count: Int = 1, retry: String? = nil) {
    requests += count
    update(step) { item in
      item.requests += count
      item.retry = retry
    }
  }

  /// A step ends. Gives the line that stays.
  mutating func finish(_ step: String, _ outcome: Outcome, at time: Duration) -> Line {
    waiting.remove(step)
    let item = remove(step) ?? Item(name: step, started: time)
    finished += 1
    switch outcome {
    case .done:
      return marked("✓", .good, step, facts(of: item, at: time))
    case .recovered(let reason):
      return marked("✓", .good, step, "recovered: \(reason) · " + facts(of: item, at: time))
    case .failed:
      failed += 1
      return marked("✗", .bad, step, facts(of: item, at: time))
    case .skipped(let reason):
      skipped += 1
      return marked("–", .dim, step, "skipped: " + reason)
    case .cancelled:
      cancelled += 1
      return marked("–", .dim, step, "cancelled · " + facts(of: item, at: time))
    }
  }

  // MARK: What is seen

  /// The live area at `time`: at most `size.height` lines.
  func live(at time: Duration, size: TerminalSize) -> [Line] {
    let room = max(size.height - 1, 0)
    let width = max(size.width - 1, 1)
    var lines: [Line] = []
    var shown = 0
    for item in running(in: room) {
      // One line is kept for the number of steps that do not fit.
      let isLast = shown + 1 == positions.count
      guard lines.count + (isLast ? 1 : 2) <= room else { break }
      lines.append(line(for: item, at: time, width: width))
      shown += 1
      guard lines.count + (isLast ? 1 : 2) <= room, let inner = inner(of: item, width: width)
      else { continue }
      lines.append(inner)
    }
    if shown < positions.count, room > 0 {
      lines.append(Line("  … \(positions.count - shown) more running", .dim))
    }
    return lines + [status(at: time, width: width)]
  }

  /// The steps that run, in the order in which they began. If there is no room for all of them,
  /// collections come first: their progress is what a person waits for.
  private func running(in room: Int) -> [Item] {
    let items = places.compactMap(\.self)
    guard items.count > room - 1 else { return items }
    return items.filter { $0.total != nil } + items.filter { $0.total == nil }
  }

  /// One line when all is over.
  ///
  /// - Parameters:
  ///   - taken: How many requests an earlier process of the run has carried out.
  ///   - cached: How many answers a cache gave.
  ///   - validated: How many it gave after the server had confirmed them.
  func summary(
    _ ending: Ending, at time: Duration, taken: Int = 0, cached: Int = 0, validated: Int = 0
  ) -> Line {
    var facts: [String] = []
    if failed > 0 || ending != .succeeded {
      let done = finished - failed - skipped - cancelled
      facts.append("\(done) of \(steps.count.counting("step")) done")
    } else {
      facts.append(steps.count.counting("step"))
    }
    if failed > 0 { facts.append("\(failed) failed") }
    if skipped > 0 { facts.append("\(skipped) skipped") }
    if taken > 0 { facts.append("\(taken) taken") }
    if cancelled > 0 { facts.append("\(cancelled) cancelled") }
    facts.append(requests.counting("request"))
    if cached > 0 { facts.append("\(cached.grouped) cached") }
    if validated > 0 { facts.append("\(validated.grouped) validated") }
    facts.append(time.text)
    if skipped > 0, skipped == steps.count, requests == 0, taken == 0, failed == 0 {
      facts.append("nothing was done: every step was skipped")
    }
    var line = Line()
    switch ending {
    case .succeeded: line.append("✓ \(title)", .good)
    case .failed: line.append("✗ \(title) failed", .bad)
    case .interrupted: line.append("✗ \(title) interrupted", .bad)
    case .waiting: line.append("… \(title) waits for an answer", .busy)
    }
    line.append("  " + facts.joined(separator: " · "))
    return line
  }

  private func status(at time: Duration, width: Int) -> Line {
    var line = Line("  \(finished) of \(steps.count.counting("step"))", .dim)
    var facts: [(text: String, ink: Line.Ink)] = []
    if failed > 0 { facts.append(("\(failed) failed", .bad)) }
    facts.append((requests.counting("request"), .dim))
    facts.append((time.liveText, .dim))
    for fact in facts where line.width + 3 + Cells.width(of: fact.text) <= width {
      line.append(" · ", .dim)
      line.append(fact.text, fact.ink)
    }
    let next = steps.lazy.filter { waiting.contains($0) }.prefix(Self.mostWaiting)
    let names = Self.list(
      next.map(\.self), of: waiting.count, width: width - line.width - 12)
    if let names { line.append(" · waiting: " + names, .dim) }
    return line
  }

  /// As many names as fit, and `…` if some are left out; `nil` if there are none, or no room.
  private static func list(_ names: [String], of count: Int, width: Int) -> String? {
    var text = ""
    var shown = 0
    for name in names {
      let next = (text.isEmpty ? "" : ", ") + name
      let rest = shown + 1 < count ? 3 : 0
      guard Cells.width(of: text) + Cells.width(of: next) + rest <= width else { break }
      text += next
      shown += 1
    }
    if shown == 0 { return nil }
    return shown < count ? text + ", …" : text
  }

  /// The steps inside one that run now.
  private func inner(of item: Item, width: Int) -> Line? {
    let running = item.inner.filter { $0.count > 0 }
    let names = running.map { $0.count > 1 ? "\($0.name) ×\($0.count.grouped)" : $0.name }
    return Self.list(names, of: names.count, width: width - 4).map { Line("    " + $0, .dim) }
  }

  private func line(for item: Item, at time: Duration, width: Int) -> Line {
    var facts: [Fact] = []
    let elapsed = time - item.started
    var widest = 0
    if let total = item.total, total > 0 {
      let count = "\(item.finished.grouped)/\(total.grouped)"
      widest = total.grouped.count * 2 + 1
      facts.append(
        Fact(String(repeating: " ", count: max(widest - count.count, 0)) + count, rank: 1))
    } else if item.finished > 0 {
      facts.append(Fact(item.finished.counting("item"), rank: 1))
    }
    if item.failed > 0 { facts.append(Fact("\(item.failed.grouped) failed", .bad, rank: 0)) }
    if item.recovered > 0 {
      facts.append(Fact("\(item.recovered.grouped) recovered", rank: 2))
    }
    if let total = item.total, total > 0 {
      if let rate = item.meter.rate(of: item.finished, at: time) {
        facts.append(
          Fact((rate < 9.95 ? decimal(rate, digits: 1) : Int(rate).grouped) + "/s", rank: 3))
        if item.finished < total {
          let left = Duration.seconds(Double(total - item.finished) / rate)
          facts.append(Fact("\(left.clock) left", rank: 4))
        }
      }
    } else {
      facts.append(Fact(elapsed.liveText, .dim, rank: 2))
    }
    if let retry = item.retry { facts.append(Fact(retry, .dim, rank: 5)) }
    return line(item, facts, bar: widest, at: time, width: width)
  }

  /// A fact about a step that runs. If there is no room, the facts with the highest rank are left
  /// out first. No fact is cut.
  private struct Fact {
    let text: String
    let ink: Line.Ink
    let rank: Int

    init(_ text: String, _ ink: Line.Ink = .plain, rank: Int) {
      self.text = text
      self.ink = ink
      self.rank = rank
    }
  }

  /// - Parameter widest: The width of the longest count of items, in cells; 0: no bar.
  private func line(
    _ item: Item, _ facts: [Fact], bar widest: Int, at time: Duration, width: Int
  ) -> Line {
    var line = Line(spinner(at: time) + " ", .busy)
    let name = padded(item.name)
    var facts = facts
    func room(_ nameWidth: Int) -> Int {
      facts.reduce(width - 2 - nameWidth) { $0 - 2 - Cells.width(of: $1.text) }
    }
    while let last = facts.indices.max(by: { facts[$0].rank < facts[$1].rank }),
      facts[last].rank > 0, room(Cells.width(of: name)) < 0
    {
      facts.remove(at: last)
    }
    let left = max(Cells.width(of: name) + min(room(Cells.width(of: name)), 0), 4)
    line.append(Cells.truncated(name, to: left), .bold)
    // The room of the numbers is kept as it may become, so that the bar keeps its length.
    let bar = min(width - line.width - widest - 37, 32)
    if widest > 0, bar >= 8 { append(bar: bar, of: item, to: &line) }
    for fact in facts { line.append("  " + fact.text, fact.ink) }
    return line
  }

  /// A bar of finished items, with the failed ones in red at its end.
  private func append(bar width: Int, of item: Item, to line: inout Line) {
    let share = { (count: Int) in Double(count) / Double(max(item.total ?? 1, 1)) }
    let halves = Int(min(max(share(item.finished), 0), 1) * Double(width * 2))
    let full = halves / 2
    let failed =
      item.failed == 0
      ? 0 : min(max(Int((share(item.failed) * Double(width)).rounded()), 1), max(full, 1))
    line.append("  " + String(repeating: "━", count: max(full - failed, 0)), .good)
    line.append(String(repeating: "━", count: failed), .bad)
    let drawn = max(full, failed)
    let half = halves % 2 == 1 && drawn == full
    if half { line.append("╸", failed > 0 ? .bad : .good) }
    line.append(String(repeating: "─", count: width - drawn - (half ? 1 : 0)), .dim)
  }

  private func marked(_ mark: String, _ ink: Line.Ink, _ step: String, _ facts: String) -> Line {
    var line = Line(mark + " ", ink)
    line.append(padded(step), .bold)
    line.append("  " + facts)
    return line
  }

  private func facts(of item: Item, at time: Duration) -> String {
    var facts: [String] = []
    if let total = item.total, item.finished < total {
      facts.append("\(item.finished.grouped) of \(total.counting("item"))")
    } else if item.total != nil || item.finished > 0 {
      facts.append(item.finished.counting("item"))
    }
    if item.failed > 0 { facts.append("\(item.failed.grouped) failed") }
    if item.recovered > 0 { facts.append("\(item.recovered.grouped) recovered") }
    if item.requests > 0 { facts.append(item.requests.counting("request")) }
    facts.append((time - item.started).text)
    return facts.joined(separator: " · ")
  }

  private func padded(_ name: String) -> String {
    let name = Cells.truncated(name, to: 24)
    return name + String(repeating: " ", count: max(nameWidth - Cells.width(of: name), 0))
  }

  private func spinner(at time: Duration) -> String {
    let frames = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"]
    return frames[max(Int(time.seconds * 10), 0) % frames.count]
  }

  private mutating func update(_ step: String, _ change: (inout Item) -> Void) {
    guard let index = positions[step] else { return }
    guard var item = places[index].take() else { return }
    change(&item)
    places[index] = item
  }

  /// - Complexity: O(1), amortised over the steps.
  private mutating func remove(_ step: String) -> Item? {
    guard let index = positions.removeValue(forKey: step) else { return nil }
    let item = places[index].take()
    if places.count > 64, places.count > 2 * positions.count {
      places.removeAll { $0 == nil }
      for (place, item) in places.enumerated() {
        if let item { positions[item.name] = place }
      }
    }
    return item
  }
}
