/// `pipeline help`: the help of a command, or of the program.
struct HelpCommand: ComputedCommand {
  private let command: String?

  static let page = CommandPage(
    name: "help",
    summary: "Show the help of a command",
    examples: [Example(line: "pipeline help run", meaning: "The same as pipeline run --help")])

  init(_ arguments: inout Arguments) {
    command = arguments.optionalOperand("COMMAND", .command, help: "A command's name")
  }

  func run(in program: Program) -> ExitStatus {
    do throws(UsageError) {
      var shown: Command?
      if let command { shown = try program.table.command(named: command) }
      program.showHelp(of: shown)
      return .success
    } catch {
      program.console.complain(error.message)
      return .usage
    }
  }
}
