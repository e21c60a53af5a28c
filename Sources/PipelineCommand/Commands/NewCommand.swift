internal import PipelineByteText
/// `pipeline new`: a workflow made of something else.
struct NewCommand: ComputedCommand {
  /// The curl command; `-` is stdin.
  private let curl: String?
  private let description: String?
  private let operations: [String]
  private let isList: Bool

  private static let sizeLimit = 16 << 20

  static let page = CommandPage(
    name: "new",
    summary: "Make a workflow from a curl command or an API description",
    discussion: [
      "Prints a workflow with one step that sends the same request as the curl command. Tokens"
        + " and passwords become secret inputs; their values are not kept. Options that are not"
        + " taken over are named on stderr.",
      "--api reads a description (Swagger 2.0, OpenAPI 3.0 to 3.2, in JSON or YAML) and prints a"
        + " workflow with a step for each operation, in the order of their data. Required values"
        + " that no response gives become typed inputs.",
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
  }

  func run(in program: Program) -> ExitStatus {
    let console = program.console
    guard (curl == nil) != (description == nil) else {
      console.complain(
        "give either --curl or --api: pipeline new --curl 'curl https://…' or pipeline new --api FILE"
      )
      return .usage
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
