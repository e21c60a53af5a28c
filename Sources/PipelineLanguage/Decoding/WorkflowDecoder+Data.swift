import PipelineJSONText
import PipelineSourceText
import PipelineTemplates

extension WorkflowDecoder {
  /// Whether a whole string that begins like a query is one.
  enum Queries {
    case allowed, literal
  }

  /// Any JSON, whose strings may hold `{{…}}`.
  mutating func data(_ node: JSONNode, queries: Queries = .literal) -> DataTemplate {
    let (data, problems) = DataTemplate.parse(node, allowsQueries: queries == .allowed)
    // A name that a call mentions counts as read, although it is in a text.
    if queries == .allowed, let text = node.string, text.utf8.last == UInt8(ascii: ")"),
      PlaceholderScanner.call(Array(text.utf8)) != nil
    {
      incomplete.insert(node.index)
    }
    if !problems.isEmpty { incomplete.insert(node.index) }
    report(problems, .error)
    report(data.warnings, .warning)
    return data
  }

  /// A value in `auth`, where the final request is known.
  mutating func credential(_ node: JSONNode) -> DataTemplate {
    let (data, problems) = DataTemplate.parse(credential: node)
    if !problems.isEmpty { incomplete.insert(node.index) }
    report(problems, .error)
    report(data.warnings, .warning)
    return data
  }

  /// The edits that declare an input for a shell's variable, and insert it.
  func declaring(_ variable: TemplateProblem.Variable, at range: Range<Int>) -> DiagnosticFix? {
    let insertion = DiagnosticFix.Edit(range: range, replacement: "{{inputs.\(variable.input)}}")
    let message = "declare the input '\(variable.input)', and insert it"
    guard document.root["inputs"]?[variable.input] == nil else {
      return .suggesting(message, [insertion])
    }
    let secret = CredentialNames.isField(variable.name) ? ", \"secret\": true" : ""
    let declaration = "\"\(variable.input)\": { \"env\": \"\(variable.name)\"\(secret) }"
    return .suggesting(message, [document.root.adding("inputs", declaration), insertion])
  }

  /// The list of the windows that the object of `forEach` describes.
  mutating func windows(_ node: JSONNode) -> DataTemplate {
    let (data, problems) = DataTemplate.parse(windows: node)
    report(problems, .error)
    report(data.warnings, .warning)
    return data
  }

  private mutating func report(_ problems: [DataProblem], _ severity: Diagnostic.Severity) {
    for problem in problems {
      let fix =
        problem.variable.flatMap { declaring($0, at: problem.range) }
        ?? problem.fix.map {
          DiagnosticFix(
            message: "write \($0)",
            edits: [DiagnosticFix.Edit(range: problem.range, replacement: $0)],
            isSafe: !problem.isGuess)
        }
      add(
        Diagnostic(
          code: problem.code.rawValue, severity: severity, message: problem.message,
          range: problem.range, fix: fix))
    }
  }
}
