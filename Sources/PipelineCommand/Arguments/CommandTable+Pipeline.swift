extension CommandTable {
  /// The command line of `pipeline`.
  static let pipeline = CommandTable(
    name: "pipeline",
    version: "0.1.0",
    summary: "Runs workflows of HTTP requests that are written as JSON.",
    options: [
      .help, Option(name: "version", help: "Show the version"),
    ],
    commands: [
      .run, .resume, .runs, .plan, .state, .graph, .lint, .explain, .format, .initialize, .new,
      .schema, .sandbox,
      .completions, .help,
    ],
    examples: [
      Example(
        line: "pipeline run workflows/users.json",
        meaning: "Run a workflow; its outputs go to stdout as JSON"),
      Example(line: "pipeline lint workflows", meaning: "Check every workflow of a folder"),
      Example(line: "pipeline run --help", meaning: "Show the help of a command"),
    ])
}

extension Operand {
  static let workflow = Operand(
    name: "FILE", arity: .one, help: "The workflow's file; '-' is stdin",
    values: .file(ending: ".json"))
}

extension Option {
  static let set = Option(
    name: "set", argument: Argument(name: "NAME=VALUE", values: .assignment), isRepeatable: true,
    help: "Set an input; the value is JSON if the input is not a string (repeatable)")
  static let inputs = Option(
    name: "inputs", argument: Argument(name: "FILE", values: .file(ending: ".json")),
    help: "Read inputs from a JSON object in FILE; '-' is stdin")
  static let environment = Option(
    name: "environment", letter: "e", argument: Argument(name: "NAME", values: .any),
    help: "Use the inputs of this environment of the workflow")
  static let help = Option(name: "help", letter: "h", help: "Show this help")
  static let color = Option(
    name: "color", argument: Argument(name: "WHEN", values: .oneOf(["auto", "always", "never"])),
    help: "When to use colours: auto (on a terminal, unless NO_COLOR is set), always or never")
}

extension Command {
  static let run = Command(
    name: "run",
    summary: "Run a workflow and print its outputs",
    discussion: [
      "Only the outputs go to stdout; progress and failures go to stderr. An input's value comes"
        + " from the first of these that has one: --set, --inputs, its environment variable, the"
        + " chosen environment, its default.",
      "The first Ctrl-C stops the run and runs its 'finally' steps. The second stops at once.",
    ],
    operands: [.workflow],
    options: [
      .set, .inputs, .environment, .state, .store, .noStore,
      Option(
        name: "output", letter: "o", argument: .init(name: "FILE", values: .file(ending: nil)),
        help: "Write the outputs to FILE, whole or not at all, instead of stdout"),
      Option(
        name: "format", argument: .init(name: "FORMAT", values: .oneOf(["json", "ndjson"])),
        help:
          "json: one indented value; ndjson: a line for each output, or for each row of a single list"
      ),
      Option(
        name: "concurrency", letter: "c",
        argument: .init(name: "N", values: .number(1...10_000)),
        help: "The maximum number of requests in flight, instead of the workflow's own limit"),
      Option(
        name: "allow-dir", argument: .init(name: "DIR", values: .folder), isRepeatable: true,
        help: "Also let the workflow read files below DIR (repeatable)"),
      Option(
        name: "output-dir", argument: .init(name: "DIR", values: .folder),
        help: "Save files below DIR instead of the current folder; DIR is created if it is"
          + " missing"),
      Option(
        name: "events", argument: .init(name: "FILE", values: .file(ending: nil)),
        help: "Write the run's events to FILE as JSON Lines"),
      Option(name: "quiet", letter: "q", help: "Show only failures"),
      Option(name: "verbose", letter: "v", help: "Show every request with its times"),
      .color, .help,
    ],
    examples: [
      Example(
        line: "pipeline run workflows/users.json --set page=2",
        meaning: "Run with an input of your own"),
      Example(
        line: "pipeline run workflows/users.json --environment live -o users.json",
        meaning: "Run against the live API and keep the outputs"),
      Example(
        line: "pipeline run workflows/users.json -q | jq .total",
        meaning: "Pick from the outputs with another tool"),
    ])

  static let resume = Command(
    name: "resume",
    summary: "Go on with a run that failed or was interrupted",
    discussion: [
      "Takes the values of all requests that were carried out, and sends the others. You may have"
        + " edited the file: what has changed is sent again, and so is what follows from it.",
      "Without RUN, resumes the newest run that has not succeeded. A request is in doubt if it must"
        + " not be sent twice and may have arrived. Then nothing is sent until --settle says what"
        + " became of it.",
    ],
    operands: [
      Operand(
        name: "RUN", arity: .optional, help: "The run's id, or the beginning of it", values: .any)
    ],
    options: [
      Option(name: "plan", help: "Show what would be taken and what would be sent; send nothing"),
      Option(
        name: "again", argument: .init(name: "STEP", values: .any), isRepeatable: true,
        help: "Carry this step out once more, with all that is inside of it (repeatable)"),
      Option(
        name: "settle", argument: .init(name: "STEP[ITEM]=HOW", values: .any), isRepeatable: true,
        help: "Say what became of a request in doubt: again, skip or done (repeatable)"),
      Option(
        name: "values", argument: .init(name: "JSON", values: .any),
        help: "What the step extracts, for --settle …=done: a JSON object"),
      .set, .inputs,
      Option(
        name: "output", letter: "o", argument: .init(name: "FILE", values: .file(ending: nil)),
        help: "Write the outputs to FILE, whole or not at all, instead of stdout"),
      Option(
        name: "format", argument: .init(name: "FORMAT", values: .oneOf(["json", "ndjson"])),
        help: "json: one indented value; ndjson: one line per output, or per row of an only list"),
      Option(
        name: "events", argument: .init(name: "FILE", values: .file(ending: nil)),
        help: "Write what happens to FILE as JSON Lines"),
      .store,
      Option(name: "quiet", letter: "q", help: "Show failures only"),
      Option(name: "verbose", letter: "v", help: "Show every request, with its times"),
      .color, .help,
    ],
    examples: [
      Example(line: "pipeline resume", meaning: "Go on with the newest run that has not succeeded"),
      Example(line: "pipeline resume k3f9 --plan", meaning: "Look before anything is sent"),
      Example(
        line: "pipeline resume k3f9 --settle 'create[3]=again'",
        meaning: "Send a request again whose outcome nobody knows"),
    ])

  static let runs = Command(
    name: "runs",
    summary: "List the runs that are kept, show one, or delete some",
    discussion: [
      "'pipeline runs' lists them. 'pipeline runs show RUN' shows the steps of one run with their"
        + " times and failures. 'pipeline runs delete RUN…' removes some. Runs are kept for 14 days,"
        + " and up to 1 GB."
    ],
    operands: [
      Operand(
        name: "show|delete RUN", arity: .many, help: "What to do, and with which run", values: .any)
    ],
    options: [Option(name: "json", help: "Print JSON"), .store, .help],
    examples: [
      Example(line: "pipeline runs", meaning: "List all runs, the newest first"),
      Example(line: "pipeline runs show k3f9", meaning: "Show the steps of one, and what failed"),
    ])

  static let lint = Command(
    name: "lint",
    summary: "Check workflow files without sending anything",
    discussion: [
      "Reports every problem in every file, with its place and the way out. A folder stands for"
        + " the workflow files below it: the *.json files that have \"steps\". Without operands, the"
        + " folder 'workflows' is checked, or the current folder if it does not exist."
    ],
    operands: [
      Operand(
        name: "FILE|FOLDER", arity: .many, help: "What to check", values: .file(ending: ".json"))
    ],
    options: [
      Option(
        name: "format",
        argument: .init(name: "FORMAT", values: .oneOf(["text", "json", "sarif", "github"])),
        help: "text, json, sarif (2.1.0) or github (annotations of a workflow run)"),
      Option(name: "strict", help: "Also fail on warnings"),
      Option(name: "fix", help: "Apply the safe fixes in place"),
      .color, .help,
    ],
    examples: [
      Example(line: "pipeline lint", meaning: "Check the workflows of this project"),
      Example(
        line: "pipeline lint --strict --format github workflows",
        meaning: "Check in CI, with annotations"),
    ])

  static let explain = Command(
    name: "explain",
    summary: "Explain a lint code",
    discussion: [
      "Each finding of lint ends with its code in brackets. Without a code, all codes are listed."
    ],
    operands: [
      Operand(
        name: "CODE", arity: .optional, help: "A code such as unknown-reference", values: .code)
    ],
    options: [.help],
    examples: [
      Example(
        line: "pipeline explain unknown-reference",
        meaning: "Show what is found, why it matters, and a better example")
    ])

  static let sandbox = Command(
    name: "sandbox",
    summary: "Serve the sample APIs on this machine",
    discussion: [
      "Serves on 127.0.0.1 until Ctrl-C. A workflow whose base URL begins with 'sandbox:' does not"
        + " need this server: 'pipeline run' serves the sample APIs itself."
    ],
    options: [
      Option(
        name: "port", letter: "p", argument: .init(name: "N", values: .number(0...65_535)),
        help: "The port to listen on; a free one by default"),
      .help,
    ],
    examples: [
      Example(line: "pipeline sandbox --port 8080", meaning: "Serve at http://127.0.0.1:8080")
    ])

  static let completions = Command(
    name: "completions",
    summary: "Print a completion script for a shell",
    operands: [
      Operand(
        name: "SHELL", arity: .one, help: "bash, zsh or fish",
        values: .oneOf(Shell.allCases.map(\.rawValue)))
    ],
    options: [.help],
    examples: [
      Example(
        line: "source <(pipeline completions bash)", meaning: "Complete in this bash session"),
      Example(
        line: "pipeline completions zsh > ~/.zfunc/_pipeline",
        meaning: "Install for zsh, with ~/.zfunc in $fpath"),
      Example(
        line: "pipeline completions fish > ~/.config/fish/completions/pipeline.fish",
        meaning: "Install for fish"),
    ])

  static let help = Command(
    name: "help",
    summary: "Show the help of a command",
    operands: [
      Operand(name: "COMMAND", arity: .optional, help: "A command's name", values: .any)
    ],
    options: [.help],
    examples: [Example(line: "pipeline help run", meaning: "The same as pipeline run --help")])
}
