import PipelineByteText
import PipelineJSONPaths
import PipelineJSONText
import PipelineLanguage
import PipelinePlanning
import PipelineSourceText
import PipelineTemplates

/// A placeholder of another tool that names a value of the workflow.
enum UnreadPlaceholder: LintRule {
  static let explanation = Explanation(
    "unread-placeholder", .warning, PackageResources.unread_placeholder_md)

  static func check(_ step: LintStep, _ context: LintContext, _ found: inout [Diagnostic]) {
    let names = VisibleNames(context: context, block: step.block, step: step.number)
    for (node, site, _) in step.parts.literals
    where mayHold(node) && !context.incomplete.contains(node.index) {
      judge(node, isURL: site.isURL, names, &found)
    }
  }

  static func check(_ context: LintContext) -> [Diagnostic] {
    var found: [Diagnostic] = []
    for (number, block) in context.blocks.enumerated() {
      let names = VisibleNames(context: context, block: number, step: nil)
      for (node, _, _) in block.outputs.literals {
        if let path = names.path(writtenAs: node) {
          found.append(
            finding(
              "'\(path)' is a text here; write '{{\(path)}}' for the value", at: node.range,
              fix: DiagnosticFix(
                message: "write {{\(path)}}",
                edits: [DiagnosticFix.Edit(range: node.range, replacement: "\"{{\(path)}}\"")],
                isSafe: false)))
        } else if mayHold(node) {
          judge(node, isURL: false, names, &found)
        }
      }
    }
    judgeDefaults(context.workflow, &found)
    return found
  }

  /// Whether the text of a value holds anything that placeholders begin with.
  private static func mayHold(_ node: JSONNode) -> Bool {
    let range = node.range
    return node.document.bytes.withUnsafeBufferPointer { bytes in
      bytes[range].contains { $0 == 0x24 || $0 == 0x28 || $0 == 0x7B || $0 == 0x3C || $0 == 0x25 }
    }
  }

  private static func judge(
    _ node: JSONNode, isURL: Bool, _ names: VisibleNames, _ found: inout [Diagnostic]
  ) {
    switch node.kind {
    case .string:
      guard mayHold(node), let text = node.string else { return }
      judge(Array(text.utf8), in: node, isURL: isURL, names, &found)
    case .array: for element in node.elements { judge(element, isURL: isURL, names, &found) }
    case .object:
      for member in node.members where member.name != "$literal" {
        judge(member.value, isURL: isURL, names, &found)
      }
    case .number, .boolean, .null: break
    }
  }

  private static func judge(
    _ bytes: [UInt8], in node: JSONNode, isURL: Bool, _ names: VisibleNames,
    _ found: inout [Diagnostic]
  ) {
    if let call = PlaceholderScanner.call(bytes) {
      found.append(
        finding(
          "'\(call.text)' is a text here and calls nothing; write \(call.written)",
          at: node.range,
          fix: isURL ? nil : .replacing(node.range, with: call.written, isSafe: false)))
      return
    }
    for place in PlaceholderScanner(bytes, isURL: isURL).places {
      guard let meant = names.path(meantBy: place) else { continue }
      let range = node.sourceRange(ofDecoded: place.range)
      let written = String(decoding: bytes[place.range], as: UTF8.self)
      found.append(
        finding(
          "'\(written)' is not a template; write '{{\(meant)}}'", at: range,
          fix: DiagnosticFix(
            message: "write {{\(meant)}}",
            edits: [DiagnosticFix.Edit(range: range, replacement: "{{\(meant)}}")], isSafe: false)))
    }
  }

  /// A name in `env` that no shell can set.
  private static func judge(_ variable: Written<String>, _ found: inout [Diagnostic]) {
    guard !WorkflowDecoder.isName(variable.value) else { return }
    let bytes = variable.value.utf8.filter { !"${}% ".utf8.contains($0) }
    let bare = String(decoding: bytes, as: UTF8.self)
    if WorkflowDecoder.isName(bare) {
      found.append(
        finding(
          "an environment variable is named without '$' and braces; write \"\(bare)\"",
          at: variable.range,
          fix: DiagnosticFix(
            message: "write \"\(bare)\"",
            edits: [DiagnosticFix.Edit(range: variable.range, replacement: "\"\(bare)\"")],
            isSafe: false)))
      return
    }
    let joined = String(decoding: bytes.map { "-.".utf8.contains($0) ? 0x5F : $0 }, as: UTF8.self)
    found.append(
      finding(
        "'\(variable.value)' is not a name that a shell can set in 'env'"
          + (WorkflowDecoder.isName(joined) ? "; write \"\(joined.uppercased())\"" : ""),
        at: variable.range))
  }

  /// Defaults and the values of environments are taken as they are written.
  private static func judgeDefaults(_ workflow: Workflow, _ found: inout [Diagnostic]) {
    var values: [(String, JSONNode)] = []
    for input in workflow.inputs {
      if let variable = input.variable { judge(variable, &found) }
      if let value = input.defaultValue { values.append(("the default of '\(input.name)'", value)) }
    }
    for environment in workflow.environments {
      for member in environment.values {
        values.append(("the value of '\(member.name)'", member.value))
      }
    }
    for (words, node) in values {
      if let name = node.string.flatMap(variable) {
        found.append(
          finding(
            "\(words) is taken as it is written, with its '$'; to read the variable, write \"env\":"
              + " \"\(name)\" in the input", at: node.range))
        continue
      }
      guard let text = node.string, let start = text.firstRange(bytes: "{{"),
        text[start.upperBound...].contains(bytes: "}}")
      else { continue }
      found.append(
        finding(
          "\(words) is taken as it is written, with its braces; insert the values in the step",
          at: node.range))
    }
  }

  /// The variable of the environment that a text names as shells do, `$TOKEN` or `${TOKEN}`.
  private static func variable(_ text: String) -> String? {
    guard text.hasPrefix(bytes: "$") else { return nil }
    var name = text.dropFirst(bytes: 1)
    if name.hasPrefix(bytes: "{"), name.utf8.last == UInt8(ascii: "}") {
      name = name.dropFirst(bytes: 1).dropLast(bytes: 1)
    }
    let isCapital = name.utf8.allSatisfy { byte in
      (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) || byte == UInt8(ascii: "_")
        || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
    return name.utf8.count > 1 && isCapital && WorkflowDecoder.isName(String(name))
      ? String(name) : nil
  }
}

extension Site {
  fileprivate var isURL: Bool {
    if case .url = self { true } else { false }
  }
}

/// The names that a step, or the outputs of a block, can read.
struct VisibleNames {
  let context: LintContext
  let block: Int
  /// `nil` if the outputs read.
  let step: Int?

  /// The path of a template that a placeholder means; `nil` if it may be an ordinary text.
  func path(meantBy place: PlaceholderScanner.Place) -> String? {
    var path = place.names
    if path.count > 1, ForeignNames.has(path[0], for: .steps), isStep(path[1]) {
      path.removeFirst()
      if path.count > 2, ForeignNames.has(path[1], for: .values),
        !context.values(ofStep: path[0], block: block).contains(bytes: path[1])
      {
        path.remove(at: 1)
      }
    }
    if path.count > 1, isInput(path[1]),
      ForeignNames.has(path[0], for: .inputs) || ForeignNames.has(path[0], for: .environment)
    {
      path[0] = "inputs"
    }
    let joined = path.joined(separator: ".")
    if path[0] == "inputs" { return path.count > 1 && isInput(path[1]) ? joined : nil }
    if path.count > 1 { return isStep(path[0]) || isLoopName(path[0]) ? joined : place.unknown }
    guard place.isCertain else { return nil }
    if isLoopName(path[0]) { return path[0] }
    return isInput(path[0]) ? "inputs.\(path[0])" : nil
  }

  /// The path of a value that a text consists of, such as `list.total`.
  func path(writtenAs node: JSONNode) -> String? {
    guard node.kind == .string, node.range.count < 200, let text = node.string,
      text.contains(bytes: ".")
    else { return nil }
    let parts = text.split(ascii: ".").map { String($0) }
    guard parts.count > 1, parts.allSatisfy(WorkflowDecoder.isName) else { return nil }
    if parts[0] == "inputs" { return isInput(parts[1]) ? text : nil }
    return context.values(ofStep: parts[0], block: block).contains(parts[1]) ? text : nil
  }

  private func isInput(_ name: String) -> Bool {
    if case .object(let members, _) = context.inputs.content { members[name] != nil } else { false }
  }

  private func isStep(_ name: String) -> Bool {
    around { block, _ in context.blocks[block].resolution.step(named: name) != nil }
  }

  private func isLoopName(_ name: String) -> Bool {
    around { _, step in
      let step = step.map { context.steps[$0].step }
      return step?.forEach?.names.contains(name) == true
        || step?.pageValues.contains(where: { $0.name == name }) == true
    }
  }

  /// Whether something holds of a block around the reader and the step that the reader is in there.
  private func around(_ holds: (_ block: Int, _ step: Int?) -> Bool) -> Bool {
    var (block, step) = (block, step)
    while true {
      if holds(block, step) { return true }
      guard let parent = context.blocks[block].parent else { return false }
      (block, step) = (context.steps[parent].block, parent)
    }
  }
}
