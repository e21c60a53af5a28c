internal import PipelineByteText
internal import PipelineKit
internal import PipelineLanguage
internal import PipelineLint
internal import PipelineSourceText
internal import SQLiteJournals

/// `pipeline completions`: a script that completes our command lines, and the words that it asks for.
struct CompletionsCommand: ComputedCommand {
  private let shell: Shell?
  private let file: String?
  private let words: Kind?
  private let store: StoreOptions

  /// The things in a workflow, or in the store, that have names.
  private enum Kind: String, WordChoice {
    case inputs, environments, steps, runs
  }

  static let page = CommandPage(
    name: "completions",
    summary: "Print a completion script for a shell",
    discussion: [
      "The script offers options and files, and asks this command for the inputs, environments and"
        + " steps of the workflow that the line names, and for the runs of the store."
    ],
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
    shell = arguments.optionalChoiceOperand("SHELL", help: "bash, zsh or fish")
    words = arguments.choice(
      "words", "KIND",
      help: "Print what a script offers: inputs, environments, steps or runs, one a line")
    file = arguments.value(
      "file", "FILE", .file(ending: ".json"), help: "The workflow whose names --words prints")
    store = StoreOptions(&arguments)
  }

  func run(in program: Program) -> ExitStatus {
    let console = program.console
    if let words {
      // A word is a line. What would not be seen on it is not offered.
      for word in names(words, console) where Cells.printable(word).equals(bytes: word) {
        console.data.write(word + "\n")
      }
      return .success
    }
    guard let shell else {
      console.complain("SHELL is missing: pipeline completions bash")
      return .usage
    }
    let completions = Completions(table: program.table, topics: ExplainCommand.topics)
    console.data.write(completions.script(for: shell))
    return .success
  }

  /// The words that may follow; none from a file that cannot be read. Tab must not print a message.
  private func names(_ kind: Kind, _ console: Console) -> [String] {
    if kind == .runs {
      guard
        case .folder(let folder, _)? = try? StoreLocation(
          store, environment: console.environment)
      else { return [] }
      return RunStore(path: folder + "/runs").runs().map(\.id)
    }
    guard let file, case .success(let source) = WorkflowFiles(files: console.files).read(file)
    else { return [] }
    let linted = Linter(loader: LintedFiles(root: file, allowed: [], files: console.files))
      .lint(source)
    switch kind {
    case .inputs: return linted.workflow?.inputs.map { $0.name + "=" } ?? []
    case .environments: return linted.workflow?.environments.map(\.name.value) ?? []
    case .steps: return linted.workflow?.block.steps.map(\.id.value) ?? []
    case .runs: return []
    }
  }
}
