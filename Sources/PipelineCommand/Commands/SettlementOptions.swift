internal import PipelineByteText
internal import PipelineJSONText
internal import PipelineKit
internal import PipelineSourceText

/// A person's statements on requests in doubt: `--settle` and `--values`.
struct SettlementOptions: Sendable {
  /// `STEP[ITEM]=HOW`
  private let assignments: [String]
  /// The JSON object of the values that settled steps extract.
  private let values: String?

  /// The outcome of a request in doubt.
  private enum Word: String, WordChoice {
    case again, skip, done
  }

  init(_ arguments: inout Arguments) {
    assignments = arguments.values(
      "settle", "STEP[ITEM]=HOW", .any,
      help: "Say what became of a request in doubt: again, skip, done, or a JSON object of what it"
        + " extracts (repeatable)")
    values = arguments.value(
      "values", "JSON", .any,
      help: "What the step extracts, for --settle …=done: a JSON object")
  }

  /// Writes down what `--settle` says: all of it, or nothing.
  func apply(to journal: any Journal) async throws {
    try await Self.write(try settlements(in: journal), to: journal)
  }

  /// Writes settlements down, and all that the journal was given before.
  static func write(
    _ settlements: [(SendingRecord, Settlement)], to journal: any Journal
  ) async throws {
    for (request, settlement) in settlements { journal.settle(request, as: settlement) }
    if let problem = await journal.finish() { throw problem }
  }

  /// The requests in doubt that `--settle` names, and what it says of them.
  ///
  /// - Throws: `UsageError` if it names anything else.
  func settlements(in journal: any Journal) throws -> [(SendingRecord, Settlement)] {
    guard !assignments.isEmpty else {
      if values != nil { throw Self.valuesAlone }
      return []
    }
    let doubts = try journal.history().sendings.filter(\.isInDoubt)
    var open = doubts
    var settlements: [(SendingRecord, Settlement)] = []
    var usesValues = false
    for argument in assignments {
      guard let equals = argument.utf8.firstIndex(of: UInt8(ascii: "=")) else {
        throw UsageError(
          message: "--settle takes STEP[ITEM]=again, =skip, =done or ={\"NAME\": VALUE},"
            + " and not '\(argument)'")
      }
      let (name, word) = (
        argument[..<equals], String(argument[argument.utf8.index(after: equals)...])
      )
      // Of several requests of one unit, each takes one argument.
      guard let index = open.firstIndex(where: { $0.unit.name.equals(bytes: name) }) else {
        throw Self.unknown(String(name), among: doubts.map(\.unit.name))
      }
      let doubt = open.remove(at: index)
      let settlement: Settlement
      switch Word(rawValue: word) {
      case .again: settlement = .again
      case .skip: settlement = .skip
      case .done:
        usesValues = true
        settlement = .done(values: try Self.object(values ?? "{}", of: "--values"))
      case nil where word.hasPrefix(bytes: "{"):
        settlement = .done(values: try Self.object(word, of: "--settle \(name)"))
      case nil:
        throw UsageError(
          message: "--settle \(name) takes 'again', 'skip', 'done' or a JSON object of values,"
            + " and not '\(word)'")
      }
      settlements.append((doubt, settlement))
    }
    if values != nil, !usesValues { throw Self.valuesAlone }
    return settlements
  }

  private static let valuesAlone = UsageError(
    message: "--values gives what a settled step extracts; add --settle 'STEP[ITEM]=done'")

  /// - Parameter names: Those of the units in doubt.
  private static func unknown(_ name: String, among names: [String]) -> UsageError {
    if names.contains(where: { $0.equals(bytes: name) }) {
      return UsageError(message: "--settle says twice what became of '\(name)'; say it once")
    }
    let known =
      names.isEmpty
      ? "; nothing is"
      : "; in doubt: " + names.prefix(5).joined(separator: ", ")
        + (names.count > 5 ? " and \(names.count - 5) more" : "")
    let near = Spelling.didYouMean(name, among: names)
    return UsageError(
      message: "--settle: nothing about '\(name)' is in doubt" + (near.isEmpty ? known : near))
  }

  /// - Parameter option: The option that the text was given to.
  private static func object(_ text: String, of option: String) throws(UsageError) -> [UInt8] {
    guard let root = try? JSONDocument.parse(Array(text.utf8)).root, root.kind == .object else {
      throw UsageError(
        message: "\(option) takes a JSON object of names and values, and not '\(text)'")
    }
    var writer = JSONWriter(style: .compact)
    writer.value(root)
    return writer.bytes
  }
}
