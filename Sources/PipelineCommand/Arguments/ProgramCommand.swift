internal import PipelineByteText

/// One thing that the program does: its properties are its options, and `run` is its action.
///
/// A command conforms to `ComputedCommand` or to `WaitingCommand`.
protocol ProgramCommand: Sendable {
  /// The help text, apart from its options.
  static var page: CommandPage { get }

  /// Declares what the command line may say, and takes what it says.
  init(_ arguments: inout Arguments)
}

/// A command that waits for nothing. It runs on the thread that asks.
protocol ComputedCommand: ProgramCommand {
  func run(in program: Program) -> ExitStatus
}

/// A command that waits for a network, a clock or a signal.
protocol WaitingCommand: ProgramCommand {
  func run(in program: Program) async -> ExitStatus
}

/// The help text of a command, apart from its operands and options.
struct CommandPage: Sendable {
  var name: String
  /// One line, as an imperative without a period.
  var summary: String
  /// Further paragraphs for the command's own help.
  var discussion: [String] = []
  var examples: [Example] = []
}

/// A command of the table: its page, what its line may say, and how it is made of a line.
struct Command: Sendable {
  let page: CommandPage
  let operands: [Operand]
  let options: [Option]
  private let make: @Sendable (Invocation) -> Action

  /// A command that is ready to run.
  enum Action: Sendable {
    case computed(any ComputedCommand)
    case waiting(any WaitingCommand)
  }

  init(_ type: (some ComputedCommand).Type) {
    self.init(type) { .computed($0) }
  }

  init(_ type: (some WaitingCommand).Type) {
    self.init(type) { .waiting($0) }
  }

  private init<Kind: ProgramCommand>(
    _ type: Kind.Type, action: @escaping @Sendable (Kind) -> Action
  ) {
    var declarations = Arguments()
    _ = Kind(&declarations)
    page = Kind.page
    operands = declarations.operands
    // Every command has it, so none declares it.
    options = declarations.options + [.help]
    make = { invocation in
      var arguments = Arguments(invocation)
      return action(Kind(&arguments))
    }
  }

  var name: String { page.name }

  func option(named name: String) -> Option? { options.first { $0.name == name } }
  func option(letter: Character) -> Option? { options.first { $0.letter == letter } }

  /// Whether `word` is one of those that an option takes.
  func takes(_ word: String, for name: String) -> Bool {
    guard case .oneOf(let words)? = option(named: name)?.argument?.values else { return false }
    return words.contains(bytes: word)
  }

  /// The command with the values of a line.
  func action(for invocation: Invocation) -> Action { make(invocation) }
}
