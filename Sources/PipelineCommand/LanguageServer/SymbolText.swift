internal import PipelineLint

/// What is known about a symbol, as text for people.
struct SymbolText {
  private let title: String
  private let facts: [String]

  init(_ symbol: WorkflowSymbol) {
    switch symbol {
    case .key(let key):
      title = key.name
      var facts = [key.meaning, "Type: \(key.type)" + (key.isRequired ? ", required" : "")]
      if let value = key.defaultValue { facts.append("Default: \(value)") }
      facts.append("Example: \(key.example)")
      self.facts = facts
    case .reference(let reference):
      title = reference.path
      facts = [reference.meaning, reference.description, "Type: \(reference.type)"]
        .compactMap { $0 }
    case .name(let name):
      title = name.name
      let count = name.references.count
      facts = [
        name.meaning, "Type: \(name.type)",
        count == 0 ? "Nothing reads it" : "Read in \(count.counting("place"))",
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

  private static func escaped(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      if "\\`*_{}[]<>#|~".unicodeScalars.contains(scalar) { escaped += "\\" }
      escaped.unicodeScalars.append(scalar)
    }
    return escaped
  }
}
