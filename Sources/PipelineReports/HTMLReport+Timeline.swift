internal import PipelineByteText

// The timeline: a row for each step, and for each request of a small run.
extension HTMLReport {
  mutating func timeline() {
    let shown = trace.steps.indices.filter { trace.steps[$0].start != nil }
    guard !shown.isEmpty, trace.duration > 0 else { return }
    section(
      "timeline", "Timeline",
      "The outlined parts are the critical path: what the run waited for, from its start to its"
        + " end."
        + (trace.processes.count > 1
          ? " A dashed line is a gap, in which no process carried the run out." : ""))
    html +=
      "<div class=\"timeline\">\n<div class=\"row axis\" aria-hidden=\"true\"><div></div>"
      + "<div class=\"track\">"
    for tick in 0...4 {
      html +=
        "<span class=\"tick t\(tick)\" style=\"left:\(tick * 25)%\">"
        + (trace.duration * tick / 4).timeText + "</span>"
    }
    html += "</div><div></div></div>\n"
    gapAxis()
    var parts: [Int: [RunTrace.PathPart]] = [:]
    for part in trace.path.prefix(Most.segments) {
      if let step = part.step { parts[step, default: []].append(part) }
    }
    let isSmall = trace.requests.count <= Most.waterfall
    for number in shown.prefix(Most.rows) {
      row(number, parts[number] ?? [])
      guard isSmall else { continue }
      for request in trace.requests where request.step == number { waterfall(request) }
    }
    html += "</div>\n"
    if shown.count > Most.rows {
      html +=
        "<p class=\"lead\">\((shown.count - Most.rows).countText("more step")) not shown.</p>\n"
    }
    legend()
    html += "</section>\n"
  }

  private mutating func row(_ number: Int, _ parts: [RunTrace.PathPart]) {
    let step = trace.steps[number]
    let start = step.start ?? 0
    let end = max(step.end ?? trace.duration, start)
    let outcome = Self.className(step.outcome.rawValue)
    var more = ""
    if let items = step.itemsText { more = items }
    if step.parent != nil, step.began > 1 { more = step.began.groupedText + " times" }
    let text = "\(step.id): \(step.outcome.rawValue), \(start.timeText) – \(end.timeText)"
    html +=
      "<div class=\"row\"><div class=\"name in\(min(depth(of: number), 5))\">"
      + "<i class=\"dot \(outcome)\"></i>"
      + "<a href=\"#s\(number)\">\(Self.escaped(name(of: step)))</a> <small>\(more)</small></div>"
      + "<div class=\"track\" role=\"img\" aria-label=\"\(Self.escaped(text))\">"
    html +=
      "<span class=\"bar \(step.density == nil ? outcome : "strip")\""
      + " style=\"\(place(start, end))\" title=\"\(Self.escaped(text))\">"
    if let density = step.density { html += strip(density, start, end) }
    html += "</span>"
    for part in joined(parts) {
      html += "<span class=\"crit\" style=\"\(place(part.lowerBound, part.upperBound))\"></span>"
    }
    html += gapLines
    html += "</div><div class=\"n\">\((end - start).timeText)</div></div>\n"
  }

  /// The gaps between processes, and how long they were.
  private mutating func gapAxis() {
    guard !gaps.isEmpty else { return }
    html += "<div class=\"row axis\"><div class=\"name\">gaps</div><div class=\"track\">"
    for process in gaps {
      let start = trace.processes[process].start
      let half = start * 2 > trace.duration ? "t4" : "t0"
      html +=
        "<span class=\"tick \(half)\" style=\"\(place(start))\">"
        + "\(trace.gap(before: process).timeText)</span>"
    }
    html += "</div><div></div></div>\n"
  }

  /// The processes that a gap lies before. Of very many only the last are drawn.
  private var gaps: [Int] { Array(trace.processes.indices.dropFirst().suffix(Most.gaps)) }

  private var gapLines: String {
    gaps.map { process in
      let title = "gap of \(trace.gap(before: process).timeText)"
      return "<span class=\"gap\" style=\"\(place(trace.processes[process].start))\""
        + " title=\"\(title)\"></span>"
    }.joined()
  }

  /// Parts of the critical path that are closer than can be seen are drawn as one.
  private func joined(_ parts: [RunTrace.PathPart]) -> [Range<Int>] {
    var joined: [Range<Int>] = []
    for part in parts {
      if let last = joined.last, part.start - last.upperBound <= trace.duration / 500 {
        joined[joined.count - 1] = last.lowerBound..<max(last.upperBound, part.end)
      } else {
        joined.append(part.start..<max(part.start, part.end))
      }
    }
    return joined
  }

  /// The items of a collection by when they ended.
  private func strip(_ density: Density, _ start: Int, _ end: Int) -> String {
    let first = start / density.width
    let last = max(first + 1, end / density.width + 1)
    let rows = min(Most.rows, trace.steps.count)
    let group = max(1, (last - first) * rows / Most.columns)
    let columns = stride(from: first, to: last, by: group).map { start -> (good: Int, bad: Int) in
      let range = min(start, density.good.count)..<min(start + group, density.good.count)
      return (density.good[range].reduce(0, +), density.bad[range].reduce(0, +))
    }
    let most = max(1, columns.map { $0.good + $0.bad }.max() ?? 1)
    var (good, bad) = ("", "")
    for (x, column) in columns.enumerated() {
      let sum = column.good + column.bad
      guard sum > 0 else { continue }
      let height = max(8, sum * 100 / most)
      let badHeight = column.bad == 0 ? 0 : max(8, height * column.bad / sum)
      if height > badHeight { good += "M\(x) 100v-\(height)h1v\(height)z" }
      if badHeight > 0 { bad += "M\(x) 100v-\(badHeight)h1v\(badHeight)z" }
    }
    return
      "<svg viewBox=\"0 0 \(max(1, columns.count)) 100\" preserveAspectRatio=\"none\""
      + " aria-hidden=\"true\">"
      + "<path class=\"good\" d=\"\(good)\"/><path class=\"badfill\" d=\"\(bad)\"/></svg>"
  }

  private mutating func waterfall(_ request: RunTrace.Request) {
    let isBad = request.error != nil || (request.status ?? 0) >= 400
    let status = request.cache ?? request.status.map(String.init) ?? "failed"
    let target = Self.target(of: request.url)
    let waited = request.waits.reduce(0) { $0 + $1.time }
    var time = request.sent - waited
    let text = "\(request.method) \(target): \(status)"
    html +=
      "<div class=\"row req\"><div class=\"name in\(min(depth(of: request.step) + 1, 5))\">"
      + "<span class=\"\(isBad ? "badtext" : "")\">\(Self.escaped(status))</span> "
      + "<code>\(Self.escaped((request.method + " " + target).cut(to: 60)))</code></div>"
      + "<div class=\"track\" role=\"img\" aria-label=\"\(Self.escaped(text))\">"
    var pieces: [(use: TimeUse, length: Int)] = request.waits.map { ($0.use, $0.time) }
    pieces.append((.connecting, request.connecting))
    pieces.append((.server, request.server))
    pieces.append((.receiving, request.receiving))
    for (use, length) in pieces where length > 0 {
      html +=
        "<span class=\"seg \(use.rawValue)\" style=\"\(place(time, time + length))\" title=\""
        + "\(Self.escaped(use.title)): \(length.timeText)\"></span>"
      time += length
    }
    html += gapLines
    html += "</div><div class=\"n\">\(request.length.timeText)</div></div>\n"
  }

  private mutating func legend() {
    let uses = TimeUse.allCases.filter { use in
      use != .engine && trace.uses.contains { $0.use == use && $0.time > 0 }
    }
    guard !uses.isEmpty, trace.requests.count <= Most.waterfall else { return }
    html += "<ul class=\"legend\">"
    for use in uses {
      html += "<li><i class=\"key \(use.rawValue)\"></i>\(Self.escaped(use.title))</li>"
    }
    html += "</ul>\n"
  }

  /// A URL without its server.
  private static func target(of url: String) -> String {
    guard let mark = url.firstRange(bytes: "://") else { return url }
    return url[mark.upperBound...].firstIndex(ascii: "/").map { String(url[$0...]) } ?? "/"
  }

  /// The place of a stretch of time, in hundredths of a percent of the run's.
  private func place(_ start: Int, _ end: Int) -> String {
    "\(place(start));width:\(percent(end - start))%"
  }

  private func place(_ time: Int) -> String { "left:\(percent(time))%" }

  /// A time in hundredths of a percent of the run's.
  private func percent(_ time: Int) -> String {
    let value = min(
      max(0, Int((Double(time) * 10_000 / Double(trace.duration)).rounded())), 10_000)
    let rest = value % 100
    return "\(value / 100)" + (rest == 0 ? "" : rest < 10 ? ".0\(rest)" : ".\(rest)")
  }
}
