import PipelineJSONText
import PipelineKit
import PipelineSourceText
import PipelineWorkflows
import Testing

/// One statement of docs/language.md, and a workflow that holds it to its word.
struct Statement: Sendable, CustomTestStringConvertible {
  let says: String
  /// The members of a workflow file, without the braces.
  let file: String
  let inputs: [String: JSONValue]
  /// What the run returns; or, after `!`, the message of its first failure.
  let gives: String
  /// What was sent, each request in a line: method, URL, headers that a step wrote, body.
  let sends: [String]?

  init(
    _ says: String, _ file: String, inputs: [String: JSONValue] = [:], gives: String,
    sends: [String]? = nil
  ) {
    self.says = says
    self.file = file
    self.inputs = inputs
    self.gives = gives
    self.sends = sends
  }

  var testDescription: String { says }

  /// Runs the workflow, whose server sends what `answers` say by path; all else is an empty object.
  func check(
    _ answers: [String: ScriptedTransport.Answer] = [:], files: any FileAccess = NoFileAccess(),
    sourceLocation: Testing.SourceLocation = #_sourceLocation
  ) async throws {
    let plan = try plan("{\(file)}", sourceLocation: sourceLocation)
    let transport = ScriptedTransport { request in
      answers[String(request.url.dropFirst("https://api.example".count))] ?? .json([:])
    }
    var options = RunOptions()
    options.clock = InstantClock()
    options.files = files
    let pipeline = Pipeline(plan, transport: transport, options: options)
    let report = try await pipeline.run(inputs: inputs).result.report
    let outcome = report.failures.first.map { "!" + $0.failure.message } ?? report.outputs.text
    #expect(outcome == gives, "\(says)", sourceLocation: sourceLocation)
    if let sends {
      #expect(transport.requests.map(Self.line) == sends, "\(says)", sourceLocation: sourceLocation)
    }
  }

  private static func line(_ request: TransportRequest) -> String {
    var parts = [request.method, request.url.replacing("https://api.example", with: "")]
    parts += request.headers.map { "\($0.name): \($0.value)" }
    switch request.body {
    case .none: break
    case .bytes(let bytes): parts.append(String(decoding: bytes, as: UTF8.self))
    case .file(let path): parts.append("<\(path)>")
    case .multipart(let list):
      parts += list.map { part in
        let content =
          switch part.content {
          case .bytes(let bytes): String(decoding: bytes, as: UTF8.self)
          case .file(let path): "<\(path)>"
          }
        let more = [part.filename, part.contentType].compactMap { $0 }.joined(separator: ";")
        return part.name + "=" + content + (more.isEmpty ? "" : " (\(more))")
      }
    }
    return parts.joined(separator: " | ")
  }
}

/// A clock on which every pause is over at once.
struct InstantClock: RunClock {
  var elapsed: Duration { .zero }
  /// 2026-01-01T00:00:00Z.
  var wallTime: Double { 1_767_225_600 }

  func sleep(for duration: Duration) async throws {
    try Task.checkCancellation()
    // The run's own deadline is not over.
    if duration >= .seconds(60) { try await Task.sleep(for: .seconds(3600)) }
  }
}
