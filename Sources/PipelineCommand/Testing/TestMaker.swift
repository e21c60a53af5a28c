internal import PipelineByteText
internal import PipelineJSONText
internal import PipelineKit
internal import PipelineLanguage
internal import PipelineLint
internal import PipelinePlanning
internal import PipelineRecordings
internal import PipelineSourceText
internal import PipelineTesting

/// Makes a test of a recording: the workflow is played against it, and what comes of that is what
/// the test expects.
struct TestMaker: Sendable {
  /// Why no test was made, with lines that show more.
  struct Problem: Error, Sendable {
    let message: String
    var details: [String] = []
  }

  /// What was written.
  struct Made: Sendable {
    /// The test file, and the name of the test in it.
    let file: String
    let name: String
    /// The recording that the test replays.
    let recording: String
    /// Why the test is played in one order only; `nil` if it holds in all that were tried.
    let orderProblem: String?
  }

  let console: Console
  /// The workflow's file.
  let workflow: String
  /// The file of the recording.
  let recording: String
  /// The inputs that are not those of the workflow itself.
  let inputs: [JSONValue.Member]
  let environment: String?
  /// What the test is called, if that name is free in its file.
  let name: String
  /// The test file, which may have tests already; `nil` if it is beside the workflow, or in the
  /// folder `tests` there.
  let target: String?

  /// Under how many orders a test is played that holds in them.
  private static let orders = 5
  /// The most failures that a test expects by name.
  private static let mostFailures = 5
  private static let recordingLimit = 1 << 30

  /// Plays the recording and writes the files, or neither.
  func make() async throws(Problem) -> Made {
    let plan = try self.plan()
    let played = try opened()
    let file = target ?? Self.usualTarget(of: workflow, console.files)
    let before = try TestFileText(file, of: workflow, replaying: recording, console.files)
    let replay = before.replay
    let free = before.free(name)
    var members: [JSONValue.Member] = [.init("name", .string(free))]
    let given = Self.different(inputs, from: plan.workflow)
    if !given.isEmpty { members.append(.init("inputs", .object(given))) }
    if let environment { members.append(.init("environment", .string(environment))) }
    if let state = played.run?.state, state.kind == .object {
      members.append(.init("state", JSONValue(state)))
    }
    members.append(.init("replay", .string(replay.written)))

    let first = try await play(members, orders: 1, plan, played, before)
    guard let report = first.outcome?.report else {
      throw Problem(message: first.problems.first?.message ?? "the recording cannot be played")
    }
    // What the recording does not answer fails every play, whatever is expected.
    let expected = Self.expectation(report)
    var result = try await play(
      members + [.init("orders", JSONValue(Self.orders)), .init("expect", expected)], orders: 1,
      plan, played, before)
    var orderProblem: String?
    if result.passed {
      members.append(.init("orders", JSONValue(Self.orders)))
    } else {
      orderProblem = result.problems.first?.message
      result = try await play(
        members + [.init("expect", expected)], orders: 1, plan, played, before)
    }
    guard result.passed else {
      throw Problem(
        message: "the recording does not carry '\(workflow)' through: "
          + result.problems[0].message,
        details: result.problems[0].details)
    }
    members.append(.init("expect", expected))
    try write(before, adding: .object(members), played: replay)
    return Made(file: file, name: free, recording: replay.place, orderProblem: orderProblem)
  }

  // MARK: What is played

  private func plan() throws(Problem) -> Plan {
    let bytes: [UInt8]
    do throws(PathProblem) {
      bytes = try console.files.read(workflow, WorkflowFiles.sizeLimit)
    } catch {
      throw Problem(message: "'\(workflow)' cannot be read: \(error.reason)")
    }
    let file = SourceFile(name: workflow, bytes: bytes)
    let linted = Linter(loader: LintedFiles(root: workflow, files: console.files)).lint(file)
    guard !linted.hasErrors, let plan = linted.plan else {
      throw Problem(message: "'\(workflow)' has errors; 'pipeline lint' shows them")
    }
    return plan
  }

  private func opened() throws(Problem) -> Recording {
    do throws(RecordingProblem) {
      return try Recording(RecordingFile(path: recording))
    } catch {
      throw Problem(message: "'\(recording)' \(error.message)")
    }
  }

  private func play(
    _ members: [JSONValue.Member], orders: Int, _ plan: Plan, _ played: Recording,
    _ text: TestFileText
  ) async throws(Problem) -> TestResult {
    let bytes = text.bytes(adding: .object(members))
    let files = console.files.showing([FilePath.normalized(text.file): bytes])
    let source = SourceFile(name: text.file, bytes: bytes)
    let linted = Linter(loader: LintedFiles(root: text.file, files: files))
      .lintTests(WorkflowText(source))
    guard !linted.hasErrors, let test = linted.tests?.tests.last else {
      let first = linted.diagnostics.first { $0.severity == .error }
      throw Problem(
        message: "the test would have errors: \(first?.message ?? "it cannot be read")")
    }
    do throws(FileError) {
      var runner = TestRunner(
        plan, files: try FolderFiles(workflow: workflow),
        testFiles: try FolderFiles(test: text.file),
        loadRecording: { _ throws(RecordingProblem) in played })
      runner.orders = orders
      return await runner.run(test)
    } catch {
      throw Problem(message: error.message)
    }
  }

  private static func expectation(_ report: RunReport) -> JSONValue {
    guard report.status == .succeeded else {
      let failures = report.failures.prefix(mostFailures).map { failed -> JSONValue in
        var members: [JSONValue.Member] = [.init("step", .string(failed.step))]
        if let item = failed.item { members.append(.init("item", JSONValue(item))) }
        members.append(.init("kind", .string(failed.failure.kind.rawValue)))
        if let status = failed.failure.status { members.append(.init("status", JSONValue(status))) }
        return .object(members)
      }
      var members: [JSONValue.Member] = [.init("status", .string(report.status.rawValue))]
      if !failures.isEmpty { members.append(.init("failures", .array(failures))) }
      return .object(members)
    }
    let outputs = report.outputs.node
    return outputs.count == 0 ? ["status": "succeeded"] : ["outputs": JSONValue(outputs)]
  }

  /// The inputs that are not defaults of the workflow, nor secret.
  private static func different(
    _ inputs: [JSONValue.Member], from workflow: Workflow
  ) -> [JSONValue.Member] {
    inputs.filter { member in
      guard let input = workflow.inputs.first(where: { $0.name.equals(bytes: member.name) }),
        !input.isSecret
      else { return false }
      return input.defaultValue.map { !$0.isEqual(to: member.value.node) } ?? true
    }
  }

  // MARK: What is written

  private static func usualTarget(of workflow: String, _ files: FileSystem) -> String {
    let name =
      workflow.split(ascii: "/").last.map { String($0) } ?? workflow
    let base = (name.hasSuffix(bytes: ".json") ? String(name.dropLast(bytes: 5)) : name)
    let folder = PathText.path("tests", beside: workflow)
    if case .folder? = try? files.kind(folder) { return folder + "/" + base + ".test.json" }
    return PathText.path(base + ".test.json", beside: workflow)
  }

  private func write(
    _ text: TestFileText, adding test: JSONValue, played replay: TestFileText.Replay
  ) throws(Problem) {
    do throws(PathProblem) {
      if replay.isCopied {
        let bytes = try console.files.readFile(recording, Self.recordingLimit)
        try NewFile.createFolder(PathText.folder(of: replay.place))
        try AtomicFile(privateAt: replay.place).write(bytes)
      }
      try AtomicFile(path: text.file).write(text.bytes(adding: test))
    } catch {
      throw Problem(message: "cannot write '\(error.path)': \(error.reason)")
    }
  }
}
