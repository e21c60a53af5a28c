internal import PipelineByteText
public import PipelineJSONText
internal import PipelineSourceText

extension RunEvent {
  /// Writes the event as one JSON object: what a line of an events file holds.
  ///
  /// Times are seconds. docs/cli.md describes the members. New ones may be added, but none will
  /// change its meaning.
  ///
  /// - Parameter writer: A writer that expects a value.
  public func write(to writer: inout JSONWriter) { write(to: &writer, mostFailures: .max) }

  /// Writes the event, and of the failures that the run as a whole has, only the first.
  package func write(to writer: inout JSONWriter, mostFailures: Int) {
    writer.beginObject()
    writer.name("event")
    writer.string(kind.name)
    writer.name("time")
    writer.number(time.jsonSeconds)
    kind.writeMembers(to: &writer, mostFailures)
    writer.endObject()
  }
}

extension RunEvent.Kind {
  fileprivate var name: String {
    switch self {
    case .runStarted: "runStarted"
    case .stepStarted: "stepStarted"
    case .itemStarted: "itemStarted"
    case .requestFinished: "requestFinished"
    case .eventReceived: "eventReceived"
    case .itemFinished: "itemFinished"
    case .stepFinished: "stepFinished"
    case .note: "note"
    case .said: "said"
    case .asked: "asked"
    case .runFinished: "runFinished"
    }
  }

  fileprivate func writeMembers(to writer: inout JSONWriter, _ mostFailures: Int) {
    switch self {
    case .runStarted(let run): run.writeMembers(to: &writer)
    case .stepStarted(let step):
      writer.member("step", step.step)
      writer.member("path", step.path)
      writer.member("items", step.items)
      writer.member("concurrency", step.concurrency)
      if step.isSequential { writer.member("sequential", true) }
      writer.member("releasedBy", step.releasedBy)
    case .itemStarted(let item):
      writer.member("step", item.step)
      writer.member("path", item.path)
      writer.member("item", item.item)
      writer.member("releasedBy", item.releasedBy)
    case .requestFinished(let request): request.writeMembers(to: &writer)
    case .eventReceived(let event):
      writer.member("step", event.step)
      writer.member("path", event.path)
      writer.member("item", event.item)
      writer.member("attempt", event.attempt)
      writer.name("row")
      writer.raw(event.row)
    case .itemFinished(let item):
      writer.member("step", item.step)
      writer.member("path", item.path)
      writer.member("item", item.item)
      item.outcome.writeMembers(to: &writer)
      writer.member("recoveredBy", item.recoveredBy)
      writer.member("done", item.done)
      writer.member("total", item.total)
    case .stepFinished(let step):
      writer.member("step", step.step)
      writer.member("path", step.path)
      step.outcome.writeMembers(to: &writer)
      writer.member("recoveredBy", step.recoveredBy)
      writer.member("duration", step.duration)
      writer.member("items", step.items)
      if step.items != nil { writer.member("failedItems", step.failedItems) }
      if let release = step.releasedBy { writer.member("releasedBy", release) }
    case .note(let note):
      writer.member("step", note.step)
      writer.member("message", note.message)
    case .said(let said):
      writer.member("step", said.step)
      writer.member("path", said.path)
      writer.member("text", said.text)
    case .asked(let question): question.writeMembers(to: &writer)
    case .runFinished(let report): report.writeMembers(to: &writer, mostFailures)
    }
  }
}

extension RunEvent.RunStarted {
  fileprivate func writeMembers(to writer: inout JSONWriter) {
    writer.member("run", runID)
    writer.member("workflow", workflow)
    writer.member("file", file)
    writer.name("startedAt")
    writer.number(Duration.seconds(startedAt).jsonSeconds)
    if let resumedAt {
      writer.name("resumedAt")
      writer.number(Duration.seconds(resumedAt).jsonSeconds)
    }
    writer.member("rowStep", rowStep)
    writer.member("concurrency", limits.concurrency)
    writer.member("perOrigin", limits.perOrigin)
    writer.member("rate", limits.rate)
    writer.member("ratePerOrigin", limits.ratePerOrigin)
    writer.member("steps", steps)
  }
}

extension JSONWriter {
  fileprivate mutating func member(_ name: String, _ rate: RunEvent.RunLimits.Rate?) {
    guard let rate else { return }
    self.name(name)
    beginObject()
    member("count", rate.count)
    member("per", rate.per)
    endObject()
  }

  fileprivate mutating func member(_ name: String, _ steps: [RunEvent.StepSummary]) {
    self.name(name)
    beginArray()
    for step in steps {
      beginObject()
      member("id", step.id)
      member("action", step.action)
      if step.isCollection { member("collection", true) }
      if step.hasRounds { member("rounds", true) }
      if step.isFinally { member("finally", true) }
      if !step.after.isEmpty {
        self.name("after")
        beginArray()
        for id in step.after { string(id) }
        endArray()
      }
      member("file", step.file)
      member("line", step.line)
      if !step.steps.isEmpty { member("steps", step.steps) }
      endObject()
    }
    endArray()
  }

  fileprivate mutating func member(_ name: String, _ release: Release) {
    self.name(name)
    beginObject()
    member("kind", release.kind.rawValue)
    member("step", release.step)
    member("path", release.path)
    member("item", release.item)
    endObject()
  }

  fileprivate mutating func member(_ name: String, _ waits: RunEvent.Waits) {
    guard waits.total != .zero else { return }
    self.name(name)
    beginObject()
    for (name, time) in [
      ("place", waits.place), ("rate", waits.rate), ("pause", waits.pause),
      ("announced", waits.announced), ("retry", waits.retry), ("poll", waits.poll),
    ] where time != .zero { member(name, time) }
    endObject()
  }
}

extension RunEvent.RequestFinished {
  fileprivate func writeMembers(to writer: inout JSONWriter) {
    writer.member("step", step)
    writer.member("path", path)
    writer.member("item", item)
    writer.member("page", page)
    writer.member("poll", poll)
    if isForToken { writer.member("token", true) }
    writer.member("attempt", attempt)
    writer.member("cause", cause.rawValue)
    writer.member("method", method)
    writer.member("url", url)
    if requests != 1 { writer.member("requests", requests) }
    writer.member("status", status)
    if let error {
      writer.name("error")
      writer.beginObject()
      writer.member("kind", error.kind.rawValue)
      writer.member("message", error.message)
      writer.endObject()
    }
    writer.member("bytes", bytesReceived)
    writer.name("timings")
    writer.beginObject()
    writer.member("nameLookup", timings.nameLookup)
    writer.member("connect", timings.connect)
    writer.member("tls", timings.tls)
    writer.member("firstByte", timings.firstByte)
    writer.member("total", timings.total)
    writer.member("reusedConnection", timings.reusedConnection)
    writer.endObject()
    writer.member("retryAfter", retryAfter)
    writer.member("cache", cache?.rawValue)
    writer.member("sent", sent)
    writer.member("waits", waits)
  }
}

extension RunEvent.Outcome {
  fileprivate func writeMembers(to writer: inout JSONWriter) {
    switch self {
    case .succeeded: writer.member("outcome", "succeeded")
    case .recovered(let failure):
      writer.member("outcome", "recovered")
      writer.member("failure", failure)
    case .skipped(let reason):
      writer.member("outcome", "skipped")
      writer.member("reason", reason)
    case .failed(let failure):
      writer.member("outcome", "failed")
      writer.member("failure", failure)
    case .cancelled: writer.member("outcome", "cancelled")
    }
  }
}

extension RunReport.Counts {
  /// Whether every step was skipped.
  fileprivate var areOfNothing: Bool {
    skipped > 0 && requests == 0 && taken == 0 && succeeded + recovered + failed + cancelled == 0
  }
}

extension RunReport {
  fileprivate func writeMembers(to writer: inout JSONWriter, _ mostFailures: Int) {
    writer.member("run", runID)
    writer.member("status", status.rawValue)
    writer.member("duration", duration)
    writer.name("steps")
    writer.beginObject()
    writer.member("succeeded", counts.succeeded)
    writer.member("recovered", counts.recovered)
    writer.member("skipped", counts.skipped)
    writer.member("failed", counts.failed)
    writer.member("cancelled", counts.cancelled)
    writer.endObject()
    if counts.areOfNothing { writer.member("nothingDone", true) }
    writer.member("requests", counts.requests)
    writer.member("items", counts.items)
    if counts.cached > 0 { writer.member("cached", counts.cached) }
    if counts.validated > 0 { writer.member("validated", counts.validated) }
    if counts.taken > 0 { writer.member("taken", counts.taken) }
    if counts.inDoubt > 0 { writer.member("inDoubt", counts.inDoubt) }
    writer.member("bytes", counts.bytesReceived)
    if let stopReason {
      writer.name("stopReason")
      writer.beginObject()
      writer.writeMembers(of: stopReason)
      writer.endObject()
    }
    RunQuestion.write(questions, to: &writer)
    writer.name("failures")
    writer.beginArray()
    for failure in failures.prefix(mostFailures) { writer.value(failure) }
    writer.endArray()
    if failures.count > mostFailures { writer.member("failureCount", failures.count) }
  }
}

extension JSONWriter {
  fileprivate mutating func member(_ name: String, _ value: String?) {
    guard let value else { return }
    self.name(name)
    string(value)
  }

  fileprivate mutating func member(_ name: String, _ value: Int?) {
    guard let value else { return }
    self.name(name)
    integer(value)
  }

  fileprivate mutating func member(_ name: String, _ value: Duration?) {
    guard let value else { return }
    self.name(name)
    number(value.jsonSeconds)
  }

  fileprivate mutating func member(_ name: String, _ path: [Int]) {
    guard !path.isEmpty else { return }
    self.name(name)
    beginArray()
    for position in path { integer(position) }
    endArray()
  }

  fileprivate mutating func member(_ name: String, _ failure: StepFailure) {
    self.name(name)
    value(failure)
  }

  fileprivate mutating func value(_ failed: StepFailure) {
    beginObject()
    member("step", failed.step)
    member("path", failed.path)
    member("item", failed.item)
    writeMembers(of: failed.failure)
    let range = failed.failure.range ?? failed.stepRange
    let position = failed.source.position(at: range.lowerBound)
    member("file", failed.source.name)
    member("line", position.line)
    member("column", position.column)
    endObject()
  }

  fileprivate mutating func writeMembers(of failure: FailureReason) {
    member("kind", failure.kind.rawValue)
    member("message", failure.message)
    if let request = failure.request {
      member("method", request.method)
      member("url", request.url)
      member("attempts", request.attempts)
    }
    member("status", failure.status)
    member("body", failure.excerpt)
    if let details = failure.details {
      name("details")
      raw(details.utf8)
    }
  }
}
