/// `pipeline new`: a workflow made of something else.
struct NewCommand: ComputedCommand {
  /// The curl command; `-` is stdin.
  private let curl: String?

  private static let sizeLimit = 16 << 20

  static let page = CommandPage(
    name: "new",
    summary: "Turn a curl command into a workflow",
    discussion: [
      "Prints a workflow with one step that sends the same request as the curl command. Tokens"
        + " and passwords become secret inputs; their values are not kept. Options that are not"
        + " taken over are named on stderr."
    ],
    examples: [
      Example(
        line: "pbpaste | pipeline new --curl - > users.json",
        meaning: "Start from a command that was copied in a browser"),
      Example(
        line: "pipeline new --curl \"$(pbpaste)\"", meaning: "The same, printed to the terminal"),
    ])

  init(_ arguments: inout Arguments) {
    curl = arguments.value(
      "curl", "COMMAND", .any, help: "The curl command, as one word; '-' reads it from stdin")
  }

  func run(in program: Program) -> ExitStatus {
    let console = program.console
    guard let curl else {
      console.complain("--curl is missing: pipeline new --curl 'curl https://…'")
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
