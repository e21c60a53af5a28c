import PipelineJSONText
import PipelineKit
import PipelineLanguage
import PipelineSourceText
import PipelineTestSupport
import PipelineTesting
import Testing

/// One statement of docs/language.md, and a workflow that holds it to its word.
struct Statement: Sendable, CustomTestStringConvertible {
  /// The end of a run.
  enum Outcome: Sendable, Equatable {
    /// The text of the outputs.
    case gives(String)
    /// The message of the first failure.
    case fails(String)
  }

  let says: String
  /// The text of the workflow file.
  let workflow: String
  var inputs: [String: JSONValue] = [:]
  let outcome: Outcome
  /// The requests sent, each in a line: method, URL, headers that a step wrote, body.
  var sends: [String]?

  var testDescription: String { says }

  /// The statements in `Statements/NAME.json`.
  static func all(_ name: String) throws -> [Statement] {
    let path = Conformance.packageRoot + "/Tests/PipelineEngineTests/Statements/\(name).json"
    let bytes = try #require(readFile(path), "cannot read \(path)")
    return try JSONDocument.parse(bytes).root.elements.map { try Statement($0) }
  }

  init(_ says: String, _ workflow: String, _ outcome: Outcome) {
    self.says = says
    self.workflow = workflow
    self.outcome = outcome
  }

  /// - Parameter node: An object with the members `statement`, `workflow`, `inputs`, `gives` or
  ///   `fails`, and `sends`.
  private init(_ node: JSONNode) throws {
    says = try #require(node["statement"]?.string)
    workflow = try #require(node["workflow"]).text
    for member in node["inputs"].map({ Array($0.members) }) ?? [] {
      inputs[member.name] = JSONValue(member.value)
    }
    if let message = node["fails"]?.string {
      outcome = .fails(message)
    } else {
      outcome = .gives(JSONValue(try #require(node["gives"])).description)
    }
    sends = node["sends"].map { $0.elements.compactMap(\.string) }
  }

  /// Runs the workflow, whose server sends `answers` by path, and an empty object for other paths.
  func check(
    _ answers: [String: ScriptedTransport.Answer] = [:], files: any FileAccess = NoFileAccess(),
    sourceLocation: Testing.SourceLocation = #_sourceLocation
  ) async throws {
    let plan = try plan(workflow, sourceLocation: sourceLocation)
    let transport = ScriptedTransport { request in
      answers[String(request.url.dropFirst("https://api.example".count))] ?? .json([:])
    }
    var options = RunOptions()
    options.clock = InstantClock()
    options.files = files
    let pipeline = Pipeline(plan, transport: OwnLimits(transport), options: options)
    let report = try await pipeline.run(inputs: inputs).result.report
    let ended =
      report.failures.first.map { Outcome.fails($0.failure.message) }
      ?? .gives(report.outputs.text)
    #expect(ended == outcome, "\(says)", sourceLocation: sourceLocation)
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
