internal import PipelineByteText

/// A run as spans of OpenTelemetry: a line of OTLP/JSON, as collectors read it from a file.
///
/// The same run gives the same ids. It has only the requests that the trace keeps.
package enum OTLPReport {
  /// - Parameter version: That of the program.
  package static func text(of trace: RunTrace, version: String) -> String {
    let text = SpanText(
      traceID: traceID(of: trace.run), state: nil,
      resource: [
        ("service.name", "pipeline"), ("telemetry.sdk.name", "pipeline"),
        ("telemetry.sdk.language", "swift"), ("telemetry.sdk.version", version),
      ], version: version)
    return String(decoding: text.bytes(of: spans(of: trace)), as: UTF8.self) + "\n"
  }

  /// The trace of a run, whichever process of it sends spans.
  package static func traceID(of run: String) -> [UInt8] {
    Array(digest(["trace", run]).prefix(16))
  }

  private static func spans(of trace: RunTrace) -> [Span] {
    func time(_ microseconds: Int) -> UInt64 {
      // The last moment that fits into nanoseconds is in the year 2554.
      UInt64(min(max(0, trace.wallTime(of: microseconds)), Int.max / 1_000)) * 1_000
    }
    let runID = id([trace.run, "run"])
    var run = Span(name: "", id: runID, parent: nil, start: time(0), end: time(trace.duration))
    let failure = trace.failures.first { !$0.isRecovered }
    run.describeRun(
      id: trace.run, workflow: trace.workflow, status: trace.status,
      requests: trace.counts.requests, items: trace.counts.items,
      failure: failure.map { ($0.kind, $0.message) } ?? trace.stopReason.map { ("limit", $0) })
    if trace.processes.count > 1 { run.add("pipeline.processes", trace.processes.count) }
    var spans = [run]
    func stepID(_ number: Int) -> UInt64 { id([trace.run, "step", String(number)]) }
    for (number, step) in trace.steps.enumerated() {
      guard let start = step.start else { continue }
      var span = Span(
        name: "", id: stepID(number), parent: step.parent.map(stepID) ?? runID,
        start: time(start), end: time(step.end ?? trace.duration))
      span.describeStep(step.id, in: "\(trace.run)/\(step.id)")
      let failure = step.failure.flatMap { number in
        trace.failures.indices.contains(number) ? trace.failures[number] : nil
      }
      let isSkipped = step.outcome == .skipped
      span.describeOutcome(
        step.outcome.rawValue, reason: isSkipped ? step.reason : nil,
        failure: failure.map { ($0.kind, $0.message) })
      if let items = step.items {
        span.add("pipeline.items", items)
        span.add("pipeline.items.failed", step.failedItems)
      }
      spans.append(span)
    }
    for (number, request) in trace.requests.enumerated() {
      guard trace.steps.indices.contains(request.step) else { continue }
      let hasStep = trace.steps[request.step].start != nil
      var span = Span(
        name: "", id: id([trace.run, "request", String(number)]),
        parent: hasStep ? stepID(request.step) : runID, start: time(request.sent),
        end: time(request.end))
      span.describeRequest(
        method: request.method, url: request.url, status: request.status, bytes: request.bytes,
        attempt: request.attempt, failure: request.error.map { ("_OTHER", $0) })
      if let cache = request.cache { span.add("pipeline.cache", cache) }
      span.add("pipeline.step", trace.steps[request.step].id)
      span.describe(request.place, request.causeName)
      spans.append(span)
    }
    return spans
  }

  private static func digest(_ parts: [String]) -> [UInt8] {
    var hash = SHA256()
    for part in parts {
      hash.update(part.utf8)
      hash.update([0])
    }
    return hash.finish()
  }

  private static func id(_ parts: [String]) -> UInt64 {
    let id = digest(parts).prefix(8).reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
    return max(id, 1)
  }
}
