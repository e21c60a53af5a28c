import PipelineJSONText
import PipelineKit
import PipelineLanguage
import PipelineLint
import PipelineSourceText
import PipelineTesting
import Testing

/// What `onError`, `onItemError` and `otherwise` make of a step that fails, and what becomes of a step
/// that reads it: every combination, against a model of a few lines (docs/language.md, "When
/// something fails").
@Suite struct RecoveryTableTests {
  enum Action: String, CaseIterable { case request, values, block, call }
  /// `plain` says nothing of `onItemError`.
  enum Iteration: String, CaseIterable { case single, plain, fail, collect }
  enum OnError: String, CaseIterable { case fail, `continue`, recover }
  enum Otherwise: String, CaseIterable { case no, partial, full }
  enum Reader: String, CaseIterable { case path, body, query, when, outputs }

  /// One row of the table. The source fails; of three items the second one does.
  struct Case: CustomStringConvertible {
    let action: Action
    let iteration: Iteration
    let onError: OnError
    let otherwise: Otherwise
    let reader: Reader

    static let all = Action.allCases.flatMap { action in
      Iteration.allCases.flatMap { iteration in
        OnError.allCases.flatMap { onError in
          Otherwise.allCases.flatMap { otherwise in
            Reader.allCases.map {
              Case(
                action: action, iteration: iteration, onError: onError, otherwise: otherwise,
                reader: $0)
            }
          }
        }
      }
    }

    var description: String { "\(action) \(iteration) \(onError) \(otherwise) \(reader)" }
  }

  struct Outcome: Equatable {
    /// Of `pipeline run`: 2 stands for a file that lint refuses.
    var exitStatus: Int
    /// The requests that the source sends.
    var sourceRequests = 0
    /// What the reader sends; `nil`: nothing.
    var sent: String?
    var outputs = "{}"
  }

  // MARK: The model

  private static func expected(_ row: Case) -> Outcome {
    if row.iteration == .fail, row.onError == .recover { return Outcome(exitStatus: 2) }
    let recovers = row.onError == .recover
    let collects = row.iteration == .collect || (row.iteration == .plain && recovers)
    // The value that the reader asks for, of the source or of its item that failed.
    let isThere = recovers && row.otherwise == .full
    var outcome = Outcome(exitStatus: recovers ? 0 : 1)
    // Items go one after another, so without `collect` the third one is never begun.
    let passes = row.iteration == .single ? 1 : collects ? 3 : 2
    outcome.sourceRequests = row.action == .values ? 0 : passes
    var members: [String] = []
    if collects { members.append(#""first":"v1""#) }
    if row.reader == .outputs, isThere { members.append(#""value":"spare""#) }
    outcome.outputs = "{" + members.joined(separator: ",") + "}"
    if isThere {
      switch row.reader {
      case .path: outcome.sent = "GET /read/spare"
      case .body: outcome.sent = #"POST /read {"value":"spare"}"#
      case .query: outcome.sent = "GET /read?value=spare"
      case .when: outcome.sent = "GET /read"
      case .outputs: break
      }
    }
    return outcome
  }

  // MARK: The workflow

  private static func workflow(_ row: Case) -> String {
    let isSingle = row.iteration == .single
    let number = isSingle ? "2" : "{{item}}"
    var members = [#""id": "source""#]
    if !isSingle {
      members.append(#""forEach": ["1", "2", "3"], "concurrency": 1"#)
      if row.iteration != .plain { members.append(#""onItemError": "\#(row.iteration)""#) }
    }
    members.append(#""onError": "\#(row.onError)""#)
    let get =
      #""endpoint": "GET https://api.example/\#(number)", "extract": {"a": "$.a", "b": "$.b"}"#
    switch row.action {
    case .request: members.append(get)
    case .values:
      members.append(
        #""values": {"a": "v\#(number)", "b": 0}, "expect": {"where": ["@.a != 'v2'"]}"#)
    case .block:
      members.append(
        #""steps": [{"id": "get", \#(get)}], "outputs": {"a": "{{get.a}}", "b": "{{get.b}}"}"#)
    case .call: members.append(#""workflow": "./called.json", "inputs": {"number": "\#(number)"}"#)
    }
    switch row.otherwise {
    case .no: break
    case .partial: members.append(#""otherwise": {"b": "spare"}"#)
    case .full: members.append(#""otherwise": {"a": "spare", "b": "spare"}"#)
    }
    let value = isSingle ? "source.a" : "source[1].a"
    var outputs = isSingle ? [] : [#""first": "{{source[0].a}}""#]
    let read: String?
    switch row.reader {
    case .path: read = #""endpoint": "GET https://api.example/read/{{\#(value)}}""#
    case .body:
      read =
        #""endpoint": "POST https://api.example/read", "body": {"json": {"value": "{{\#(value)}}"}}"#
    case .query:
      read =
        #""endpoint": "GET https://api.example/read", "query": {"value": "{{\#(value)}}"}"#
    case .when:
      read =
        #""when": "$.\#(value) == 'spare'", "endpoint": "GET https://api.example/read""#
    case .outputs:
      read = nil
      outputs.append(#""value": "{{\#(value)}}""#)
    }
    let steps =
      ["{" + members.joined(separator: ", ") + "}"]
      + (read.map { [#"{"id": "reader", \#($0)}"#] } ?? [])
    return
      #"{"steps": [\#(steps.joined(separator: ", "))], "outputs": {\#(outputs.joined(separator: ", "))}}"#
  }

  private static let called = """
    {"inputs": {"number": {"type": "string"}},
     "steps": [{"id": "get", "endpoint": "GET https://api.example/{{inputs.number}}",
                "extract": {"a": "$.a", "b": "$.b"}}],
     "outputs": {"a": "{{get.a}}", "b": "{{get.b}}"}}
    """

  // MARK: The run

  private static func run(_ row: Case) async throws -> Outcome {
    let files = ["main.json": workflow(row), "called.json": called]
    let source = SourceFile(name: "main.json", bytes: Array(workflow(row).utf8))
    let linted = Linter(loader: MemoryLoader(files: files)).lint(source)
    guard let plan = linted.plan else { return Outcome(exitStatus: 2) }
    let transport = ScriptedTransport { request in
      request.url.hasSuffix("/2")
        ? .status(500)
        : .json(["a": .string("v" + request.url.suffix(1)), "b": 0])
    }
    let report = try await Pipeline(plan, transport: transport).run().result.report
    let lines = transport.requests.map { request in
      var line = request.method + request.url.replacing("https://api.example", with: " ")
      if case .bytes(let body) = request.body {
        line += " " + String(decoding: body, as: UTF8.self)
      }
      return line.replacing("  ", with: " ")
    }
    let sent = lines.filter { $0.contains("/read") }
    #expect(sent.count <= 1)
    return Outcome(
      exitStatus: report.status == .succeeded ? 0 : 1, sourceRequests: lines.count - sent.count,
      sent: sent.first, outputs: report.outputs.text)
  }

  @Test(arguments: Action.allCases, Iteration.allCases)
  func theTableHolds(_ action: Action, _ iteration: Iteration) async throws {
    let rows = Case.all.filter { $0.action == action && $0.iteration == iteration }
    #expect(rows.count == 45)
    for row in rows {
      let outcome = try await Self.run(row)
      #expect(outcome == Self.expected(row), "\(row): \(Self.workflow(row))")
    }
  }
}
