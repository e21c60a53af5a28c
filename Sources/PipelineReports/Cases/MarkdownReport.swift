internal import PipelineByteText

/// A run as GitHub's Markdown: for the summary of a job, a merge request or a chat.
package enum MarkdownReport {
  private static let mostSteps = 100
  private static let mostFailures = 10
  private static let mostBars = 40

  package static func text(of trace: RunTrace) -> String {
    var lines = ["## \(sign(trace.status)) \(escaped(trace.workflow)): \(trace.status)", ""]
    lines.append(summary(of: trace))
    if let reason = trace.problem { lines += ["", escaped(reason)] }
    if let headline = trace.headline { lines += ["", escaped(headline) + "."] }
    lines += processes(of: trace)
    lines += ["", "| step | outcome | time | requests | items | p50 | p95 |"]
    lines.append("|---|---|--:|--:|--:|--:|--:|")
    lines += trace.steps.prefix(mostSteps).map(row)
    if trace.steps.count > mostSteps {
      lines += ["", "\((trace.steps.count - mostSteps).countText("more step"))."]
    }
    lines += failures(of: trace) + notes(of: trace) + timeline(of: trace)
    return lines.joined(separator: "\n") + "\n"
  }

  private static func summary(of trace: RunTrace) -> String {
    var parts = [trace.duration.timeText, trace.counts.requests.countText("request")]
    if trace.counts.items > 0 { parts.append(trace.counts.items.countText("item")) }
    parts += trace.counts.repeats.texts(retries: trace.counts.retries)
    if trace.counts.cached > 0 { parts.append("\(trace.counts.cached.groupedText) cached") }
    if trace.counts.taken > 0 { parts.append("\(trace.counts.taken.groupedText) taken") }
    parts.append(trace.counts.bytes.bytesText)
    parts.append("run `\(trace.run.cut(to: 40))`")
    return parts.joined(separator: " · ")
  }

  /// What each process did, if there are several.
  private static func processes(of trace: RunTrace) -> [String] {
    guard let sentence = trace.processSentence else { return [] }
    var lines = ["", sentence, ""]
    lines.append("| process | began | gap before | duration | requests | outcome |")
    lines.append("|--:|---|--:|--:|--:|---|")
    for (number, process) in trace.processes.enumerated() {
      let cells = [
        String(number + 1),
        escaped(process.startedAt.dateTimeText.replacing(bytes: "T", with: " ")) + " UTC",
        number == 0 ? "" : trace.gap(before: number).timeText, process.duration.timeText,
        process.requests.groupedText, "\(sign(process.status)) \(process.status)",
      ]
      lines.append("| " + cells.joined(separator: " | ") + " |")
    }
    return lines
  }

  private static func row(_ step: RunTrace.Step) -> String {
    let items = step.items.map { count in
      step.failedItems > 0
        ? "\(count.groupedText), \(step.failedItems.groupedText) failed" : count.groupedText
    }
    let hasLatency = step.latency.count > 0
    let cells = [
      escaped(step.id),
      "\(sign(step.outcome.rawValue)) "
        + (step.outcome == .none ? "not begun" : step.outcome.rawValue),
      step.start == nil ? "" : step.time.timeText,
      step.requests == 0 ? "" : step.requests.groupedText, items ?? "",
      hasLatency ? step.latency.quantile(0.5).timeText : "",
      hasLatency ? step.latency.quantile(0.95).timeText : "",
    ]
    return "| " + cells.joined(separator: " | ") + " |"
  }

  private static func failures(of trace: RunTrace) -> [String] {
    let groups = trace.failureGroups
    guard !groups.isEmpty else { return [] }
    var lines = ["", "### Failures", ""]
    for group in groups.prefix(mostFailures) {
      let failed = group[0]
      let item = failed.positions.isEmpty ? "" : ", item \(failed.positions)"
      let others = group.count > 1 ? ", and \((group.count - 1).countText("more item"))" : ""
      lines.append(
        "- **\(escaped(failed.step))**\(item)\(others): \(escaped(failed.message))")
      if let file = failed.file, let line = failed.line {
        lines.append("  <br>`\(code(file)):\(line)`")
      }
      if let method = failed.method, let url = failed.url {
        lines.append("  <br>`\(code(method + " " + url))`")
      }
      if let body = failed.body, !body.isEmpty {
        lines.append("  <br>answer: `\(code(body.cut(to: 300)))`")
      }
    }
    let shown = groups.prefix(mostFailures).reduce(0) { $0 + $1.count }
    let more = max(trace.failureCount, groups.reduce(0) { $0 + $1.count }) - shown
    if more > 0 { lines += ["", "\(more.countText("more failure"))."] }
    return lines
  }

  private static func notes(of trace: RunTrace) -> [String] {
    guard !trace.notes.isEmpty else { return [] }
    let shown = trace.notes.prefix(mostNotes).map { note in
      "- " + (note.step.map { "**\(escaped($0))**: " } ?? "") + escaped(note.message)
    }
    let more = trace.notes.count - shown.count
    return ["", "### Notes", ""] + shown
      + (more > 0 ? ["", "\(more.countText("more note"))."] : [])
  }

  private static let mostNotes = 20

  /// A Gantt chart of Mermaid, which GitHub and GitLab draw.
  private static func timeline(of trace: RunTrace) -> [String] {
    let steps = trace.steps.filter { $0.start != nil }
    guard !steps.isEmpty, trace.duration > 0 else { return [] }
    let onPath = Set(trace.path.compactMap(\.step))
    var lines = [
      "", "### Timeline", "", "```mermaid", "gantt", "    dateFormat x",
      "    axisFormat \(trace.duration < 60_000_000 ? "%S.%L s" : "%H:%M:%S")",
    ]
    for (number, step) in trace.steps.enumerated() {
      guard let start = step.start, lines.count < mostBars + 7 else { continue }
      let end = max((step.end ?? trace.duration) / 1_000, start / 1_000 + 1)
      let tags =
        switch step.outcome {
        case .failed: "crit, "
        case .skipped, .none, .cancelled: "done, "
        default: onPath.contains(number) ? "active, " : ""
        }
      lines.append("    \(plain(step.id)) :\(tags)\(start / 1_000), \(end)")
    }
    for process in trace.processes.indices.dropFirst() {
      let start = trace.processes[process].start / 1_000
      lines.append(
        "    gap of \(plain(trace.gap(before: process).timeText)) :milestone, \(start), \(start)")
    }
    lines += ["```", "", "Steps on the critical path are highlighted."]
    return lines
  }

  private static func sign(_ outcome: String) -> String {
    switch outcome {
    case "succeeded": "✅"
    case "recovered": "☑️"
    case "failed": "❌"
    case "skipped": "⏭️"
    case "cancelled": "⏹️"
    case "unfinished", "waiting": "⏸️"
    case "running": "▶️"
    default: "▫️"
    }
  }

  /// Text that nothing in it formats, links or mentions.
  static func escaped(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\", "`", "*", "_", "{", "}", "[", "]", "(", ")", "#", "|", "~", "!", "$", ">":
        result.append(contentsOf: ["\\", scalar])
      case "<": result.append(contentsOf: "&lt;".unicodeScalars)
      case "&": result.append(contentsOf: "&amp;".unicodeScalars)
      // A mention would notify a person, and an address would be linked.
      case "@": result.append(contentsOf: "&#64;".unicodeScalars)
      case ":": result.append(contentsOf: "&#58;".unicodeScalars)
      case _ where scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value):
        result.append(" ")
      default: result.append(scalar)
      }
    }
    return String(result)
  }

  /// Text between backquotes.
  static func code(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar {
      case "`": result.append("'")
      case "|": result.append("¦")
      case _ where scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value):
        result.append(" ")
      default: result.append(scalar)
      }
    }
    return String(result)
  }

  /// A name in a diagram.
  private static func plain(_ text: String) -> String {
    let bytes = text.utf8.map { byte in
      UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte
        || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || byte == UInt8(ascii: ".")
        || byte == UInt8(ascii: "-") || byte >= 0x80 ? byte : UInt8(ascii: "_")
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
