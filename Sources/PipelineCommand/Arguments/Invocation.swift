/// A command line that was parsed. Its command takes what it says through `Arguments`.
struct Invocation: Sendable {
  let command: Command
  var operands: [String] = []
  /// The values of each option, by its name. A flag has an empty one.
  private var values: [String: [String]] = [:]

  init(command: Command) {
    self.command = command
  }

  /// All values of an option, in order.
  func values(of option: Option) -> [String] { values[option.name] ?? [] }

  /// Whether the option was given.
  func has(_ option: Option) -> Bool { values[option.name] != nil }

  mutating func add(_ value: String, to option: Option) {
    values[option.name, default: []].append(value)
  }

  /// The command with the values of the line.
  var action: Command.Action { command.action(for: self) }
}
