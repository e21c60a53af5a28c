internal import PipelineByteText
internal import PipelineSourceText

/// All that a command line may say.
///
/// The one source of parsing, help and completions: every option that exists is declared here.
struct CommandTable: Sendable {
  var name: String
  var version: String
  var summary: String
  var options: [Option]
  var commands: [Command]
  var examples: [Example]
  /// What a new user can do without a workflow.
  var firstSteps: [Example]

  /// - Parameter others: Further words that would have been understood.
  /// - Throws: An error if there is no such command.
  func command(named name: String, or others: [String] = []) throws(UsageError) -> Command {
    if let command = commands.first(where: { $0.name == name }) { return command }
    if name.hasSuffix(bytes: ".json") {
      throw UsageError(
        message: "unknown command '\(name)'; did you mean '\(self.name) run \(name)'?")
    }
    throw UsageError(
      message: "unknown command '\(name)'"
        + Spelling.didYouMean(name, among: commands.map(\.name) + others))
  }
}

/// A word of the command line that belongs to no option.
struct Operand: Sendable {
  enum Arity: Sendable {
    case one
    case optional
    /// Any number, none included.
    case many
  }

  var name: String
  var arity: Arity
  var help: String
  var values: Values
}

/// A word that begins with dashes.
struct Option: Sendable {
  /// Without its dashes.
  var name: String
  var letter: Character?
  /// The value of the option; `nil` for a flag.
  var argument: Argument?
  var isRepeatable = false
  var help: String

  /// The kind of an option's value.
  struct Argument: Sendable {
    /// As help shows it: `FILE`.
    var name: String
    var values: Values
  }

  /// The option as written: `--output`, `-o`.
  var words: [String] { ["--" + name] + (letter.map { ["-\($0)"] } ?? []) }

  static let help = Option(name: "help", letter: "h", help: "Show this help")
  static let version = Option(name: "version", help: "Show the version")
}

/// The values that an operand or an option takes: checked when parsed, offered when completed.
enum Values: Sendable {
  case any
  /// A file whose name ends so, or in any way.
  case file(ending: String?)
  case folder
  case oneOf([String])
  case number(ClosedRange<Int>)
  /// A code of lint, or a word of the language.
  case topic
  /// A command of the program.
  case command
  /// `name=value`.
  case assignment
  /// A step of the workflow that the line names.
  case step
  /// An environment of the workflow that the line names.
  case environment
  /// A run of the store.
  case run
}

/// A command line for help, and its meaning.
struct Example: Sendable {
  var line: String
  var meaning: String
}
