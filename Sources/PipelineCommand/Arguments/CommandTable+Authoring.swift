// The commands of those who write workflows.
extension Command {
  static let plan = Command(
    name: "plan",
    summary: "Show what would run, without sending anything",
    discussion: [
      "Steps are listed in the order in which they become ready. Steps with the same number may"
        + " run at the same time. Each step is shown with its dependencies, the references that"
        + " cause them, and its request with the inputs filled in. Secrets are shown as •••."
    ],
    operands: [.workflow],
    options: [
      .set, .inputs, .environment, .state, .store, .noStore, .color, .help,
    ],
    examples: [
      Example(
        line: "pipeline plan workflows/users.json --set page=2",
        meaning: "Look at the requests before they are sent")
    ])

  static let graph = Command(
    name: "graph",
    summary: "Draw the steps of a workflow and their dependencies",
    operands: [.workflow],
    options: [
      Option(
        name: "format",
        argument: .init(
          name: "FORMAT", values: .oneOf(GraphCommand.Format.allCases.map(\.rawValue))),
        help: "text, mermaid, dot (Graphviz), svg or html (one self-contained page)"),
      .color, .help,
    ],
    examples: [
      Example(line: "pipeline graph workflows/users.json", meaning: "List the steps by stage"),
      Example(
        line: "pipeline graph workflows/users.json --format html > users.html",
        meaning: "Draw it for a browser"),
    ])

  static let format = Command(
    name: "format",
    summary: "Rewrite workflow files in their canonical form",
    discussion: [
      "The form depends only on the content: an indentation of two spaces, a line for each"
        + " member of the file and each step, and one line for any other value that fits into 100"
        + " columns. Keys keep their order, and numbers and strings keep their text. A file with"
        + " JSON errors is left as it is. '-' formats stdin to stdout."
    ],
    operands: [
      Operand(
        name: "FILE|FOLDER", arity: .many, help: "What to format", values: .file(ending: ".json"))
    ],
    options: [
      Option(
        name: "check",
        help: "Change nothing; list the files that would change, and fail if there are any"),
      .help,
    ],
    examples: [
      Example(line: "pipeline format workflows", meaning: "Format every workflow of a folder"),
      Example(line: "pipeline format --check workflows", meaning: "Check in CI"),
    ])

  static let schema = Command(
    name: "schema",
    summary: "Print the JSON Schema of workflow files",
    discussion: [
      "Editors use it to complete and check workflow files; docs/editors.md shows how."
    ],
    options: [.help],
    examples: [
      Example(
        line: "pipeline schema > workflow.schema.json",
        meaning: "Keep it beside the workflows, for \"$schema\": \"./workflow.schema.json\"")
    ])

  static let initialize = Command(
    name: "init",
    summary: "Write a starter workflow",
    discussion: [
      "Writes NAME.json: a workflow with descriptions that runs on the sandbox without changes. An"
        + " existing file is never overwritten."
    ],
    operands: [
      Operand(
        name: "NAME", arity: .optional,
        help: "The workflow's name or path; 'workflow' by default",
        values: .file(ending: ".json"))
    ],
    options: [.help],
    examples: [
      Example(line: "pipeline init users", meaning: "Write users.json and show how to run it")
    ])

  static let new = Command(
    name: "new",
    summary: "Turn a curl command into a workflow",
    discussion: [
      "Prints a workflow with one step that sends the same request as the curl command. Tokens"
        + " and passwords become secret inputs; their values are not kept. Options that are not"
        + " taken over are named on stderr."
    ],
    options: [
      Option(
        name: "curl", argument: .init(name: "COMMAND", values: .any),
        help: "The curl command, as one word; '-' reads it from stdin"),
      .help,
    ],
    examples: [
      Example(
        line: "pbpaste | pipeline new --curl - > users.json",
        meaning: "Start from a command that was copied in a browser"),
      Example(
        line: "pipeline new --curl \"$(pbpaste)\"", meaning: "The same, printed to the terminal"),
    ])
}
