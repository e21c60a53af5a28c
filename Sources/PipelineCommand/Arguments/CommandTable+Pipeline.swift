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
    ])
}
