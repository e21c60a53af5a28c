// The commands of those who write workflows.
extension Command {
  static let plan = Command(
    name: "plan",
    summary: "Show what would run, without sending anything",
    discussion: [
      "Steps stand in the order in which they become ready; those with the same number may run at"
        + " the same time. Each shows what it follows, with the reference behind that and its"
        + " place, and its request with the inputs filled in. Secrets are shown as •••."
    ],
    operands: [.workflow],
    options: [
      .set, .inputs, .environment, .color, .help,
    ],
    examples: [
      Example(
        line: "pipeline plan workflows/users.json --set page=2",
        meaning: "Look at the requests before they are sent")
    ])

  static let graph = Command(
    name: "graph",
    summary: "Draw the steps of a workflow and what each follows",
    operands: [.workflow],
    options: [
      Option(
        name: "format",
        argument: .init(
          name: "FORMAT", values: .oneOf(GraphCommand.Format.allCases.map(\.rawValue))),
        help: "text, mermaid, dot (Graphviz), svg or html (one page that needs nothing else)"),
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
    summary: "Write workflow files in their canonical form",
    discussion: [
      "The form depends on the content alone: two spaces, a line for each member of the file and each"
        + " of its steps, and one line for anything else that fits into 100 columns. Keys"
        + " keep their order, numbers and strings their text. A file with JSON errors is left as"
        + " it is. '-' formats stdin to stdout."
    ],
    operands: [
      Operand(
        name: "FILE|FOLDER", arity: .many, help: "What to format", values: .file(ending: ".json"))
    ],
    options: [
      Option(name: "check", help: "Change nothing; name the files that would, and fail if any"),
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
      "Editors complete and check workflow files with it; docs/editors.md shows how."
    ],
    options: [.help],
    examples: [
      Example(
        line: "pipeline schema > workflow.schema.json",
        meaning: "Keep it beside the workflows, for \"$schema\": \"./workflow.schema.json\"")
    ])

  static let initialize = Command(
    name: "init",
    summary: "Write a workflow to start from",
    discussion: [
      "Writes NAME.json: a workflow with descriptions that runs on the sandbox as it is. A file"
        + " that exists is never overwritten."
    ],
    operands: [
      Operand(
        name: "NAME", arity: .optional,
        help: "The workflow's name, or its path; 'workflow' if none",
        values: .file(ending: ".json"))
    ],
    options: [.help],
    examples: [
      Example(line: "pipeline init users", meaning: "Write users.json, and say how to run it")
    ])

  static let new = Command(
    name: "new",
    summary: "Turn a curl command into a workflow",
    discussion: [
      "Prints a workflow of one step that sends what the curl command sends. Tokens and passwords"
        + " become secret inputs; their values are not kept. What is not carried over is named on"
        + " stderr."
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
        meaning: "Begin with a command that was copied in a browser"),
      Example(
        line: "pipeline new --curl \"$(pbpaste)\"", meaning: "The same, to look at it first"),
    ])
}
