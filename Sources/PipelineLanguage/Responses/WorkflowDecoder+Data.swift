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
    let (data, problems) = DataTemplate.parse(
      node, allowsQueries: queries == .allowed, fileReadings: fileReadings(in: node))
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

  /// The content of `as` beside a `$file`.
  ///
  /// One that cannot be read is reported, and read as JSON.
  private mutating func fileReadings(in node: JSONNode) -> [Int: FileReading] {
    guard node.kind == .object || node.kind == .array, mentionsFiles else { return [:] }
    var readings: [Int: FileReading] = [:]
    collect(from: node, into: &readings)
    return readings
  }

  /// Why `until` is refused where a file is read.
  static let endOfFile =
    "a file ends by itself; 'until' ends a response that stays open, in the 'read' of a step"

  private mutating func collect(from node: JSONNode, into readings: inout [Int: FileReading]) {
    if node.count == 2, node["$file"] != nil, let options = node["as"], options.kind == .object {
      let format = ObjectType<ReadingOptions>(kind: .reading).read(options, "as", &self)
      if let until = format?.until {
        report(.invalidValue, Self.endOfFile, at: until.node.range)
      }
      readings[options.index] = format.map { .format($0.format, $0.charset) } ?? .json
      return
    }
    for element in node.elements { collect(from: element, into: &readings) }
    for member in node.members { collect(from: member.value, into: &readings) }
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
