internal import PipelineByteText
internal import PipelineJSONText
internal import PipelineKit
internal import PipelineLanguage
internal import PipelineLint
internal import PipelinePlanning
internal import PipelineRPC
internal import PipelineSourceText
internal import SQLiteJournals

/// The calls about runs: each does what a command does.
extension PageCalls {
  /// The runs of the folder that a list has at most.
  private static let mostRuns = 1000

  /// The answer to a call about runs; `nil` if it is not one.
  mutating func answerAboutRuns(
    _ method: String, _ parameters: JSONNode?, _ reply: @escaping Reply,
    _ fail: @escaping @Sendable (RPCError) -> Void
  ) throws(RPCError) -> Answer? {
    switch method {
    case "run/form": return .now(try form(parameters))
    case "run/plan":
      let place = try place(parameters)
      return later(
        ["plan", place] + Self.inputs(parameters), input: Self.given(parameters), reply)
    case "run/start": return .now(try start(parameters))
    case "run/stop":
      runs.stop(try Self.runID(parameters))
      return .now(.null)
    case "run/resume": return .now(try resume(parameters))
    case "runs/list": return .now(try list(parameters))
    case "runs/show":
      let run = try stored(parameters)
      return later(["runs", "show", run.id, "--json"] + storeWords, reply)
    case "runs/compare":
      let (run, other) = (try stored(parameters), try stored(parameters, "other"))
      let store = try kept()
      begin {
        do throws(RPCError) {
          reply(try RunComparison(store: store, run: run.id, other: other.id).json)
        } catch {
          fail(error)
        }
      }
      return .later
    case "tests/run": return later(try tests(parameters), reply)
    case "tests/make": return later(try newTest(parameters), reply)
    case "runs/delete":
      let run = try stored(parameters)
      return later(["runs", "delete", run.id] + storeWords, reply)
    default: return nil
    }
  }

  /// Has a command carried out, and answers with what it wrote.
  private func later(
    _ arguments: [String], input: [UInt8] = [], _ reply: @escaping Reply
  ) -> Answer {
    let runs = runs
    begin {
      let (status, output, error) = await runs.result(arguments, input: input)
      reply([
        "status": JSONValue(Int(status.rawValue)), "output": .string(output),
        "error": .string(error),
      ])
    }
    return .later
  }

  // MARK: Tests

  /// The command that runs the tests of a file, or those of a workflow.
  private mutating func tests(_ parameters: JSONNode?) throws(RPCError) -> [String] {
    let place = try place(parameters)
    let own = content?.tests[ExactText(folder.relative(place))]?.compactMap(folder.place) ?? []
    guard place.hasSuffix(bytes: ".test.json") || !own.isEmpty else {
      throw .requestFailed("the workflow has no test file in the folder")
    }
    var words = ["test"] + (place.hasSuffix(bytes: ".test.json") ? [place] : own)
    words += ["--report", "json"]
    let orders = min(max(1, parameters?["orders"]?.number?.int ?? 1), 1000)
    if parameters?["isLive"]?.boolean ?? false {
      words.append("--live")
    } else if orders > 1 {
      words += ["--orders", String(orders)]
    }
    return words
  }

  /// The command that makes a test of a run or a recording.
  private mutating func newTest(_ parameters: JSONNode?) throws(RPCError) -> [String] {
    let place = try place(parameters)
    let isRecording = parameters?["recording"] != nil
    let source = isRecording ? try answersPath(parameters) : try stored(parameters).id
    let name = parameters?["name"]?.string ?? ""
    return ["new", "--test", source, "--workflow", place, "--name=\(name)"] + storeWords
  }

  // MARK: Before a run

  private mutating func form(_ parameters: JSONNode?) throws(RPCError) -> JSONValue {
    let place = try place(parameters)
    let error = RunText()
    let console = Console(output: RunText(), error: error, files: folder.files)
    guard
      let (_, plan) = PlanSource(console: console, color: .never, isQuiet: true).plan(
        at: place, to: "run")
    else { throw .requestFailed(error.text) }
    if let handler = plan.handlers.first { throw .requestFailed(handler.refusal) }
    let environments = [nil] + plan.workflow.environments.map { $0.name.value }
    return PageForm(
      plan: plan, variables: runs.variables,
      logins: environments.map { ($0, logins(of: plan, at: place, environment: $0)) }
    ).json
  }

  /// Inputs are read from stdin, so that no secret is on a command line or in a file.
  private static func inputs(_ parameters: JSONNode?) -> [String] {
    let environment = parameters?["environment"]?.string ?? ""
    return ["--inputs", "-"] + (environment.isEmpty ? [] : ["--environment=\(environment)"])
  }

  private static func given(_ parameters: JSONNode?) -> [UInt8] {
    guard let inputs = parameters?["inputs"], inputs.kind == .object else {
      return Array("{}".utf8)
    }
    return Array(inputs.text.utf8)
  }

  private mutating func start(_ parameters: JSONNode?) throws(RPCError) -> JSONValue {
    let place = try place(parameters)
    let only = parameters?["only"]?.string ?? ""
    let store = try kept()
    let id = Run.randomID()
    var arguments = ["run", place] + Self.inputs(parameters) + storeWords
    if !only.isEmpty { arguments.append("--only=\(only)") }
    do throws(JournalError) {
      arguments += ["--record", try store.prepareAnswers(ofRun: id)]
    } catch {
      throw .requestFailed(error.message)
    }
    begin(
      PageRuns.Order(
        run: id, place: place, only: only.isEmpty ? nil : only, arguments: arguments,
        input: Self.given(parameters)))
    return ["run": .string(id)]
  }

  private func begin(_ order: PageRuns.Order) {
    let runs = runs
    runs.expect(order)
    let (shelf, store) = (shelf, folder.store)
    begin {
      await runs.carryOut(order)
      // They are looked at next, and there may be many.
      if let path = store?.answers(ofRun: order.run) { _ = try? await shelf.answers(at: path) }
    }
  }

  // MARK: After a run

  private mutating func list(_ parameters: JSONNode?) throws(RPCError) -> JSONValue {
    let store = try kept()
    let only = parameters?["path"] == nil ? nil : realPath(of: try place(parameters))
    let now = folder.clock.wallTime
    let folder = folder
    let found = store.runs().filter { run in
      guard let path = run.path, folder.isInside(path) else { return false }
      return only.map { $0.equals(bytes: path) } ?? true
    }
    return .array(
      found.prefix(Self.mostRuns).map { run in
        [
          "id": .string(run.id), "path": .string(folder.relative(run.path ?? "")),
          "workflow": .string(run.workflow), "status": .string(run.status.rawValue),
          "started": .string(run.startText), "age": .string(run.age(at: now)),
          "duration": run.duration.map { JSONValue(Int($0 * 1_000_000)) } ?? .null,
          "requests": JSONValue(run.requests ?? 0), "failed": JSONValue(run.failed ?? 0),
          "inDoubt": JSONValue(run.inDoubt ?? 0),
          "hasAnswers": .boolean(store.answers(ofRun: run.id) != nil),
        ]
      })
  }

  private func resume(_ parameters: JSONNode?) throws(RPCError) -> JSONValue {
    let run = try stored(parameters)
    guard !runs.isRunning(run.id), run.status != .running else {
      throw .requestFailed("the run goes on; stop it first")
    }
    var arguments = ["resume", run.id, "--inputs", "-"] + storeWords
    for member in parameters?["settle"].map({ Array($0.members) }) ?? [] {
      guard let way = member.value.string else { continue }
      arguments.append("--settle=\(member.name)=\(way)")
    }
    for member in parameters?["answers"].map({ Array($0.members) }) ?? [] {
      guard let text = member.value.string else { continue }
      arguments.append("--answer=\(member.name)=\(text)")
    }
    begin(PageRuns.Order(run: run.id, arguments: arguments, input: Self.given(parameters)))
    return ["run": .string(run.id)]
  }

  /// The run that a call is about: one of the folder.
  private func stored(
    _ parameters: JSONNode?, _ name: String = "run"
  ) throws(RPCError) -> StoredRun {
    let id = try Self.runID(parameters, name)
    guard let run = try kept().run(id: id), let path = run.path, folder.isInside(path) else {
      throw .invalidParameters("there is no such run of a workflow in the folder")
    }
    return run
  }

  static func runID(
    _ parameters: JSONNode?, _ name: String = "run"
  ) throws(RPCError) -> String {
    let id = try text(parameters, name)
    guard PageGate.isRun(id) else { throw .invalidParameters("'\(name)' is not the id of a run") }
    return id
  }

  func kept() throws(RPCError) -> RunStore {
    guard let store = folder.store else {
      throw .requestFailed(
        "nothing is kept, so a run could not be shown; start 'pipeline ui' with --store DIR")
    }
    return store
  }
}
