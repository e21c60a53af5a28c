internal import PipelineByteText
internal import PipelineJSONText
internal import PipelineKit
internal import PipelinePlanning
internal import PipelineSourceText
internal import SQLiteJournals

/// `pipeline new --test`: a run or a recording becomes a test.
struct NewTest: Sendable {
  /// The run's id, or the beginning of it, or a HAR file.
  let source: String
  /// `nil` for that of the run, or the one that the recording is named after.
  let workflow: String?
  let name: String
  /// The test file; `nil` for the usual one of the workflow.
  let target: String?
  /// `name=value`, over what the run began with.
  let assignments: [String]
  /// A file of inputs.
  let inputs: String?
  let environment: String?
  let store: StoreOptions

  func run(in program: Program) async -> ExitStatus {
    let console = program.console
    do {
      let made = try await maker(console).make()
      console.error.write(
        line: "wrote test '\(made.name)' to \(made.file); it replays \(made.recording)")
      if let problem = made.orderProblem {
        console.error.write(
          line: "note: it is played in one order only, because another one fails: \(problem)")
      }
      return .success
    } catch let problem as TestMaker.Problem {
      console.complain(problem.message)
      for line in problem.details { console.error.write(line: "  " + line) }
      return .failure
    } catch let problem as InputArguments.Problem {
      console.complain(problem.message)
      console.error.write(problem.excerpt)
      return .usage
    } catch {
      return console.complain(of: error)
    }
  }

  private var isFile: Bool { source.hasSuffix(bytes: ".har") || source.contains(bytes: "/") }

  private func maker(_ console: Console) throws -> TestMaker {
    if isFile {
      let file = try workflow ?? Self.workflow(ofRecording: source, console.files)
      return TestMaker(
        console: console, workflow: file, recording: source,
        inputs: try given(of: file, over: [], console), environment: environment, name: name,
        target: target)
    }
    let store = try RunStore.of(store, console)
    guard let run = store.find(source, console) else {
      throw TestMaker.Problem(message: "no test was made")
    }
    guard let recording = store.answers(ofRun: run.id) else {
      throw TestMaker.Problem(
        message: "no answers of run '\(store.shortID(of: run.id))' were kept; 'pipeline run"
          + " --keep-answers' keeps them, and so does the page")
    }
    guard let began = store.beginning(ofRun: run.id) else {
      throw TestMaker.Problem(
        message: "run '\(store.shortID(of: run.id))' has not ended in good order; 'pipeline resume'"
          + " goes on with it")
    }
    guard began.each == nil else {
      throw TestMaker.Problem(message: "a test is of one run, and '--each' made many")
    }
    guard let file = workflow ?? run.path else {
      throw TestMaker.Problem(
        message: "the run's workflow came from stdin; name its file with --workflow")
    }
    let members = began.inputs.node.members.map { JSONValue.Member($0.name, JSONValue($0.value)) }
    return TestMaker(
      console: console, workflow: file, recording: recording,
      inputs: try given(of: file, over: members, console),
      environment: environment ?? began.environment, name: name, target: target)
  }

  /// The inputs of the command line, and those of the run that it does not give.
  private func given(
    of workflow: String, over others: [JSONValue.Member], _ console: Console
  ) throws -> [JSONValue.Member] {
    if assignments.isEmpty, inputs == nil { return others }
    guard let plan = console.plan(ofFile: workflow) else { return others }
    let values = try InputArguments(
      assignments: assignments, file: inputs, of: plan.workflow, files: console.files
    ).values
    // The engine reads a text by the type of its input.
    let (typed, problems) = plan.inputs(given: values)
    if let problem = problems.first(where: { values[$0.name] != nil }) {
      throw TestMaker.Problem(message: "\(problem)")
    }
    let names = values.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    return others.filter { values[$0.name] == nil }
      + names.map { .init($0, typed[$0].map { JSONValue($0) } ?? .null) }
  }

  /// `users.json` for `users.har`, beside it, or where it would be looked for as that of the
  /// workflow.
  private static func workflow(
    ofRecording path: String, _ files: FileSystem
  ) throws(TestMaker.Problem) -> String {
    let name = path.split(ascii: "/").last.map { String($0) } ?? path
    let base = String(name.dropLast(bytes: ".har".utf8.count)) + ".json"
    let places = ["", "../", "../../"].map { PathText.path($0 + base, beside: path) }
    for place in places {
      if case .file? = try? files.kind(place) { return place }
    }
    throw TestMaker.Problem(
      message: "there is no '\(base)' for '\(path)'; name the workflow with --workflow")
  }
}
