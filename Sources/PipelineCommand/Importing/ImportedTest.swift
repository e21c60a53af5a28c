internal import PipelineByteText
internal import PipelineImports
internal import PipelineJSONText
internal import PipelineKit
internal import PipelineLanguage
internal import PipelineRecordings
internal import PipelineTesting

/// A test of an imported workflow: what the other tool kept of responses, and what comes of it.
struct ImportedTest {
  /// Why there is no test.
  struct Absence: Error {
    let reason: String
  }

  /// The recording that the test replays; `nil` if it has its answers itself.
  private let recorder: RecordingTransport?
  private let respond: [JSONValue.Member]
  private let inputs: [JSONValue.Member]
  private let outputs: JSONValue?

  /// Outputs of more bytes are not in a test, which people read.
  private static let outputLimit = 4096

  /// The test file.
  ///
  /// - Parameters:
  ///   - name: The name of the workflow file.
  ///   - recording: The name of the recording.
  func file(workflow name: String, recording: String) -> [UInt8] {
    var test: [JSONValue.Member] = [
      .init("name", hasRecording ? "as recorded" : "as saved")
    ]
    if !inputs.isEmpty { test.append(.init("inputs", .object(inputs))) }
    if !respond.isEmpty { test.append(.init("respond", .object(respond))) }
    if hasRecording { test.append(.init("replay", .string("./" + recording))) }
    if let outputs, outputs != .object([]), outputs.node.utf8.count <= Self.outputLimit {
      test.append(.init("expect", ["outputs": outputs]))
    }
    let file: JSONValue = [
      "workflow": .string("./" + name), "tests": [.object(test)],
    ]
    return WorkflowLayout.text(of: file.node)
  }

  // MARK: Recordings

  var hasRecording: Bool { recorder != nil }

  /// Passes the recording on, piece after piece.
  func writeRecording(to sink: ([UInt8]) -> Void) throws(RecordingProblem) {
    try recorder?.write(to: sink)
  }

  /// The test of a recording: it is played again, and written without what may be a credential.
  ///
  /// - Parameter spool: Where the exchanges wait until they are written.
  init(of session: TrafficSession, spool: any RecordingSpool) async throws(Absence) {
    guard session.plain.missing.isEmpty, session.report.refused.isEmpty else {
      throw Absence(reason: "the replay does not send all requests")
    }
    let replay = session.result.replay
    guard replay.files.isEmpty else {
      throw Absence(reason: "the recording lacks the content of files that are sent")
    }
    var secrets = RecordedSecrets(keeping: replay.values)
    for expected in replay.expected { secrets.note(expected, in: replay) }
    let recorder = RecordingTransport(
      TrafficProof.transport(replay, hiding: secrets), spool: spool)
    let result = try await Self.run(
      session.result.workflow, recorder,
      Dictionary(
        replay.inputs.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first }))
    var search = secrets.search()
    do throws(RecordingProblem) {
      try recorder.write { search.read($0) }
    } catch {
      throw Absence(reason: "the recording cannot be written: it \(error.message)")
    }
    self.recorder = recorder
    respond = []
    inputs = []
    outputs = JSONValue(result.outputs.node)
    if let outputs { search.read(Array(outputs.node.utf8)) }
    guard !search.hasFound else {
      throw Absence(
        reason: "the recording would hold a credential; declare it as secret, and use --record")
    }
  }

  // MARK: Saved responses

  /// The test of a collection by its saved responses.
  init(of workflow: JSONValue, _ answers: SavedAnswers) async throws(Absence) {
    guard !answers.given.isEmpty else {
      throw Absence(reason: "no request has a saved response")
    }
    guard answers.missing.isEmpty else {
      let names = answers.missing.prefix(3).joined(separator: ", ")
      throw Absence(reason: "these requests have no saved response: \(names)")
    }
    var given: [JSONValue.Member] = []
    var secret: [String: JSONValue] = [:]
    for input in workflow.node["inputs"]?.members.map({ $0 }) ?? []
    where input.value["default"] == nil && input.value["optional"]?.boolean != true {
      if input.value["secret"]?.boolean == true {
        secret[input.name] = "example"
      } else {
        given.append(.init(input.name, Self.standIn(for: input.name, in: workflow)))
      }
    }
    let respond = JSONValue.object(answers.given.map { .init($0.step, $0.answer) })
    let transport: ScriptedTransport
    do {
      transport = try ScriptedTransport(respond: respond.node.text)
    } catch {
      throw Absence(reason: "a saved response cannot be an answer")
    }
    let values = given.reduce(into: secret) { $0[$1.name] = $1.value }
    let result = try await Self.run(workflow, transport, values)
    recorder = nil
    self.respond = answers.given.map { .init($0.step, $0.answer) }
    inputs = given
    outputs = JSONValue(result.outputs.node)
  }

  /// A value for an input that nothing gives: a URL, if requests begin with it.
  private static func standIn(for input: String, in workflow: JSONValue) -> JSONValue {
    let text = workflow.node.text
    let reference = "{{inputs.\(input)}}"
    let isBase = ["\"baseURL\":\"", "\"baseURL\": \"", " "].contains { before in
      text.firstRange(bytes: before + reference) != nil
    }
    return isBase ? "https://api.example" : "example"
  }

  /// - Throws: Why the run has failed.
  private static func run(
    _ workflow: JSONValue, _ transport: some Transport, _ inputs: [String: JSONValue]
  ) async throws(Absence) -> RunResult {
    var options = RunOptions()
    options.clock = VirtualClock()
    options.runID = "import"
    let result: RunResult
    do {
      let pipeline = try Pipeline(json: workflow, transport: transport, options: options)
      result = try await pipeline.run(inputs: inputs).result
    } catch let error as WorkflowError {
      let first = error.description.split(ascii: "\n").first.map { String($0) }
      throw Absence(reason: first ?? "the workflow has an error")
    } catch {
      throw Absence(reason: "\(error)")
    }
    if let failure = result.report.failures.first {
      throw Absence(reason: "with the responses that were kept, \(failure)")
    }
    return result
  }
}
