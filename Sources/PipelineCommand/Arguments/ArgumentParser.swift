internal import PipelineByteText
internal import PipelineSourceText

/// Reads command lines by a table.
///
/// Options may follow the command anywhere, as `--name value`, `--name=value`, `-n value` or
/// `-nvalue`. Letters of flags may be joined. After `--` every word is an operand.
struct ArgumentParser: Sendable {
  /// The request that a command line makes.
  enum Meaning: Sendable {
    case run(Invocation)
    /// The help of a command, or of the whole program.
    case help(Command?)
    case version
    /// Nothing: the command line is empty.
    case nothing
  }

  let table: CommandTable

  /// What `arguments`, without the program's own name, ask for.
  func parse(_ arguments: [String]) throws(UsageError) -> Meaning {
    guard let first = arguments.first else { return .nothing }
    if first.hasPrefix(bytes: "-") {
      if Option.help.words.contains(bytes: first) { return .help(nil) }
      if Option.version.words.contains(bytes: first) { return .version }
      let names = table.options.map { "--" + $0.name }
      throw UsageError(
        message: "unknown option '\(first)'" + Spelling.didYouMean(first, among: names))
    }
    return try parse(arguments.dropFirst(), of: try table.command(named: first))
  }

  private func parse(
    _ arguments: ArraySlice<String>, of command: Command
  ) throws(UsageError) -> Meaning {
    var invocation = Invocation(command: command)
    var rest = arguments
    var takesOptions = true
    while let word = rest.popFirst() {
      if !takesOptions || word == "-" || !word.hasPrefix(bytes: "-") {
        invocation.operands.append(word)
      } else if word == "--" {
        takesOptions = false
      } else if word.hasPrefix(bytes: "--") {
        try readName(word, &rest, into: &invocation)
      } else {
        try readLetters(word, &rest, into: &invocation)
      }
      if invocation.has(.help) { return .help(command) }
    }
    try checkOperands(invocation)
    return .run(invocation)
  }

  private func readName(
    _ word: String, _ rest: inout ArraySlice<String>, into invocation: inout Invocation
  ) throws(UsageError) {
    let parts = word.dropFirst(bytes: 2).split(
      ascii: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(parts[0])
    guard let option = invocation.command.option(named: name) else {
      throw failure(
        "unknown option '--\(name)'" + proposal(for: name, in: invocation.command), invocation)
    }
    let joined = parts.count > 1 ? String(parts[1]) : nil
    if option.argument == nil, joined != nil {
      throw failure("--\(name) takes no value", invocation)
    }
    try read(option, joined: joined, &rest, into: &invocation)
  }

  /// What is meant by an unknown option, to end a message with.
  private func proposal(for name: String, in command: Command) -> String {
    if let advice = OptionAliases.advice(on: name, in: command) { return "; \(advice)" }
    let names = command.options.map(\.name)
    let owners = table.commands.filter { $0.option(named: name) != nil }.map { "'\($0.name)'" }
    if let last = owners.last {
      if owners.count == 1 { return "; only \(last) has it" }
      return "; only " + owners.dropLast().joined(separator: ", ") + " and \(last) have it"
    }
    let begun = names.filter { OptionAliases.isShort(name, for: $0) }
    let meant = begun.count == 1 ? begun.first : Spelling.nearest(to: name, among: names)
    let input =
      command.option(named: "set") == nil ? "" : "; an input is set with '--set \(name)=…'"
    return meant.map { "; did you mean '--\($0)'?" } ?? input
  }

  private func readLetters(
    _ word: String, _ rest: inout ArraySlice<String>, into invocation: inout Invocation
  ) throws(UsageError) {
    let name = word.dropFirst(bytes: 1).prefix(before: "=")
    if name.count > 1, invocation.command.option(named: String(name)) != nil {
      throw failure("unknown option '-\(name)'; did you mean '--\(name)'?", invocation)
    }
    // Scalars: what follows a letter may begin with a mark that would join it.
    var letters = word.unicodeScalars.dropFirst()
    while let letter = letters.popFirst() {
      guard let option = invocation.command.option(letter: Character(letter)) else {
        let place = word.count > 2 ? " in '\(word)'" : ""
        let advice = OptionAliases.advice(on: String(letter), in: invocation.command)
        throw failure(
          "unknown option '-\(letter)'\(place)" + (advice.map { "; \($0)" } ?? ""), invocation)
      }
      guard option.argument != nil else {
        try read(option, joined: nil, &rest, into: &invocation)
        continue
      }
      if letters.first == "=" { letters.removeFirst() }
      try read(option, joined: letters.isEmpty ? nil : String(letters), &rest, into: &invocation)
      return
    }
  }

  private func read(
    _ option: Option, joined: String?, _ rest: inout ArraySlice<String>,
    into invocation: inout Invocation
  ) throws(UsageError) {
    if invocation.has(option), !option.isRepeatable, option.argument != nil {
      throw failure("--\(option.name) is given twice", invocation)
    }
    guard let argument = option.argument else {
      invocation.add("", to: option)
      return
    }
    guard let value = joined ?? rest.popFirst() else {
      throw failure("--\(option.name) needs a value: --\(option.name) \(argument.name)", invocation)
    }
    if let problem = argument.values.problem(with: value) {
      throw failure("--\(option.name) \(problem)", invocation)
    }
    if case .assignment = argument.values { try checkName(of: value, option, invocation) }
    invocation.add(value, to: option)
  }

  /// Reports a name that is assigned a second time.
  private func checkName(
    of assignment: String, _ option: Option, _ invocation: Invocation
  ) throws(UsageError) {
    let name = assignment.prefix(before: "=")
    let given = invocation.values(of: option).map { $0.prefix(before: "=") }
    guard !given.contains(bytes: name) else {
      throw failure("--\(option.name) gives '\(name)' twice; give it once", invocation)
    }
  }

  private func checkOperands(_ invocation: Invocation) throws(UsageError) {
    let command = invocation.command
    let most = command.operands.contains { $0.arity == .many } ? Int.max : command.operands.count
    if invocation.operands.count > most {
      let extra = invocation.operands[most]
      let isInput = extra.contains(bytes: "=") && command.option(named: "set") != nil
      throw failure(
        "'\(extra)' is one too many: "
          + (isInput ? "an input is set with '--set \(extra)'" : command.usage(in: table)),
        invocation)
    }
    for (index, operand) in command.operands.enumerated() {
      guard index < invocation.operands.count else {
        if operand.arity != .one { continue }
        throw failure("\(operand.name) is missing: \(command.usage(in: table))", invocation)
      }
      if let problem = operand.values.problem(with: invocation.operands[index]) {
        throw failure("\(operand.name) \(problem)", invocation)
      }
    }
  }

  private func failure(_ message: String, _ invocation: Invocation) -> UsageError {
    UsageError(message: message, command: invocation.command.name)
  }
}

extension Values {
  /// The problem with `value`, to follow the option's name: "takes …, not 'x'".
  func problem(with value: String) -> String? {
    switch self {
    case .any, .topic, .command, .step, .environment, .run: return nil
    case .file, .folder: return value.isEmpty ? "takes a path, not ''" : nil
    case .oneOf(let allowed):
      if allowed.contains(bytes: value) { return nil }
      let list = allowed.dropLast().joined(separator: ", ") + " or " + (allowed.last ?? "")
      return "takes \(list), not '\(value)'" + Spelling.didYouMean(value, among: allowed)
    case .number(let range):
      if let number = Int(value), range.contains(number) { return nil }
      return "takes a number from \(range.lowerBound) to \(range.upperBound), not '\(value)'"
    case .assignment:
      if let equals = value.firstIndex(ascii: "="), equals > value.startIndex { return nil }
      return "takes NAME=VALUE, not '\(value)'"
    }
  }
}
