internal import PipelineKit
internal import SourceText

/// What a run looks like to the one who watches it: a value that is told what happens, and gives
/// lines.
///
/// Finished steps and failures are lines that stay; what runs is the live area below them. The
/// display knows no terminal and no clock: times are parameters, counted from the run's start.
struct Display: Sendable {
  enum Outcome: Sendable {
    case done
    /// Failed, and went on; with the reason.
    case recovered(String)
    case failed
    /// With the reason: "'user' failed".
    case skipped(String)
    case cancelled
  }

  /// How a run ended.
  enum Ending: Sendable {
    case succeeded, failed, interrupted
  }

  struct Item: Sendable {
    var name: String
    var started: Duration
    var total: Int?
    var finished = 0
    var failed = 0
    var requests = 0
    /// Why and when the last request is sent again.
    var retry: String?
    var meter = Meter()
  }

  /// The workflow's name.
  let title: String
  /// The steps that run, in the order in which they began; `nil`: one that has ended.
  private var places: [Item?] = []
  /// Where each running step stands in `places`.
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

  mutating func finishItem(of step: String, failed: Bool, at time: Duration) {
    update(step) { item in
      item.finished += 1
      if failed { item.failed += 1 }
      item.meter.note(item.finished, at: time)
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

  /// A step ends; gives the line that stays.
  mutating func finish(_ step: String, _ outcome: Outcome, at time: Duration) -> Line {
    waiting.remove(step)
    let item = remove(step) ?? Item(name: step, started: time)
    finished += 1
    switch outcome {
    case .done:
      return marked("✓", .good, step, facts(of: item, at: time))
    case .recovered(let reason):
      return marked("✓", .good, step, "recovered: " + reason)
    case .failed:
      failed += 1
      return marked("✗", .bad, step, facts(of: item, at: time))
    case .skipped(let reason):
      skipped += 1
      return marked("–", .dim, step, "skipped: " + reason)
    case .cancelled:
      cancelled += 1
      return marked("–", .dim, step, "cancelled")
    }
  }

  // MARK: What is seen

  /// The live area at `time`: at most `size.height` lines.
  func live(at time: Duration, size: TerminalSize) -> [Line] {
    let room = max(size.height - 1, 0)
    let running = positions.count
    let hidden = running > room ? running - max(room - 1, 0) : 0
    var lines: [Line] = []
    for item in places.lazy.compactMap(\.self).prefix(running - hidden) {
      lines.append(line(for: item, at: time, width: size.width))
    }
    if hidden > 0, room > 0 { lines.append(Line("  … \(hidden) more running", .dim)) }
    return Array(lines.prefix(room)) + [status(at: time)]
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
    var line = Line()
    switch ending {
    case .succeeded: line.append("✓ \(title)", .good)
    case .failed: line.append("✗ \(title) failed", .bad)
    case .interrupted: line.append("✗ \(title) interrupted", .bad)
    }
    line.append("  " + facts.joined(separator: " · "))
    return line
  }

  private func status(at time: Duration) -> Line {
    var facts = ["\(finished) of \(steps.count.counting("step"))", requests.counting("request")]
    facts.append(time < .seconds(1) ? "0 s" : time.text)
    if !waiting.isEmpty {
      let next = steps.lazy.filter { waiting.contains($0) }.prefix(Self.mostWaiting)
      let more = waiting.count > Self.mostWaiting ? ", …" : ""
      facts.append("waiting: " + next.joined(separator: ", ") + more)
    }
    return Line("  " + facts.joined(separator: " · "), .dim)
  }

  private func line(for item: Item, at time: Duration, width: Int) -> Line {
    var line = Line()
    line.append(spinner(at: time) + " ", .busy)
    line.append(padded(item.name), .bold)
    let elapsed = time - item.started
    guard let total = item.total, total > 0 else {
      line.append("  ")
      if item.finished > 0 { line.append(item.finished.counting("item") + "  ") }
      line.append(elapsed < .seconds(1) ? "" : elapsed.text, .dim)
      if let retry = item.retry { line.append("  " + retry, .dim) }
      return line
    }
    let count = "\(item.finished.grouped)/\(total.grouped)"
    let widest = total.grouped.count * 2 + 1
    var numbers = "  " + String(repeating: " ", count: max(widest - count.count, 0)) + count
    if let rate = item.meter.rate(of: item.finished, at: time) {
      numbers += "  " + (rate < 9.95 ? decimal(rate, digits: 1) : Int(rate).grouped) + "/s"
      if item.finished < total {
        numbers += "  \(Duration.seconds(Double(total - item.finished) / rate).clock) left"
      }
    }
    let failures = item.failed > 0 ? "  \(item.failed.grouped) failed" : ""
    // The numbers' room is kept as it may become, so that the bar keeps its length.
    let bar = min(width - line.width - widest - 38, 32)
    if bar >= 8 { append(bar: bar, done: Double(item.finished) / Double(total), to: &line) }
    line.append(numbers)
    line.append(failures, .bad)
    return line
  }

  private func append(bar width: Int, done: Double, to line: inout Line) {
    let halves = Int(min(max(done, 0), 1) * Double(width * 2))
    let full = halves / 2
    line.append("  " + String(repeating: "━", count: full), .good)
    if halves % 2 == 1 { line.append("╸", .good) }
    line.append(String(repeating: "─", count: width - full - halves % 2), .dim)
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
