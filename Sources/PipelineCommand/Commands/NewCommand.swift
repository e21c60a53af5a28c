internal import PipelineByteText
/// `pipeline new`: a workflow or a test made of something else.
struct NewCommand: WaitingCommand {
  /// The curl command; `-` is stdin.
  private let curl: String?
  private let description: String?
  private let operations: [String]
  private let isList: Bool
  private let test: NewTest?
  /// Options that go with `--test` and are given without it.
  private let strays: [String]

  private static let sizeLimit = 16 << 20

  static let page = CommandPage(
    name: "new",
    summary: "Make a workflow from a curl command or an API description, or a test from a run",
    discussion: [
      "Prints a workflow with one step that sends the same request as the curl command. Tokens"
        + " and passwords become secret inputs; their values are not kept. Options that are not"
        + " taken over are named on stderr.",
      "--api reads a description (Swagger 2.0, OpenAPI 3.0 to 3.2, in JSON or YAML) and prints a"
        + " workflow with a step for each operation, in the order of their data. Required values"
        + " that no response gives become typed inputs.",
      "--test makes a test that replays a run whose answers were kept, or a recording, and expects"
        + " what comes of it. It is added to the workflow's test file. Nothing is sent.",
    ],
    examples: [
      Example(
        line: "pbpaste | pipeline new --curl - > users.json",
        meaning: "Start from a command that was copied in a browser"),
      Example(
        line: "pipeline new --curl \"$(pbpaste)\"", meaning: "The same, printed to the terminal"),
      Example(line: "pipeline new --api petstore.yaml --list", meaning: "The operations of an API"),
      Example(
        line: "pipeline new --api petstore.yaml --operations createPet,getPet > pets.json",
        meaning: "Start from two of them"),
      Example(line: "pipeline new --test k3f9", meaning: "A kept run becomes a test"),
      Example(
        line: "pipeline new --test users.har --set page=2",
        meaning: "A recording, made with an input of its own"),
    ])

  init(_ arguments: inout Arguments) {
    curl = arguments.value(
      "curl", "COMMAND", .any, help: "The curl command, as one word; '-' reads it from stdin")
    description = arguments.value(
      "api", "FILE", .file(ending: nil), help: "An API's description, in JSON or YAML")
    operations =
      arguments.value(
        "operations", "A,B,…", .any,
        help: "With --api: only these operations, by operationId or as 'GET /path'")?
      .split(ascii: ",").map { String($0).trimmed } ?? []
    isList = arguments.flag("list", help: "With --api: print its operations, not a workflow")
    let source = arguments.value(
      "test", "RUN|FILE", .file(ending: ".har"),
      help: "The run's id, or the beginning of it, or its recording as a HAR file")
    let workflow = arguments.value(
      "workflow", "FILE", .file(ending: ".json"),
      help: "With --test: the workflow, if it is not that of the run, or named like the recording")
    let name = arguments.value(
      "name", "TEXT", .any, help: "With --test: the test's name; by default 'as recorded'")
    let target = arguments.value(
      "output", letter: "o", "FILE", .file(ending: ".test.json"),
      help: "With --test: the test file; by default NAME.test.json beside the workflow, or in the"
        + " folder 'tests' there")
    let assignments = arguments.values(
      "set", "NAME=VALUE", .assignment,
      help: "With --test: an input that the recording was made with (repeatable)")
    let inputs = arguments.value(
      "inputs", "FILE", .file(ending: ".json"),
      help: "With --test: more such inputs, from a JSON object in FILE; '-' is stdin")
    let environment = arguments.environment(
      help: "With --test: the environment that the recording was made with")
    let store = StoreOptions(needed: &arguments)
    test = source.map {
      NewTest(
        source: $0, workflow: workflow, name: name ?? "as recorded", target: target,
        assignments: assignments, inputs: inputs, environment: environment, store: store)
    }
    let others = [
      ("--workflow", workflow), ("--name", name), ("--output", target), ("--inputs", inputs),
      ("--environment", environment), ("--store", store.folder), ("--set", assignments.first),
    ]
    strays = source == nil ? others.filter { $0.1 != nil }.map(\.0) : []
  }

  func run(in program: Program) async -> ExitStatus {
    let console = program.console
    guard [curl, description, test?.source].count(where: { $0 != nil }) == 1 else {
      console.complain(
        "give one of --curl, --api and --test: pipeline new --curl 'curl https://…', pipeline new"
          + " --api FILE or pipeline new --test RUN")
      return .usage
    }
    if let stray = strays.first {
      console.complain("\(stray) goes with --test")
      return .usage
    }
    if let test {
      guard operations.isEmpty, !isList else {
        console.complain("--operations and --list go with --api")
        return .usage
      }
      return await test.run(in: program)
    }
    if let description {
      return DescribedAPI(path: description, operations: operations, isList: isList).run(console)
    }
    guard let curl, operations.isEmpty, !isList else {
      console.complain("--operations and --list go with --api")
      return .usage
    }
    do {
      let text = curl == "-" ? try Self.input(console.files) : curl
      console.json.write(try Self.workflow(of: text, console))
      return .success
    } catch let problem as ShellWords.Problem {
      console.complain("the curl command cannot be read: \(problem.message)")
    } catch let problem as PathProblem {
      console.complain("the curl command cannot be read: \(problem.reason)")
    } catch {
      console.complain("the curl command cannot be read")
    }
    return .usage
  }

  /// The workflow of a curl command. What is not taken over is named on stderr.
  static func workflow(
    of command: String, _ console: Console
  ) throws(ShellWords.Problem) -> [UInt8] {
    var workflow = CurlWorkflow(try CurlCommand(command))
    let text = workflow.text()
    for note in workflow.notes { console.error.write(line: "note: \(note)") }
    return text
  }

  private static func input(_ files: FileSystem) throws(PathProblem) -> String {
    let bytes = try files.readInput(sizeLimit)
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw PathProblem(path: "-", reason: "stdin is not UTF-8")
    }
    return text
  }
}
