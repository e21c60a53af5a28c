internal import PipelineByteText
internal import PipelineJSONText
internal import PipelineKit
internal import PipelineLanguage
internal import PipelinePlanning
internal import PipelineSourceText

/// A person's statements on requests in doubt: `--settle` and `--values`.
struct SettlementOptions: Sendable {
  /// `STEP[ITEM]=HOW`, or `@FILE`.
  private let arguments: [String]
  /// The JSON object of the values that settled steps extract.
  private let values: String?

  /// The outcome of a request in doubt.
  private enum Word: String, WordChoice {
    case again, skip, done
  }

  /// The content of an argument, or of a member of a file.
  private struct Statement {
    /// The request, or with `[*]` all of a step.
    let name: String
    let word: String
  }

  init(_ arguments: inout Arguments) {
    self.arguments = arguments.values(
      "settle", "STEP[ITEM]=HOW", .any,
      help: "Say what became of a request in doubt: again, skip, done, or a JSON object of what it"
        + " extracts; STEP[*] for all, @FILE for a JSON object of names (repeatable)")
    values = arguments.value(
      "values", "JSON", .any,
      help: "What the step extracts, for --settle …=done: a JSON object")
  }

  /// Whether there is anything to settle.
  var isGiven: Bool { !arguments.isEmpty || values != nil }

  /// Writes settlements down, and all that the journal was given before.
  static func write(
    _ settlements: [(SendingRecord, Settlement)], to journal: any Journal
  ) async throws {
    for (request, settlement) in settlements { journal.settle(request, as: settlement) }
    if let problem = await journal.finish() { throw problem }
  }

  /// The requests that `--settle` names, and what it says of them.
  ///
  /// - Parameters:
  ///   - changed: The requests that were carried out and have changed since.
  ///   - plan: Of the workflow as it is now.
  /// - Throws: `UsageError` if it names anything else, or is incomplete.
  func settlements(
    in history: any JournalHistory, changed: [SendingRecord], _ plan: Plan
  ) throws -> [(SendingRecord, Settlement)] {
    let known = Set(changed.map(\.id))
    let doubts = history.sendings.filter { $0.isInDoubt && !known.contains($0.id) } + changed
    return try settlements(
      of: doubts, settled: Self.settled(in: history).filter { !known.contains($0.id) }, plan)
  }

  /// The requests that were settled before. They can be settled in another way.
  static func settled(in history: any JournalHistory) throws(JournalError) -> [SendingRecord] {
    try history.carriedOut { $0.state != .done && !$0.method.isEmpty }
  }

  /// - Parameters:
  ///   - doubts: The requests that may be named.
  ///   - others: Requests that were settled before.
  func settlements(
    of doubts: [SendingRecord], settled others: [SendingRecord], _ plan: Plan
  ) throws(UsageError) -> [(SendingRecord, Settlement)] {
    guard !arguments.isEmpty else {
      if values != nil { throw Self.valuesAlone }
      return []
    }
    var open = doubts
    var openOthers = others
    var settlements: [(SendingRecord, Settlement)] = []
    var usesValues = false
    for statement in try statements() {
      var named: [SendingRecord] = []
      if statement.name.contains(bytes: "[*]") {
        named = open.filter { Self.matches(statement.name, $0.unit) }
        open.removeAll { Self.matches(statement.name, $0.unit) }
      } else if let index = open.firstIndex(where: { $0.unit.name.equals(bytes: statement.name) }) {
        // If a unit has several requests, each one takes an argument.
        named = [open.remove(at: index)]
      } else if let index = openOthers.lastIndex(where: {
        $0.unit.name.equals(bytes: statement.name)
      }) {
        named = [openOthers[index]]
        openOthers.removeAll { $0.unit.name.equals(bytes: statement.name) }
      }
      guard !named.isEmpty else {
        throw Self.unknown(
          statement.name, among: doubts.map(\.unit.name), settled: others.map(\.unit.name))
      }
      for request in named {
        settlements.append((request, try settlement(statement, of: request, plan, &usesValues)))
      }
    }
    if values != nil, !usesValues { throw Self.valuesAlone }
    return settlements
  }

  // MARK: Statements

  private func statements() throws(UsageError) -> [Statement] {
    var statements: [Statement] = []
    for argument in arguments {
      if argument.hasPrefix(bytes: "@") {
        statements += try Self.statements(inFile: String(argument.dropFirst(bytes: 1)))
        continue
      }
      guard let equals = argument.utf8.firstIndex(of: UInt8(ascii: "=")) else {
        throw UsageError(
          message: "--settle takes STEP[ITEM]=again, =skip, =done or ={\"NAME\": VALUE}, or @FILE,"
            + " and not '\(argument)'")
      }
      statements.append(
        Statement(
          name: String(argument[..<equals]),
          word: String(argument[argument.utf8.index(after: equals)...])))
    }
    return statements
  }

  /// The members of a JSON object: a word, or an object of values.
  private static func statements(inFile path: String) throws(UsageError) -> [Statement] {
    let text: [UInt8]
    do throws(PathProblem) {
      text = try FileSystem.system.read(path, 16 << 20)
    } catch {
      throw UsageError(message: "--settle: cannot read '\(path)': \(error.reason)")
    }
    guard let root = try? JSONDocument.parse(text).root, root.kind == .object else {
      throw UsageError(message: "--settle: '\(path)' does not hold a JSON object")
    }
    return try root.members.map { member throws(UsageError) in
      if let word = member.value.string { return Statement(name: member.name, word: word) }
      guard member.value.kind == .object else {
        throw UsageError(
          message: "--settle: '\(path)' does not say what became of '\(member.name)'; write"
            + " \"again\", \"skip\", \"done\" or an object of what it extracts")
      }
      return Statement(name: member.name, word: member.value.text)
    }
  }

  /// Whether a name with `[*]` is that of a unit.
  private static func matches(_ pattern: String, _ unit: UnitKey) -> Bool {
    let parts = pattern.split(ascii: "[", omittingEmptySubsequences: false)
    guard let step = parts.first, step.utf8.elementsEqual(unit.step.utf8),
      parts.count - 1 == unit.place.count
    else { return false }
    return zip(parts.dropFirst(), unit.place).allSatisfy { part, position in
      part.utf8.elementsEqual("*]".utf8) || part.utf8.elementsEqual("\(position)]".utf8)
    }
  }

  // MARK: What becomes of a request

  private func settlement(
    _ statement: Statement, of request: SendingRecord, _ plan: Plan, _ usesValues: inout Bool
  ) throws(UsageError) -> Settlement {
    let name = request.unit.name
    switch Word(rawValue: statement.word) {
    case .again: return .again
    case .skip: return .skip
    case .done:
      if let values {
        usesValues = true
        return .done(values: try Self.object(values, of: "--values", for: request, plan))
      }
      if request.kept > .nothing { return .answered }
      let missing = Self.needed(by: request, plan)
      if let name = Self.secrets(of: request, plan).first(where: { missing.contains(bytes: $0) }) {
        throw Self.secret(name, of: request.unit.name)
      }
      guard missing.isEmpty else {
        throw UsageError(
          message: "--settle \(name)=done needs what the step extracts: "
            + missing.joined(separator: ", ")
            + "; give it with --values, or as --settle '\(name)={…}'"
        )
      }
      return .done(values: Array("{}".utf8))
    case nil where statement.word.hasPrefix(bytes: "{"):
      return .done(
        values: try Self.object(statement.word, of: "--settle \(name)", for: request, plan))
    case nil:
      throw UsageError(
        message: "--settle \(name) takes 'again', 'skip', 'done' or a JSON object of values,"
          + " and not '\(statement.word)'")
    }
  }

  /// The names of the values that a step cannot do without.
  private static func needed(by request: SendingRecord, _ plan: Plan) -> [String] {
    extractors(of: request, plan).filter { !$0.isOptional && $0.defaultValue == nil }.map(\.name)
  }

  /// The names of the secret values that a step gives.
  private static func secrets(of request: SendingRecord, _ plan: Plan) -> [String] {
    extractors(of: request, plan).filter(\.isSecret).map(\.name)
  }

  private static func extractors(of request: SendingRecord, _ plan: Plan) -> [Extractor] {
    plan.step(at: request.unit.step)?.request?.request.extract ?? []
  }

  private static func secret(_ name: String, of unit: String) -> UsageError {
    UsageError(
      message: "--settle \(unit): '\(name)' is secret, and no secret is kept; settle it as 'again'"
        + " or 'skip'")
  }

  private static let valuesAlone = UsageError(
    message: "--values gives what a settled step extracts; add --settle 'STEP[ITEM]=done'")

  /// - Parameters:
  ///   - names: Those of the units in doubt.
  ///   - settled: Requests of units that were settled before.
  private static func unknown(
    _ name: String, among names: [String], settled: [String]
  ) -> UsageError {
    if (names + settled).contains(where: { $0.equals(bytes: name) }) {
      return UsageError(message: "--settle says twice what became of '\(name)'; say it once")
    }
    let known =
      names.isEmpty
      ? "; nothing is"
      : "; in doubt: " + names.prefix(5).joined(separator: ", ")
        + (names.count > 5 ? " and \(names.count - 5) more" : "")
    let near = Spelling.didYouMean(name, among: names + settled)
    return UsageError(
      message: "--settle: nothing about '\(name)' is in doubt" + (near.isEmpty ? known : near))
  }

  /// - Parameter option: The option that the text was given to.
  private static func object(
    _ text: String, of option: String, for request: SendingRecord, _ plan: Plan
  ) throws(UsageError) -> [UInt8] {
    guard let root = try? JSONDocument.parse(Array(text.utf8)).root, root.kind == .object else {
      throw UsageError(
        message: "\(option) takes a JSON object of names and values, and not '\(text)'")
    }
    if let name = secrets(of: request, plan).first(where: { root[$0] != nil }) {
      throw secret(name, of: request.unit.name)
    }
    try check(root, of: option, for: request, plan)
    let missing = needed(by: request, plan).filter { root[$0] == nil }
    guard missing.isEmpty else {
      throw UsageError(
        message: "\(option) lacks what step '\(request.unit.step)' extracts: "
          + missing.joined(separator: ", "))
    }
    var writer = JSONWriter(style: .compact)
    writer.value(root)
    return writer.bytes
  }

  /// Refuses values that the step would not give: under other names, or of other types.
  private static func check(
    _ values: JSONNode, of option: String, for request: SendingRecord, _ plan: Plan
  ) throws(UsageError) {
    guard let step = plan.step(at: request.unit.step)?.request?.request else { return }
    let names = step.extract.map(\.name) + (step.save == nil ? [] : ["path", "size"])
    // Nothing is read of a step that gives nothing.
    if names.isEmpty { return }
    for member in values.members {
      guard names.contains(bytes: member.name) else {
        throw UsageError(
          message: "\(option): step '\(request.unit.step)' gives no value '\(member.name)'"
            + Spelling.didYouMean(member.name, among: names))
      }
      let extractor = step.extract.first { $0.name.equals(bytes: member.name) }
      guard let type = extractor?.type?.value, !ValueCheck.holds(member.value, type) else {
        continue
      }
      if member.value.isNull, extractor?.isOptional == true { continue }
      throw UsageError(
        message: "\(option): '\(member.name)' must be \(type.article), and not"
          + " \(member.value.text.shortened(to: 60))")
    }
  }
}
