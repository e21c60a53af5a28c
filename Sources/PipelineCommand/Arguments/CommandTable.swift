/// All that a command line may say.
///
/// The one source of parsing, help and completions: what is not here does not exist, and what is
/// here is parsed, explained and completed.
struct CommandTable: Sendable {
  var name: String
  var version: String
  var summary: String
  var options: [Option]
  var commands: [Command]
  var examples: [Example]

  func command(named name: String) -> Command? { commands.first { $0.name == name } }
}

/// One thing that the program does.
struct Command: Sendable {
  var name: String
  /// One line, as an imperative without a period.
  var summary: String
  /// Further paragraphs for its own help.
  var discussion: [String] = []
  var operands: [Operand] = []
  var options: [Option] = []
  var examples: [Example] = []

  func option(named name: String) -> Option? { options.first { $0.name == name } }
  func option(letter: Character) -> Option? { options.first { $0.letter == letter } }
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
  /// What follows the option; `nil` for a flag.
  var argument: Argument?
  var isRepeatable = false
  var help: String

  /// What an option takes.
  struct Argument: Sendable {
    /// As help shows it: `FILE`.
    var name: String
    var values: Values
  }
}

/// The values that an operand or an option takes: checked when parsed, offered when completed.
enum Values: Sendable {
  case any
  /// A file whose name ends so, or in any way.
  case file(ending: String?)
  case folder
  case oneOf([String])
  case number(ClosedRange<Int>)
  /// A code of lint.
  case code
  /// `name=value`.
  case assignment
}

/// A command line for help, and what it does.
struct Example: Sendable {
  var line: String
  var meaning: String
}
