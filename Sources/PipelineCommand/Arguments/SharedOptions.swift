internal import PipelineByteText
internal import PipelineLanguage

// Options that several commands have, each declared once.

/// The input values of a command line: `--set`, `--inputs`, `--answer` and `--secrets`.
struct InputOptions: Sendable {
  /// `name=value`, each name once.
  let assignments: [String]
  /// A file of values; `-` is stdin.
  let file: String?
  /// The configuration of secrets; `nil` for the usual one.
  let secrets: String?
  /// `step.name=value`, each name once.
  let answers: [String]

  /// - Parameter hasAnswers: Whether the command puts questions, or takes their answers.
  init(_ arguments: inout Arguments, hasAnswers: Bool = true) {
    assignments = arguments.values(
      "set", "NAME=VALUE", .assignment,
      help: "Set an input; the value is JSON if the input is not a string (repeatable)")
    file = arguments.value(
      "inputs", "FILE", .file(ending: ".json"),
      help: "Read inputs from a JSON object in FILE; '-' is stdin")
    answers =
      hasAnswers
      ? arguments.values(
        "answer", "STEP.NAME=VALUE", .any,
        help:
          "Answer a question of an 'ask' step beforehand; of one item: 'each.STEP[3].NAME=VALUE'"
          + " (repeatable)") : []
    secrets = arguments.value(
      "secrets", "FILE", .file(ending: ".json"),
      help: "Take secret inputs from where FILE says, instead of ~/.config/pipeline/secrets.json;"
        + " PIPELINE_SECRETS=FILE does the same")
  }
}

/// Which store a command line asks for: `--store` and `--no-store`.
struct StoreOptions: Sendable {
  /// The folder that is named.
  let folder: String?
  /// Whether nothing is to be kept.
  let isOff: Bool

  /// Nothing is kept.
  static let none = StoreOptions(isOff: true)
  /// The store of commands that have no option for it.
  static let standard = StoreOptions(isOff: false)

  /// The words that name the same store on another command line: ` --store DIR`, or nothing.
  var words: String { folder.map { " --store " + ShellWords.quoted($0) } ?? "" }

  private init(isOff: Bool) {
    folder = nil
    self.isOff = isOff
  }

  /// Both options.
  init(_ arguments: inout Arguments) {
    folder = Self.folder(&arguments)
    isOff = arguments.flag(
      "no-store", help: "Use no store; PIPELINE_STORE=off does the same")
  }

  /// The folder alone, for commands that need a store.
  init(needed arguments: inout Arguments) {
    folder = Self.folder(&arguments)
    isOff = false
  }

  private static func folder(_ arguments: inout Arguments) -> String? {
    arguments.value(
      "store", "DIR", .folder,
      help: "Use DIR as the store for data between runs; PIPELINE_STORE=DIR does the same")
  }
}

/// Which state of a workflow a command line means.
struct StateOptions: Sendable {
  /// The environment whose state it is; `nil` for the workflow's own choice.
  let environment: String?
  /// A file that is named instead of the store.
  let file: String?
  let store: StoreOptions

  init(environment: String?, file: String?, store: StoreOptions) {
    self.environment = environment
    self.file = file
    self.store = store
  }

  /// The options of a command that also uses the inputs of the environment.
  init(_ arguments: inout Arguments) {
    environment = arguments.environment(help: "Use the inputs of this environment of the workflow")
    file = arguments.stateFile()
    store = StoreOptions(&arguments)
  }
}

/// How much of a run is shown, and in which colours.
struct DisplayOptions: Sendable {
  let isQuiet: Bool
  let isVerbose: Bool
  let color: ColorChoice

  init(_ arguments: inout Arguments) {
    isQuiet = arguments.flag("quiet", letter: "q", help: "Show only failures")
    isVerbose = arguments.flag(
      "verbose", letter: "v", help: "Show every request with its times")
    color = arguments.color()
  }

  /// The problem with them; `nil` if there is none.
  var problem: String? {
    isQuiet && isVerbose ? "--quiet and --verbose contradict each other" : nil
  }
}

extension ColorChoice: WordChoice {}

extension Arguments {
  /// The workflow's file; `-` is stdin.
  mutating func workflow() -> String {
    operand("FILE", .file(ending: ".json"), help: "The workflow's file; '-' is stdin")
  }

  mutating func environment(help: String) -> String? {
    value("environment", letter: "e", "NAME", .environment, help: help)
  }

  mutating func stateFile() -> String? {
    value(
      "state", "FILE", .file(ending: ".json"),
      help: "Keep the workflow's state in FILE instead of the store")
  }

  /// A file of rows: the workflow is run for each of them.
  mutating func each() -> String? {
    value(
      "each", "FILE", .file(ending: nil),
      help: "Run the workflow once for each row of FILE, whose columns are inputs: .csv, .tsv,"
        + " .ndjson or .json")
  }

  /// The folders below which a run may also read files.
  mutating func allowedFolders() -> [String] {
    values(
      "allow-dir", "DIR", .folder,
      help: "Also let the workflow read files below DIR (repeatable)")
  }

  /// The folder below which a run saves files.
  mutating func outputFolder() -> String? {
    value(
      "output-dir", "DIR", .folder,
      help: "Save files below DIR instead of the current folder; DIR is created if it is missing")
  }

  mutating func color() -> ColorChoice {
    choice(
      "color", "WHEN",
      help: "When to use colours: auto (on a terminal, unless NO_COLOR is set), always or never")
      ?? .auto
  }

  /// The file for the outputs of a run.
  mutating func output() -> String? {
    output(
      .file(ending: nil), help: "Write the outputs to FILE, whole or not at all, instead of stdout")
  }

  /// The file in place of stdout; `nil` for stdout, even if `-` names it.
  mutating func output(_ values: Values, help: String) -> String? {
    let path = value("output", letter: "o", "FILE", values, help: help)
    return path.flatMap { $0.equals(bytes: "-") ? nil : $0 }
  }

  /// Where rows of a run go, in addition to stdout.
  mutating func sinks() -> [String] {
    values(
      "sink", "NAME=TARGET", .any,
      help: "Write the rows of an output or step to users.csv, .tsv, .ndjson, sqlite:FILE#TABLE or"
        + " singer:- (repeatable)")
  }

  /// The reports of a run.
  mutating func reports() -> [String] {
    values(
      "report", "KIND=FILE", .any,
      help: "Also report the run when it has ended: html=FILE, junit=FILE, tap=FILE, markdown=FILE,"
        + " har=FILE, otlp=FILE or github (repeatable)")
  }

  /// The file for the events of a run.
  mutating func events() -> String? {
    value(
      "events", "FILE", .file(ending: nil),
      help: "Write the run's events to FILE as JSON Lines")
  }
}
