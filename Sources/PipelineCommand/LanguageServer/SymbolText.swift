internal import PipelineByteText
internal import PipelineLint

/// What is known about a symbol, as text for people.
struct SymbolText {
  private let title: String
  private let facts: [String]
  private static let mostReaders = 6

  /// - Parameters:
  ///   - offset: Where the symbol is.
  ///   - lastValue: The value of a source in the last run of the file, in words.
  init(
    _ symbol: WorkflowSymbol, at offset: Int, in analysis: WorkflowAnalysis,
    lastValue: (WorkflowAnalysis.ValueSource) -> String?
  ) {
    switch symbol {
    case .key(let key):
      title = key.name
      var facts = [key.meaning, "Type: \(key.type)" + (key.isRequired ? ", required" : "")]
      if let value = key.defaultValue { facts.append("Default: \(value)") }
      facts.append("Example: \(key.example)")
      self.facts = facts
    case .reference(let reference):
      title = reference.path
      let sample = analysis.sample(of: reference.path, at: offset)
      let source = analysis.source(of: reference.path, at: offset)
      facts = [
        reference.meaning, reference.description, "Type: \(reference.type)",
        source?.isSecret ?? false ? "Value: •••" : nil,
        sample.map { "Recorded: \($0)" },
        source.flatMap { $0.isSecret ? nil : lastValue($0) },
      ].compactMap { $0 }
    case .name(let name):
      title = name.name
      let readers = analysis.readers(of: name)
      let more = readers.count - Self.mostReaders
      facts = [
        name.meaning, "Type: \(name.type)",
        readers.isEmpty
          ? "Nothing reads it"
          : "Read by " + readers.prefix(Self.mostReaders).joined(separator: ", ")
            + (more > 0 ? " and \(more) more" : ""),
      ]
    case .operation(let operation):
      title = operation.signature
      facts = Self.facts(operation)
    }
  }

  private static func facts(_ operation: WorkflowSymbol.Operation) -> [String] {
    var facts = [operation.summary].compactMap(\.self)
    if operation.isDeprecated { facts.append("Deprecated") }
    if !operation.parameters.isEmpty {
      facts.append("Parameters: " + operation.parameters.joined(separator: ", "))
    }
    if !operation.responses.isEmpty {
      facts.append("Responses: " + operation.responses.joined(separator: ", "))
    }
    return facts + ["Described in \(operation.position)"]
  }

  func lines(isMarkdown: Bool) -> String {
    guard isMarkdown else { return ([title] + facts).joined(separator: "\n") }
    return "**" + Self.escaped(title) + "**\n\n" + Self.joined(facts, isMarkdown: true)
  }

  /// Lines as paragraphs of Markdown, or as they are.
  static func joined(_ lines: [String], isMarkdown: Bool) -> String {
    isMarkdown
      ? lines.map { escaped($0) }.joined(separator: "\n\n") : lines.joined(separator: "\n")
  }

  /// Lines of a fixed layout.
  static func preformatted(_ text: String, isMarkdown: Bool) -> String {
    guard isMarkdown else { return text }
    var fence = "```"
    while text.contains(bytes: fence) { fence += "`" }
    return fence + "text\n" + text + "\n" + fence
  }

  private static func escaped(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      if "\\`*_{}[]<>#|~".unicodeScalars.contains(scalar) { escaped += "\\" }
      escaped.unicodeScalars.append(scalar)
    }
    return escaped
  }
}
