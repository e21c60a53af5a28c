import PipelineByteText
import PipelineJSONText
import PipelineLanguage
import PipelinePlanning
import PipelineSourceText
import PipelineTemplates

/// A list or an object in a place for a single value.
enum ContainerInScalarPlace: LintRule {
  static let explanation = Explanation(
    "list-in-scalar-place", .error, PackageResources.list_in_scalar_place_md)

  static func check(_ step: LintStep, _ context: LintContext, _ found: inout [Diagnostic]) {
    // By number, because uses are large to copy, and few have findings.
    let readings = context.readings[step.number]
    for number in readings.indices {
      guard case .shape(let shape) = readings[number], shape.isContainer else { continue }
      judge(step.uses[number].use, shape, in: step.step, context, &found)
    }
  }

  static func check(_ context: LintContext) -> [Diagnostic] {
    var found: [Diagnostic] = []
    for (block, readings) in zip(context.blocks, context.outputReadings) {
      for (use, reading) in zip(block.resolution.endUses, readings) {
        if case .shape(let shape) = reading { judge(use.use, shape, in: nil, context, &found) }
      }
    }
    return found
  }

  private static func judge(
    _ use: Use, _ shape: ValueShape, in step: Step?, _ context: LintContext,
    _ found: inout [Diagnostic]
  ) {
    guard shape.isContainer, !Self.takes(shape, use) else { return }
    let name = use.query.shown
    let wayOut: String
    let written = context.text(in: use.range)
    let end = use.range.upperBound - (written.hasSuffix(bytes: "}}") ? 2 : 0)
    var fix: DiagnosticFix? = .inserting("[0]", at: end, "write {{\(name)[0]}}")
    if !shape.isList {
      let members = shape.memberNames
      let member =
        members.contains("id") ? "id" : members.first { WorkflowDecoder.isName($0) } ?? "id"
      wayOut = "name one of its members, as in {{\(name).\(member)}}"
      fix = .inserting(".\(member)", at: end, "write {{\(name).\(member)}}")
    } else if let step, step.forEach == nil, case .url = use.site {
      wayOut = "add \"forEach\": \"$.\(name)\" to the step and write {{item}} here"
      let item = written.hasSuffix(bytes: "}}") ? "{{item}}" : "item"
      fix = Self.looping(step, over: name, writing: item, at: use.range)
    } else if let step, step.forEach == nil, case .request = step.action {
      wayOut =
        "write {{\(name)[0]}} for its first element, or add \"forEach\": \"$.\(name)\" to the step "
        + "and write {{item}}"
    } else {
      wayOut = "write {{\(name)[0]}} for its first element"
    }
    found.append(
      finding(
        "'\(name)' is \(shape.words), but \(use.site.words) takes one value; \(wayOut)",
        at: use.range, related: shape.related, fix: fix))
  }

  /// The edits that send the request once for each element.
  private static func looping(
    _ step: Step, over name: String, writing item: String, at range: Range<Int>
  ) -> DiagnosticFix? {
    guard let member = step.node.members.first(where: { $0.name == "endpoint" }),
      step.node.range.contains(range.lowerBound)
    else { return nil }
    let loop = "\"forEach\": \"$.\(name)\""
    let start = member.nameRange.lowerBound
    return DiagnosticFix(
      message: "add \(loop)",
      edits: [
        DiagnosticFix.Edit(range: start..<start, replacement: loop + ", "),
        DiagnosticFix.Edit(range: range, replacement: item),
      ], isSafe: false)
  }

  private static func takes(_ shape: ValueShape, _ use: Use) -> Bool {
    if use.site == .query { return true }
    guard use.isWhole else { return false }
    switch use.site {
    case .data, .query, .parameter, .field: return true
    case .header, .cookie, .file: return shape.isList
    case .url, .text, .bound, .credential: return false
    }
  }
}
