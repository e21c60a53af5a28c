internal import Workflows

/// `pipeline completions`: a script that completes our command lines.
struct CompletionsCommand: ComputedCommand {
  private let shell: Shell

  static let page = CommandPage(
    name: "completions",
    summary: "Print a completion script for a shell",
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

  init(_ arguments: inout Arguments) {
    shell = arguments.choiceOperand("SHELL", help: "bash, zsh or fish") ?? .bash
  }

  func run(in program: Program) -> ExitStatus {
    let completions = Completions(table: program.table, codes: Explanation.all.map(\.code))
    program.console.output.write(completions.script(for: shell))
    return .success
  }
}
