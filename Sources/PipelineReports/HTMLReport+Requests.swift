internal import PipelineByteText

// The slowest requests of a run.
extension HTMLReport {
  mutating func requests() {
    guard !trace.requests.isEmpty else { return }
    let all = trace.requests
    let slow = all.sorted { $0.length > $1.length }.prefix(Most.requests)
      .sorted { ($0.sent, $0.end) < ($1.sent, $1.end) }
    let isWhole = slow.count >= trace.steps.reduce(0, { $0 + $1.requests })
    section(
      "requests", "Requests",
      isWhole ? "" : "The slowest \(slow.count.groupedText) of those that were sampled.")
    html += "<details>\n<summary>\(slow.count.countText("request"))</summary>\n"
    beginTable([
      .number("sent"), .text("step"), .text("request"), .number("status"), .number("waited"),
      .number("connecting"), .number("answer"), .number("receiving"), .number("size"),
    ])
    for request in slow { row(request) }
    endTable()
    html += "</details>\n</section>\n"
  }

  private mutating func row(_ request: RunTrace.Request) {
    let isBad = request.error != nil || (request.status ?? 0) >= 400
    let item = request.item.map { "[\($0)]" } ?? ""
    let place = request.placeText
    let attempt = place.isEmpty ? "" : " <small>\(Self.escaped(place))</small>"
    let status = request.cache ?? request.status.map(String.init) ?? "–"
    let waited = request.waits.reduce(0) { $0 + $1.time }
    html +=
      "<tr><td class=\"n\">\(request.sent.timeText)</td><td><code>"
      + Self.escaped(trace.steps[request.step].id + item) + "</code>\(attempt)</td><td><code>"
      + Self.escaped(request.method + " " + request.url.cut(to: Most.short)) + "</code>"
    if let error = request.error {
      html += "<small class=\"why\">\(Self.escaped(error.cut(to: Most.short)))</small>"
    }
    html += "</td><td class=\"n\(isBad ? " badtext" : "")\">\(Self.escaped(status))</td>"
    for time in [waited, request.connecting, request.server, request.receiving] {
      html += "<td class=\"n\">\(time == 0 ? "" : time.timeText)</td>"
    }
    html += "<td class=\"n\">\(request.bytes.bytesText)</td></tr>\n"
  }
}
