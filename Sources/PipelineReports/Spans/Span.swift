internal import PipelineByteText
package import PipelineEngine
internal import PipelineURIs

/// Work that took time, as OpenTelemetry has it.
package struct Span: Sendable {
  /// The kind of span, for readers of the trace.
  package enum Kind: Int, Sendable {
    case `internal` = 1
    case server = 2
    case client = 3
  }

  package enum Value: Sendable, Hashable {
    case string(String)
    case integer(Int)
    case boolean(Bool)
  }

  package var name: String
  package var kind = Kind.internal
  package var id: UInt64
  /// `nil` if the trace begins with it.
  package var parent: UInt64?
  /// In nanoseconds since 1970-01-01T00:00:00Z.
  package var start: UInt64
  package var end: UInt64
  package var attributes: [(name: String, value: Value)] = []
  /// The error; `nil` if there is none.
  package var error: String?

  /// - Parameters:
  ///   - start: In nanoseconds since 1970-01-01T00:00:00Z, as `end`.
  package init(
    name: String, kind: Kind = .internal, id: UInt64, parent: UInt64?, start: UInt64, end: UInt64
  ) {
    self.name = name
    self.kind = kind
    self.id = id
    self.parent = parent
    self.start = start
    self.end = end
  }
}

extension Span {
  /// Adds an attribute.
  package mutating func add(_ name: String, _ value: Value) { attributes.append((name, value)) }

  package mutating func add(_ name: String, _ text: String) { add(name, .string(text)) }

  package mutating func add(_ name: String, _ number: Int) { add(name, .integer(number)) }

  /// Makes it the span of a client's request, by the semantic conventions for HTTP.
  ///
  /// - Parameters:
  ///   - attempt: From 1.
  ///   - failure: Why no complete response arrived.
  package mutating func describeRequest(
    method: String, url: String, status: Int?, bytes: Int, attempt: Int,
    failure: (kind: String, message: String)?
  ) {
    let known = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT"]
    let isKnown = known.contains(bytes: method)
    // Never a path: it holds ids.
    name = isKnown ? method : "HTTP"
    kind = .client
    add("http.request.method", isKnown ? method : "_OTHER")
    if !isKnown { add("http.request.method_original", method) }
    if let origin = Origin(of: url) {
      add("server.address", origin.host)
      add("server.port", origin.port)
    }
    add("url.full", url)
    if let status {
      add("http.response.status_code", status)
      add("http.response.body.size", bytes)
    }
    if attempt > 1 { add("http.request.resend_count", attempt - 1) }
    if let failure {
      error = failure.message
      add("error.type", failure.kind)
    } else if let status, status >= 400 {
      error = ""
      add("error.type", String(status))
    }
  }

  /// Adds the place of a request in its step, and why it was sent.
  package mutating func describe(_ place: RequestPlace, _ cause: String) {
    if let item = place.item { add("pipeline.item", item) }
    if let page = place.page { add("pipeline.page", page) }
    if let poll = place.poll { add("pipeline.poll", poll) }
    if place.isForToken { add("pipeline.token", .boolean(true)) }
    add("pipeline.cause", cause)
  }

  /// Makes it the span of a run, by the semantic conventions for CI/CD.
  ///
  /// - Parameters:
  ///   - status: `succeeded`, `failed` or `cancelled`.
  ///   - failure: The first failure.
  package mutating func describeRun(
    id: String, workflow: String, status: String, requests: Int, items: Int,
    failure: (kind: String, message: String)?
  ) {
    name = "RUN \(workflow)"
    kind = .server
    add("cicd.pipeline.name", workflow)
    add("cicd.pipeline.run.id", id)
    add("cicd.pipeline.action.name", "RUN")
    add("cicd.pipeline.result", Self.result(status))
    add("pipeline.requests", requests)
    add("pipeline.items", items)
    guard !status.equals(bytes: "succeeded") else { return }
    error = failure?.message ?? ""
    if let failure { add("error.type", failure.kind) }
  }

  /// Makes it the span of a step, by the semantic conventions for CI/CD.
  ///
  /// - Parameter place: The run, and the items of the blocks around.
  package mutating func describeStep(_ step: String, in place: String) {
    name = step
    add("cicd.pipeline.task.name", step)
    add("cicd.pipeline.task.run.id", place)
  }

  /// How a step or an item ended.
  package mutating func describeOutcome(
    _ outcome: String, reason: String? = nil, failure: (kind: String, message: String)? = nil
  ) {
    add("cicd.pipeline.task.run.result", Self.result(outcome))
    if let reason { add("pipeline.skipped_because", reason) }
    guard let failure else { return }
    if outcome.equals(bytes: "failed") {
      error = failure.message
      add("error.type", failure.kind)
    } else {
      add("pipeline.recovered_from", failure.message)
    }
  }

  private static func result(_ outcome: String) -> String {
    switch outcome {
    case "failed": "failure"
    case "skipped", "none", "waiting": "skip"
    case "cancelled": "cancellation"
    case "unfinished": "error"
    default: "success"
    }
  }
}
