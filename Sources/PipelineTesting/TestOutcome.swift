internal import PipelineByteText
package import PipelineJSONText
package import PipelineKit
internal import PipelineRecordings

/// The requests of one run of a test, and its end.
package struct TestOutcome: Sendable {
  package let report: RunReport
  let sent: [TestTransport.Sent]
  /// How many items of each step ended, and how the step ended, by its id.
  let steps: [String: (items: Int?, status: String)]
  /// The files that the run saved, by path.
  let saved: [(path: String, bytes: [UInt8])]
  /// The texts that steps showed, in order.
  let said: [String]
  /// The order that the run had; `nil` for that in which it sends.
  package let seed: UInt64?

  /// The state that the run leaves to the next one.
  var state: JSONNode {
    var writer = JSONWriter(style: .compact)
    write(state: report.state, to: &writer)
    return writer.document().root
  }

  private func write(state: [String: JSONValue], to writer: inout JSONWriter) {
    writer.beginObject()
    for (name, value) in state.sorted(by: { $0.key < $1.key }) {
      writer.name(name)
      writer.value(value.node)
    }
    writer.endObject()
  }

  private func writeFiles(to writer: inout JSONWriter) {
    writer.beginObject()
    for (path, bytes) in saved {
      writer.name(path)
      writer.beginObject()
      writer.name("size")
      writer.integer(bytes.count)
      if let text = String(validating: bytes, as: UTF8.self) {
        writer.name("text")
        writer.string(text)
      }
      if let document = try? JSONDocument.parse(bytes) {
        writer.name("json")
        writer.value(document.root)
      }
      writer.endObject()
    }
    writer.endObject()
  }

  /// The values that conditions see as `$`.
  package var node: JSONNode {
    var writer = JSONWriter(style: .compact)
    writer.beginObject()
    writer.name("status")
    writer.string(report.status.rawValue)
    writer.name("outputs")
    writer.value(report.outputs.node)
    writer.name("state")
    write(state: report.state, to: &writer)
    writer.name("files")
    writeFiles(to: &writer)
    writer.name("requests")
    writeRequests(to: &writer)
    writer.name("steps")
    writer.beginObject()
    for (id, step) in steps.sorted(by: { $0.key < $1.key }) {
      writer.name(id)
      writer.beginObject()
      writer.name("status")
      writer.string(step.status)
      if let items = step.items {
        writer.name("items")
        writer.integer(items)
      }
      writer.endObject()
    }
    writer.endObject()
    writer.name("failures")
    writer.beginArray()
    for failure in report.failures { write(failure, to: &writer) }
    writer.endArray()
    writer.name("said")
    writer.beginArray()
    for text in said { writer.string(text) }
    writer.endArray()
    writer.name("questions")
    writer.beginArray()
    for question in report.questions {
      writer.beginObject()
      writer.name("name")
      writer.string(question.name)
      writer.name("text")
      writer.string(question.text)
      writer.endObject()
    }
    writer.endArray()
    writer.name("elapsed")
    writer.seconds(report.duration)
    writer.endObject()
    return writer.document().root
  }

  private func writeRequests(to writer: inout JSONWriter) {
    var steps: [String] = []
    for request in sent where !request.key.isToken && !steps.contains(request.key.step) {
      steps.append(request.key.step)
    }
    writer.beginObject()
    for step in steps {
      writer.name(step)
      writer.beginArray()
      for request in sent where request.key.step.equals(bytes: step) {
        write(request, to: &writer)
      }
      writer.endArray()
    }
    writer.endObject()
  }

  private func write(_ sent: TestTransport.Sent, to writer: inout JSONWriter) {
    writer.beginObject()
    writer.name("method")
    writer.string(sent.request.method)
    writer.name("url")
    writer.string(sent.request.url)
    writer.name("headers")
    writer.beginObject()
    var names: Set<String> = []
    for field in sent.request.headers
    where names.insert(field.name.lowercasedASCII).inserted {
      writer.name(field.name.lowercasedASCII)
      writer.string(field.value)
    }
    writer.endObject()
    if case .bytes(let bytes, _)? = sent.request.body {
      writer.name("body")
      if let body = try? JSONDocument.parse(bytes) {
        writer.value(body.root)
      } else {
        writer.string(String(decoding: bytes, as: UTF8.self))
      }
    }
    if let status = sent.status {
      writer.name("status")
      writer.integer(status)
    }
    if let item = sent.key.item {
      writer.name("item")
      writer.integer(item)
    }
    writer.name("attempt")
    writer.integer(sent.key.attempt)
    writer.name("at")
    writer.seconds(sent.time)
    writer.endObject()
  }

  private func write(_ failure: StepFailure, to writer: inout JSONWriter) {
    writer.beginObject()
    writer.name("step")
    writer.string(failure.step)
    if let item = failure.item {
      writer.name("item")
      writer.integer(item)
    }
    writer.name("kind")
    writer.string(failure.failure.kind.rawValue)
    if let status = failure.failure.status {
      writer.name("status")
      writer.integer(status)
    }
    writer.name("message")
    writer.string(failure.failure.message)
    writer.endObject()
  }

  /// Requests in the order in which they arrived.
  var arrivals: [TestTransport.Sent] {
    sent.filter { $0.arrival != nil }.sorted { ($0.arrival ?? 0) < ($1.arrival ?? 0) }
  }
}

extension JSONWriter {
  /// Seconds, with as many decimals as they need, down to a millisecond.
  fileprivate mutating func seconds(_ duration: Duration) {
    let (seconds, attoseconds) = duration.components
    let milliseconds = attoseconds / 1_000_000_000_000_000
    let decimals = String(1000 + milliseconds).utf8.dropFirst()
    number("\(seconds).\(String(decoding: decimals, as: UTF8.self))")
  }
}
