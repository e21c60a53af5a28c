/// A command line that was understood.
struct Invocation: Sendable {
  var command: Command
  var operands: [String] = []
  private var values: [String: [String]] = [:]

  init(command: Command) {
    self.command = command
  }

  /// The option's value; the last where it was given more than once.
  func value(_ option: String) -> String? { values[option]?.last }

  /// All values of a repeatable option, in order.
  func values(_ option: String) -> [String] { values[option] ?? [] }

  /// The value of an option that takes a number.
  func number(_ option: String) -> Int? { value(option).flatMap { Int($0) } }

  /// Whether the option was given.
  func has(_ option: String) -> Bool { values[option] != nil }

  mutating func add(_ value: String, to option: String) {
    values[option, default: []].append(value)
  }
}

/// A command line that was not understood.
struct UsageError: Error, Equatable {
  /// One phrase that ends with the way out.
  var message: String
  /// The command whose help explains more.
  var command: String?
}
