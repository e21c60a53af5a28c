internal import PipelineByteText
internal import PipelineJSONText
internal import PipelineKit

/// `pipeline init`: a workflow to start from.
struct InitCommand: ComputedCommand {
  /// The workflow's name or path.
  private let name: String

  static let page = CommandPage(
    name: "init",
    summary: "Write a starter workflow",
    discussion: [
      "Writes NAME.json: a workflow with descriptions that runs on the sandbox without changes. An"
        + " existing file is never overwritten."
    ],
    examples: [
      Example(line: "pipeline init users", meaning: "Write users.json and show how to run it")
    ])

  init(_ arguments: inout Arguments) {
    name =
      arguments.optionalOperand(
        "NAME", .file(ending: ".json"),
        help: "The workflow's name or path; 'workflow' by default") ?? "workflow"
  }

  func run(in program: Program) -> ExitStatus {
    let console = program.console
    let path = Self.path(of: name)
    let name = String(path.split(ascii: "/").last?.dropLast(bytes: 5) ?? "workflow")
    guard !name.isEmpty else {
      console.complain("'\(path)' has no name before '.json'")
      return .usage
    }
    do throws(PathProblem) {
      try NewFile.create(path, Starter.text(name: name), by: "init")
    } catch {
      console.complain("cannot write '\(error.path)': \(error.reason)")
      return .failure
    }
    console.error.write(
      line: "Wrote \(path). Run it with: pipeline run \(ShellWords.quoted(path))")
    return .success
  }

  private static func path(of name: String) -> String {
    name.hasSuffix(bytes: ".json") ? name : name + ".json"
  }
}

/// The workflow that `pipeline init` writes: formatted, clean, and at home on the sandbox.
enum Starter {
  static func text(name: String) -> [UInt8] {
    var writer = JSONWriter()
    writer.string(name)
    let quoted = String(decoding: writer.bytes, as: UTF8.self)
    return Array(template.replacing(bytes: "\"NAME\"", with: quoted).utf8)
  }

  private static let template = """
    {
      "format": 1,
      "name": "NAME",
      "description": "List one page of users, then fetch each of them. Change 'api' to call your own API.",
      "inputs": {
        "api": {
          "type": "string",
          "default": "sandbox:/reqres",
          "description": "Where the API is. 'sandbox:' is served on this machine for the time of the run."
        },
        "page": { "type": "integer", "default": 1, "description": "Give another with --set page=2." }
      },
      "defaults": { "baseURL": "{{inputs.api}}", "timeout": "10s", "retry": 3 },
      "steps": [
        {
          "id": "list",
          "description": "Endpoints are appended to 'baseURL'. What is extracted can be read by other steps.",
          "endpoint": "GET /users",
          "query": { "page": "{{inputs.page}}" },
          "extract": { "ids": "$.data[*].id", "total": "$.total" }
        },
        {
          "id": "user",
          "description": "Runs once for each id, several at once; it waits for 'list' because it reads from it.",
          "forEach": "$.list.ids",
          "as": "id",
          "endpoint": "GET /users/{{id}}",
          "extract": { "name": "$.data.first_name", "email": "$.data.email" }
        }
      ],
      "outputs": { "total": "{{list.total}}", "users": "{{user}}" }
    }

    """
}
