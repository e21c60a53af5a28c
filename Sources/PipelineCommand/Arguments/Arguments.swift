/// Where a command declares what its command line may say, and takes what it says.
///
/// The two are one call, so an option that is not declared cannot be read. A command's initializer
/// runs once without a line, for parsing, help and completions, and once for the line that was
/// given. It must therefore make the same calls each time.
struct Arguments {
  /// The declared options, in the order of help.
  private(set) var operands: [Operand] = []
  private(set) var options: [Option] = []
  /// `nil` if only the declarations matter.
  private let invocation: Invocation?

  init(_ invocation: Invocation? = nil) {
    self.invocation = invocation
  }

  // MARK: Options

  /// Whether a flag is given.
  mutating func flag(_ name: String, letter: Character? = nil, help: String) -> Bool {
    let option = Option(name: name, letter: letter, help: help)
    options.append(option)
    return invocation?.has(option) ?? false
  }

  /// The value of an option.
  ///
  /// - Parameter argument: The value's name in help, such as `FILE`.
  mutating func value(
    _ name: String, letter: Character? = nil, _ argument: String, _ values: Values, help: String
  ) -> String? {
    let option = Option(
      name: name, letter: letter, argument: .init(name: argument, values: values), help: help)
    options.append(option)
    return invocation?.values(of: option).last
  }

  /// The values of an option that may be repeated, in their order.
  mutating func values(
    _ name: String, letter: Character? = nil, _ argument: String, _ values: Values, help: String
  ) -> [String] {
    let option = Option(
      name: name, letter: letter, argument: .init(name: argument, values: values),
      isRepeatable: true, help: help)
    options.append(option)
    return invocation?.values(of: option) ?? []
  }

  /// The value of an option that takes a number of a range.
  mutating func number<Number: FixedWidthInteger>(
    _ name: String, letter: Character? = nil, in range: ClosedRange<Number>, help: String
  ) -> Number? {
    let bounds = Int(clamping: range.lowerBound)...Int(clamping: range.upperBound)
    return value(name, letter: letter, "N", .number(bounds), help: help).flatMap { Number($0) }
  }

  /// The value of an option that takes one of the words of an enum.
  mutating func choice<Choice: WordChoice>(
    _ name: String, _ argument: String, help: String
  ) -> Choice? {
    value(name, argument, .oneOf(Choice.words), help: help).flatMap { Choice(rawValue: $0) }
  }

  // MARK: Operands

  /// An operand that must be given.
  mutating func operand(_ name: String, _ values: Values, help: String) -> String {
    declare(name, .one, values, help)?.first ?? ""
  }

  /// A required operand, one of the words of an enum; `nil` while no command line is read.
  mutating func choiceOperand<Choice: WordChoice>(_ name: String, help: String) -> Choice? {
    declare(name, .one, .oneOf(Choice.words), help)?.first.flatMap { Choice(rawValue: $0) }
  }

  /// An operand that may be left out.
  mutating func optionalOperand(_ name: String, _ values: Values, help: String) -> String? {
    declare(name, .optional, values, help)?.first
  }

  /// An operand that may be left out, and is one of the words of an enum.
  mutating func optionalChoiceOperand<Choice: WordChoice>(_ name: String, help: String) -> Choice? {
    declare(name, .optional, .oneOf(Choice.words), help)?.first.flatMap { Choice(rawValue: $0) }
  }

  /// All further operands; there may be none.
  mutating func operands(_ name: String, _ values: Values, help: String) -> [String] {
    declare(name, .many, values, help).map(Array.init) ?? []
  }

  /// Declares an operand, and gives the words of the line from its place on.
  private mutating func declare(
    _ name: String, _ arity: Operand.Arity, _ values: Values, _ help: String
  ) -> ArraySlice<String>? {
    let place = operands.count
    operands.append(Operand(name: name, arity: arity, help: help, values: values))
    return invocation?.operands.dropFirst(place)
  }
}

/// An enum whose cases are the words that an option or an operand takes.
protocol WordChoice: RawRepresentable<String>, CaseIterable, Sendable {}

extension WordChoice {
  /// The words, in the order of the cases.
  static var words: [String] { allCases.map(\.rawValue) }
}
