internal import PipelineByteText

// The failures of a run, those alike together.
extension HTMLReport {
  mutating func failures() {
    let failures = trace.failures.filter { !$0.isRecovered }
    guard !failures.isEmpty else { return }
    let count = max(trace.failureCount, failures.count)
    section("failures", count == 1 ? "1 failure" : "\(count.groupedText) failures")
    let groups = trace.failureGroups
    for (number, group) in groups.prefix(Most.failures).enumerated() {
      failure(group[0], others: Array(group.dropFirst()), isOpen: number < 5)
    }
    let left = count - groups.prefix(Most.failures).reduce(0) { $0 + $1.count }
    if left > 0 {
      html += "<p class=\"lead\">\(left.countText("more failure")) not shown.</p>\n"
    }
    html += "</section>\n"
  }

  private mutating func failure(
    _ failed: RunTrace.Failed, others: [RunTrace.Failed], isOpen: Bool
  ) {
    let item = failed.positions.isEmpty ? "" : "[\(failed.positions)]"
    html +=
      "<article class=\"failure\">\n<h3><code>\(Self.escaped(failed.step + item))</code>"
      + " <span class=\"tag bad\">\(Self.escaped(failed.kind))</span></h3>\n"
      + "<p>\(Self.escaped(failed.message.cut(to: Most.message)))</p>\n<dl class=\"pairs\">\n"
    if let file = failed.file, let line = failed.line {
      pair("file", "\(file):\(line):\(failed.column ?? 1)")
    }
    if let method = failed.method, let url = failed.url {
      let tries = (failed.attempts ?? 1) > 1 ? " (\(failed.attempts ?? 1) attempts)" : ""
      pair("request", "\(method) \(url.cut(to: Most.message))\(tries)")
    }
    if let status = failed.status { pair("status", String(status)) }
    if !others.isEmpty {
      let items = others.prefix(12).map(\.positions).joined(separator: "; ")
      let more = others.count > 12 ? "; and \((others.count - 12).groupedText) more" : ""
      pair("also in", items + more)
    }
    if let time = failed.time { pair("after", time.timeText) }
    if let details = failed.details { pair("details", details.cut(to: Most.message)) }
    html += "</dl>\n"
    if let body = failed.body, !body.isEmpty {
      html +=
        "<details\(isOpen ? " open" : "")>\n<summary>Answer</summary>\n<pre tabindex=\"0\">"
        + Self.escaped(body.cut(to: Most.body)) + "</pre>\n</details>\n"
    }
    html += "</article>\n"
  }

  private mutating func pair(_ name: String, _ value: String) {
    html += "<div><dt>\(name)</dt><dd><code>\(Self.escaped(value))</code></dd></div>\n"
  }
}
