extension CommandTable {
  /// The command line of `pipeline`.
  static let pipeline = CommandTable(
    name: "pipeline",
    version: "0.2.0",
    summary: "Runs workflows of HTTP requests that are written as JSON.",
    options: [.help, .version],
    commands: [
      Command(RunCommand.self),
      Command(ResumeCommand.self),
      Command(RunsCommand.self),
      Command(ReportCommand.self),
      Command(PartCommand.self),
      Command(TestCommand.self),
      Command(TryCommand.self),
      Command(LoginCommand.self),
      Command(CredentialsCommand.self),
      Command(PlanCommand.self),
      Command(StateCommand.self),
      Command(GraphCommand.self),
      Command(LintCommand.self),
      Command(ExplainCommand.self),
      Command(FormatCommand.self),
      Command(InitCommand.self),
      Command(NewCommand.self),
      Command(ImportCommand.self),
      Command(APICommand.self),
      Command(SchemaCommand.self),
      Command(ExportCommand.self),
      Command(LanguageServerCommand.self),
      Command(PageCommand.self),
      Command(SandboxCommand.self),
      Command(CompletionsCommand.self),
      Command(HelpCommand.self),
    ],
    examples: [
      Example(
        line: "pipeline run workflows/users.json",
        meaning: "Run a workflow; its outputs go to stdout as JSON"),
      Example(line: "pipeline lint workflows", meaning: "Check every workflow of a folder"),
      Example(line: "pipeline run --help", meaning: "Show the help of a command"),
    ],
    firstSteps: [
      Example(
        line: "pipeline init users",
        meaning: "Write users.json, a workflow that runs without an API of your own"),
      Example(line: "pipeline lint users.json", meaning: "Check it without sending anything"),
      Example(line: "pipeline run users.json", meaning: "Run it"),
      Example(
        line: "pipeline new --curl 'curl https://…' > mine.json",
        meaning: "Make a workflow from a curl command"),
      Example(
        line: "pipeline new --api openapi.yaml --list",
        meaning: "List the operations of an API, to make a workflow from some of them"),
      Example(
        line: "pipeline import collection.json -o mine.json",
        meaning: "Turn another tool's requests, or a recording of a browser, into a workflow"),
    ])
}
