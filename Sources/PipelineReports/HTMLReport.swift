internal import PipelineByteText

/// A run as one page: without scripts, without a network, and below 1 MB whatever the run.
package struct HTMLReport {
  let trace: RunTrace
  var html = ""
  /// The title of the section that is written.
  var sectionTitle = ""
  /// How many parts of the section have been named.
  var regionCount = 0

  enum Most {
    static let rows = 200
    static let steps = 300
    static let segments = 600
    static let requests = 120
    static let waterfall = 60
    static let failures = 20
    static let parts = 60
    static let processes = 50
    static let gaps = 10
    static let graphSteps = 60
    /// Columns of all strips together.
    static let columns = 6_000
    /// Bytes of texts.
    static let message = 600
    static let body = 1_200
    static let short = 160
  }

  private init(_ trace: RunTrace) { self.trace = trace }

  package static func text(of trace: RunTrace) -> String {
    var report = HTMLReport(trace)
    report.write()
    return report.html
  }

  private mutating func write() {
    let title = Self.escaped("\(trace.workflow): \(trace.status)")
    html +=
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      + "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src"
      + " 'unsafe-inline'; base-uri 'none'; form-action 'none'\">\n"
      + "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      + "<meta name=\"color-scheme\" content=\"light dark\">\n"
      + "<title>\(title)</title>\n<style>\n\(Self.style)</style>\n</head>\n<body>\n"
    header()
    html += "<main>\n"
    failures()
    timeline()
    processes()
    timeUse()
    steps()
    graph()
    requests()
    notes()
    html +=
      "</main>\n<footer>Run <code>\(Self.escaped(trace.run))</code> of <code>"
      + Self.escaped(trace.file) + "</code> · quantiles are exact to 3 %</footer>\n"
      + "</body>\n</html>\n"
  }

  // MARK: Parts of the page

  private mutating func header() {
    let status = trace.status
    html +=
      "<header>\n<div class=\"head\">\n<div>\n<p class=\"over\">"
      + Self.escaped(trace.startedAt.dateTimeText.replacing(bytes: "T", with: " ")) + " UTC</p>\n"
      + "<h1>\(Self.escaped(trace.workflow))</h1>\n</div>\n"
      + "<p class=\"pill \(Self.className(status))\">\(Self.escaped(status))</p>\n</div>\n<dl>\n"
    let least = "at least \(trace.leastTime().timeText) with its limits"
    let processes = trace.processes.count
    fact(
      "Duration", trace.duration.timeText,
      processes > 1 ? "the sum of \(processes) processes · \(least)" : least)
    let steps = trace.counts
    let bad = steps.failed + steps.cancelled
    var parts = ["\(steps.succeeded) succeeded"]
    if steps.recovered > 0 { parts.append("\(steps.recovered) recovered") }
    if steps.skipped > 0 { parts.append("\(steps.skipped) skipped") }
    if bad > 0 { parts.append("\(bad) failed or cancelled") }
    fact(
      "Steps", trace.steps.count { $0.parent == nil }.groupedText, parts.joined(separator: " · "))
    var more = [steps.bytes.bytesText + " received"]
    more += steps.repeats.texts(retries: steps.retries)
    if steps.cached > 0 { more.append("\(steps.cached.groupedText) from the cache") }
    if steps.taken > 0 { more.append("\(steps.taken.groupedText) taken from the journal") }
    fact("Requests", steps.requests.groupedText, more.joined(separator: " · "))
    if steps.items > 0 {
      let perSecond = Double(steps.items) * 1_000_000 / Double(max(1, trace.duration))
      fact(
        "Items", steps.items.groupedText,
        "\(Int(min(perSecond, 1e15).rounded()).groupedText) per second")
    }
    html += "</dl>\n"
    if let reason = trace.problem {
      html += "<p class=\"callout bad\">\(Self.escaped(reason))</p>\n"
    }
    if let sentence = trace.processSentence {
      html += "<p class=\"callout\">\(Self.escaped(sentence))</p>\n"
    }
    if let headline = trace.headline {
      html += "<p class=\"callout\">\(Self.escaped(headline)).</p>\n"
    }
    html += "</header>\n"
  }

  private mutating func fact(_ name: String, _ value: String, _ more: String) {
    html +=
      "<div><dt>\(name)</dt><dd>\(Self.escaped(value))</dd><dd class=\"more\">"
      + Self.escaped(more) + "</dd></div>\n"
  }

  /// What each process did, if there are several.
  private mutating func processes() {
    guard trace.processes.count > 1 else { return }
    section("processes", "Processes", "What one had carried out, the next ones took over.")
    beginTable([
      .text("process"), .text("began"), .text("outcome"), .number("gap before"),
      .number("duration"), .number("requests"), .number("taken over"),
    ])
    let hidden = max(0, trace.processes.count - Most.processes)
    for (number, process) in trace.processes.enumerated().dropFirst(hidden) {
      let began = process.startedAt.dateTimeText.replacing(bytes: "T", with: " ")
      html +=
        "<tr><td>\(number + 1)</td><td class=\"time\">\(began) UTC</td>"
        + "<td><span class=\"tag \(Self.className(process.status))\">"
        + Self.escaped(process.status) + "</span></td>"
        + "<td class=\"n\">\(number == 0 ? "" : trace.gap(before: number).timeText)</td>"
        + "<td class=\"n\">\(process.duration.timeText)</td>"
        + "<td class=\"n\">\(process.requests.groupedText)</td>"
        + "<td class=\"n\">\(process.taken == 0 ? "" : process.taken.groupedText)</td></tr>\n"
    }
    endTable()
    if hidden > 0 {
      html += "<p class=\"lead\">\(hidden.groupedText) earlier ones not shown.</p>\n"
    }
    html += "</section>\n"
  }

  /// Where the time of the critical path went, and that of all requests.
  private mutating func timeUse() {
    let uses = trace.pathUses.filter { $0.time > 0 }
    guard !uses.isEmpty, trace.duration > 0 else { return }
    section(
      "time", "Where the time went",
      "The run waited for these, one after another, on its critical path. They add up to its"
        + " duration.")
    html += "<div class=\"stack\" aria-hidden=\"true\">"
    for use in uses where Double(use.time) / Double(trace.duration) > 0.002 {
      html +=
        "<span class=\"\(use.use.rawValue)\" style=\"flex-grow:\(use.time)\" title=\""
        + Self.escaped(use.use.title) + "\"></span>"
    }
    html += "</div>\n"
    beginTable([
      .text("what"), .text("server"), .number("critical path"), .number("share"),
      .number("all requests"),
    ])
    for use in uses.prefix(30) {
      let all = trace.uses.first {
        $0.use == use.use && ($0.origin ?? "").equals(bytes: use.origin ?? "")
      }
      let share = Int((Double(use.time) * 1000 / Double(trace.duration)).rounded())
      html +=
        "<tr><td><i class=\"key \(use.use.rawValue)\"></i>\(Self.escaped(use.use.title))</td><td>"
        + Self.escaped(use.origin ?? "") + "</td><td class=\"n\">\(use.time.timeText)</td>"
        + "<td class=\"n\">\(share / 10).\(share % 10) %</td>"
        + "<td class=\"n\">\(all.map { $0.time.timeText } ?? "")</td></tr>\n"
    }
    endTable()
    pathList()
    html += "</section>\n"
  }

  private mutating func pathList() {
    let parts = trace.path.filter { ($0.end - $0.start) * 1000 > trace.duration }
    guard parts.count > 1 else { return }
    html += "<details>\n<summary>The critical path, step by step</summary>\n"
    beginTable([.number("from"), .number("to"), .text("step"), .text("what")])
    for part in parts.prefix(Most.parts) {
      let step = part.step.map { trace.steps[$0].id } ?? "several steps"
      let item = part.item.map { "[\($0)]" } ?? ""
      let links = part.links > 1 ? " · \(part.links.groupedText) one after another" : ""
      let uses = part.uses.filter { $0.time * 20 > part.end - part.start }
        .sorted { $0.time > $1.time }.map { "\($0.use.title) \($0.time.timeText)" }
      html +=
        "<tr><td class=\"n\">\(part.start.timeText)</td><td class=\"n\">\(part.end.timeText)</td>"
        + "<td><code>\(Self.escaped(step + item))</code>\(links)</td>"
        + "<td>\(Self.escaped(uses.joined(separator: ", ")))</td></tr>\n"
    }
    endTable()
    if parts.count > Most.parts {
      html += "<p class=\"lead\">\((parts.count - Most.parts).countText("more part")).</p>\n"
    }
    html += "</details>\n"
  }

  private mutating func steps() {
    guard !trace.steps.isEmpty else { return }
    section("steps", "Steps")
    beginTable([
      .text("step"), .text("outcome"), .number("time"), .number("requests"), .number("items"),
      .number("p50"), .number("p95"), .number("p99"), .number("max"), .text("latency"),
    ])
    for (number, step) in trace.steps.prefix(Most.steps).enumerated() { row(step, number) }
    endTable()
    if trace.steps.count > Most.steps {
      let left = (trace.steps.count - Most.steps).countText("more step")
      html += "<p class=\"lead\">\(left) not shown.</p>\n"
    }
    html += "</section>\n"
  }

  private mutating func row(_ step: RunTrace.Step, _ number: Int) {
    let outcome = Self.className(step.outcome.rawValue)
    let word = step.outcome == .none ? "not begun" : step.outcome.rawValue
    let title =
      step.outcome == .succeeded
      ? "" : step.reason.map { Self.escaped($0.cut(to: Most.short)) } ?? ""
    let requests =
      step.requests == 0
      ? ""
      : step.requests.groupedText
        + step.repeats.texts(retries: step.retries).map { " <small>\($0)</small>" }.joined()
    let items = step.items.map { count in
      count.groupedText
        + (step.failedItems > 0
          ? " <small class=\"badtext\">\(step.failedItems.groupedText) failed</small>" : "")
    }
    html +=
      "<tr id=\"s\(number)\"><td><code class=\"in\(min(depth(of: number), 5))\">"
      + Self.escaped(name(of: step))
      + "</code></td><td><span class=\"tag \(outcome)\">\(word)</span>"
    if !title.isEmpty { html += "<small class=\"why\">\(title)</small>" }
    html +=
      "</td><td class=\"n\">\(step.start == nil ? "" : step.time.timeText)</td>"
      + "<td class=\"n\">\(requests)</td><td class=\"n\">\(items ?? "")</td>"
    guard step.latency.count > 0 else {
      html += "<td></td><td></td><td></td><td></td><td></td></tr>\n"
      return
    }
    for share in [0.5, 0.95, 0.99, 1] {
      html += "<td class=\"n\">\(step.latency.quantile(share).timeText)</td>"
    }
    html += "<td>\(Self.histogram(step.latency))</td></tr>\n"
  }

  /// The last part of a step's name. Its place shows the rest.
  func name(of step: RunTrace.Step) -> String {
    guard step.parent != nil, let dot = step.id.lastIndex(ascii: ".") else { return step.id }
    return String(step.id[step.id.index(after: dot)...])
  }

  func depth(of number: Int) -> Int {
    var depth = 0
    var step = trace.steps[number].parent
    while let next = step, depth < 16 {
      depth += 1
      step = trace.steps[next].parent
    }
    return depth
  }

  /// The times of a step's requests, the short ones left, on a scale of powers of two.
  private static func histogram(_ latency: Histogram) -> String {
    let columns = 24
    let first = latency.buckets.first ?? 0
    let last = max(first + 1, (latency.buckets.last ?? 0) + 1)
    var heights = [Int](repeating: 0, count: columns)
    for (bucket, count) in zip(latency.buckets, latency.counts) {
      heights[min(columns - 1, (bucket - first) * columns / (last - first))] += count
    }
    let most = max(1, heights.max() ?? 1)
    var path = ""
    for (column, height) in heights.enumerated() where height > 0 {
      let size = max(1, height * 18 / most)
      path += "M\(column * 4) 20v-\(size)h3v\(size)z"
    }
    return
      "<svg class=\"hist\" viewBox=\"0 0 96 20\" width=\"96\" height=\"20\" aria-hidden=\"true\">"
      + "<path d=\"\(path)\"/></svg>"
  }

  private mutating func notes() {
    guard !trace.notes.isEmpty else { return }
    section("notes", "Notes")
    html += "<ul>\n"
    for note in trace.notes {
      html += "<li><small>\(note.time.timeText)</small> "
      if let step = note.step { html += "<code>\(Self.escaped(step))</code> " }
      html += Self.escaped(note.message.cut(to: Most.message)) + "</li>\n"
    }
    html += "</ul>\n</section>\n"
  }

  // MARK: Text

  static func className(_ outcome: String) -> String {
    switch outcome {
    case "succeeded": "ok"
    case "failed": "bad"
    case "recovered", "unfinished", "running", "waiting": "warn"
    default: "idle"
    }
  }

  /// Text that nothing in it can end: no markup, no control character, no change of direction.
  static func escaped(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0x26: result.append(contentsOf: "&amp;".unicodeScalars)
      case 0x3C: result.append(contentsOf: "&lt;".unicodeScalars)
      case 0x3E: result.append(contentsOf: "&gt;".unicodeScalars)
      case 0x22: result.append(contentsOf: "&quot;".unicodeScalars)
      case 0x27: result.append(contentsOf: "&#39;".unicodeScalars)
      case 0x60: result.append(contentsOf: "&#96;".unicodeScalars)
      case 0x0A, 0x09: result.append(scalar)
      case 0..<0x20: result.append(Unicode.Scalar(0x2400 + scalar.value) ?? "\u{FFFD}")
      case 0x7F...0x9F, 0x202A...0x202E, 0x2066...0x2069, 0x200E, 0x200F, 0x2028, 0x2029:
        result.append("\u{FFFD}")
      default: result.append(scalar.value & 0xFFFE == 0xFFFE ? "\u{FFFD}" : scalar)
      }
    }
    return String(result)
  }
}
