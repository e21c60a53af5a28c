internal import PipelineJSONText

// A trace as JSON text. Each process of a run writes it several times, also the shortest, so it is
// written member by member: a `JSONEncoder` takes twenty times as long.

extension RunTrace {
  /// The trace as JSON, in one line.
  package func json() -> [UInt8] {
    var writer = JSONWriter(style: .compact, capacity: 1 << 12)
    writer.object { writer in
      writer.member("run", run)
      writer.member("workflow", workflow)
      writer.member("file", file)
      writer.member("startedAt", startedAt)
      writer.member("status", status)
      writer.member("duration", duration)
      writer.member("stopReason", stopReason)
      writer.list("processes", processes) { $0.write(to: &$1) }
      writer.object("counts") { counts.write(to: &$0) }
      writer.object("limits") { limits.write(to: &$0) }
      writer.list("steps", steps) { $0.write(to: &$1) }
      writer.list("path", path) { $0.write(to: &$1) }
      writer.member("uses", uses)
      writer.list("failures", failures) { $0.write(to: &$1) }
      writer.member("failureCount", failureCount)
      writer.list("notes", notes) { $0.write(to: &$1) }
      writer.list("requests", requests) { $0.write(to: &$1) }
      writer.object("density") { density.write(to: &$0) }
      writer.object("least") { least.write(to: &$0) }
      writer.member("rowStep", rowStep)
      if let rows { writer.list("rows", rows) { $0.write(to: &$1) } }
    }
    return writer.bytes
  }
}

extension RunTrace.Row {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.member("item", item)
    writer.member("outcome", outcome.rawValue)
    writer.member("time", time)
    guard let failure else { return }
    writer.object("failure") { writer in
      writer.member("kind", failure.kind)
      writer.member("message", failure.message)
    }
  }
}

extension RunTrace.Process {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.member("start", start)
    writer.member("duration", duration)
    writer.member("startedAt", startedAt)
    writer.member("status", status)
    writer.member("requests", requests)
    writer.member("taken", taken)
  }
}

extension RunTrace.Counts {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.member("succeeded", succeeded)
    writer.member("recovered", recovered)
    writer.member("skipped", skipped)
    writer.member("failed", failed)
    writer.member("cancelled", cancelled)
    writer.member("requests", requests)
    writer.member("items", items)
    writer.member("bytes", bytes)
    writer.member("cached", cached)
    writer.member("validated", validated)
    writer.member("taken", taken)
    writer.member("retries", retries)
    if let repeats { writer.object("repeats") { repeats.write(to: &$0) } }
  }
}

extension RunTrace.Limits {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.member("concurrency", concurrency)
    writer.member("perOrigin", perOrigin)
    for (name, rate) in [("rate", rate), ("ratePerOrigin", ratePerOrigin)] {
      guard let rate else { continue }
      writer.object(name) { writer in
        writer.member("count", rate.count)
        writer.member("per", rate.per)
      }
    }
  }
}

extension RunTrace.Step {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.member("id", id)
    writer.member("action", action)
    writer.member("parent", parent)
    writer.member("isCollection", isCollection)
    writer.member("concurrency", concurrency)
    writer.member("isFinally", isFinally)
    if hasRounds == true { writer.member("hasRounds", true) }
    writer.list("after") { writer in
      for id in after { writer.string(id) }
    }
    writer.member("file", file)
    writer.member("line", line)
    writer.member("began", began)
    writer.object("outcomes") { outcomes.write(to: &$0) }
    writer.member("reason", reason)
    writer.member("recoveredBy", recoveredBy)
    writer.member("failure", failure)
    writer.member("start", start)
    writer.member("end", end)
    writer.member("time", time)
    writer.member("items", items)
    writer.member("failedItems", failedItems)
    writer.member("requests", requests)
    writer.member("retries", retries)
    if let repeats { writer.object("repeats") { repeats.write(to: &$0) } }
    writer.member("bytes", bytes)
    writer.object("latency") { latency.write(to: &$0) }
    writer.member("uses", uses)
    if let density { writer.object("density") { density.write(to: &$0) } }
    writer.member("isTaken", isTaken)
  }
}

extension RunTrace.Outcomes {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.member("succeeded", succeeded)
    writer.member("recovered", recovered)
    writer.member("skipped", skipped)
    writer.member("failed", failed)
    writer.member("cancelled", cancelled)
    writer.member("unfinished", unfinished)
  }
}

extension RunTrace.PathPart {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.member("step", step)
    writer.member("item", item)
    writer.member("start", start)
    writer.member("end", end)
    writer.member("links", links)
    writer.member("uses", uses)
  }
}

extension RunTrace.Request {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.member("step", step)
    writer.member("path", path)
    writer.member("item", item)
    writer.member("attempt", attempt)
    writer.member("method", method)
    writer.member("url", url)
    writer.member("status", status)
    writer.member("error", error)
    writer.member("bytes", bytes)
    writer.member("sent", sent)
    writer.member("end", end)
    writer.member("waits", waits)
    writer.member("connecting", connecting)
    writer.member("server", server)
    writer.member("receiving", receiving)
    writer.member("isReused", isReused)
    writer.member("isRetried", isRetried)
    writer.member("cache", cache)
    writer.member("cause", cause)
    writer.member("page", page)
    writer.member("poll", poll)
    if let isForToken { writer.member("isForToken", isForToken) }
  }
}

extension RunTrace.Failed {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.member("step", step)
    writer.member("path", path)
    writer.member("item", item)
    writer.member("kind", kind)
    writer.member("message", message)
    writer.member("method", method)
    writer.member("url", url)
    writer.member("attempts", attempts)
    writer.member("status", status)
    writer.member("body", body)
    writer.member("details", details)
    writer.member("file", file)
    writer.member("line", line)
    writer.member("column", column)
    writer.member("time", time)
    writer.member("isRecovered", isRecovered)
  }
}

extension RunTrace.Note {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.member("time", time)
    writer.member("step", step)
    writer.member("message", message)
  }
}

extension RunTrace.Least {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.member("path", path)
    writer.member("work", work)
    writer.member("requests", requests)
    writer.member("originRequests", originRequests)
    guard let limited else { return }
    writer.object("limited") { writer in
      writer.member("path", limited.path)
      writer.member("doubledRun", limited.doubledRun)
      writer.list("doubledSteps", limited.doubledSteps) { doubled, writer in
        writer.member("step", doubled.step)
        writer.member("path", doubled.path)
      }
      writer.member("originWork", limited.originWork)
      writer.member("shortest", limited.shortest)
    }
  }
}

extension Histogram {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.member("count", count)
    writer.member("max", max)
    writer.member("sum", sum)
    writer.member("buckets", buckets)
    writer.member("counts", counts)
  }
}

extension Density {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.member("width", width)
    writer.member("good", good)
    writer.member("bad", bad)
  }
}

extension JSONWriter {
  /// A member that is left out if there is no value.
  fileprivate mutating func member(_ name: String, _ value: Int?) {
    if let value { member(name, value) }
  }

  fileprivate mutating func member(_ name: String, _ value: String?) {
    if let value { member(name, value) }
  }

  fileprivate mutating func member(_ name: String, _ value: Double) {
    self.name(name)
    number("\(value)")
  }

  fileprivate mutating func member(_ name: String, _ values: [Int]) {
    list(name) { writer in
      for value in values { writer.integer(value) }
    }
  }

  fileprivate mutating func member(_ name: String, _ uses: [RunTrace.Use]) {
    list(name, uses) { use, writer in
      writer.member("use", use.use.rawValue)
      writer.member("origin", use.origin)
      writer.member("time", use.time)
    }
  }

  /// A member that is a list of objects.
  fileprivate mutating func list<Element>(
    _ name: String, _ elements: [Element], _ members: (Element, inout JSONWriter) -> Void
  ) {
    list(name) { writer in
      for element in elements { writer.object { members(element, &$0) } }
    }
  }
}
