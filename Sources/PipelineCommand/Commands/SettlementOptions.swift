internal import PipelineByteText
internal import PipelineJSONText
internal import PipelineKit

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

  /// Writes down what `--settle` says.
  func apply(to journal: any Journal) async throws {
    guard !assignments.isEmpty else { return }
    let doubts = try journal.history().sendings.filter(\.isInDoubt)
    for argument in assignments {
      guard let equals = argument.utf8.firstIndex(of: UInt8(ascii: "=")) else {
        throw UsageError(
          message: "--settle takes STEP[ITEM]=again, =skip, =done or ={\"NAME\": VALUE},"
            + " and not '\(argument)'")
      }
      let (name, word) = (
        argument[..<equals], String(argument[argument.utf8.index(after: equals)...])
      )
      guard let doubt = doubts.first(where: { $0.unit.name.utf8.elementsEqual(name.utf8) }) else {
        let names = doubts.map(\.unit.name).joined(separator: ", ")
        throw UsageError(
          message: "nothing about '\(name)' is in doubt"
            + (names.isEmpty ? "" : "; in doubt: " + names))
      }
      switch Word(rawValue: word) {
      case .again: journal.settle(doubt, as: .again)
      case .skip: journal.settle(doubt, as: .skip)
      case .done:
        journal.settle(doubt, as: .done(values: try Self.object(values ?? "{}", of: "--values")))
      case nil where word.hasPrefix(bytes: "{"):
        journal.settle(doubt, as: .done(values: try Self.object(word, of: "--settle \(name)")))
      case nil:
        throw UsageError(
          message: "--settle \(name) takes 'again', 'skip', 'done' or a JSON object of values,"
            + " and not '\(word)'")
      }
    }
    if let problem = await journal.finish() { throw problem }
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
