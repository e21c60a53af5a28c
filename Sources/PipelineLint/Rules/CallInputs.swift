import PipelineByteText
import PipelineTemplates
import PipelineJSONText
import PipelineLanguage
import PipelineSourceText

/// The inputs of a called workflow: all known to it, and all that it needs.
enum CallInputs: LintRule {
  static let explanation = Explanation("missing-input", .error, PackageResources.missing_input_md)

  static func check(_ context: LintContext) -> [Diagnostic] {
    var found: [Diagnostic] = []
    if context.callees.isEmpty { return found }
    for (number, step) in context.steps.enumerated() {
      guard case .call(let call) = step.step.action,
        let callee = context.callees[ExactText(call.path.value)]?.workflow
      else { continue }
      let given = Dictionary(
        call.inputs.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
      // One name that is not known, and one input that is not given: they are one mistake.
      let missing = callee.inputs.filter { $0.isRequired && given[$0.name] == nil }
      let unknown = unknown(
        call, step.step.node, callee, needed: missing.count == 1 ? missing.first : nil)
      found += unknown
      for input in callee.inputs {
        guard let field = given[input.name] else {
          if input.isRequired, !isMeant(input, by: call, callee),
            missing.count != 1 || unknown.count != 1,
            !context.has("inputs", asOtherToolsCallIt: step.step),
            !context.isUnread("inputs", of: step.step.node)
          {
            found.append(
              finding(
                "'\(call.path.value)' needs the input '\(input.name)'", at: call.path.range,
                fix: giving(input.name, to: step, context)))
          }
          continue
        }
        let shape = context.shape(of: field.value) { context.read($0, in: number) }
        found += judge(shape, field, input, call)
      }
    }
    return found
  }

  /// The edit that hands on the value that has the name of an input.
  private static func giving(
    _ name: String, to step: LintStep, _ context: LintContext
  ) -> DiagnosticFix? {
    guard let path = context.path(ofValueCalled: name, for: step) else { return nil }
    let value = "\"{{\(path)}}\""
    if let given = step.step.node["inputs"] { return given.suggesting(name, value) }
    return .suggesting(
      "write \"inputs\": {\"\(name)\": \(value)}",
      [step.step.node.setting("inputs", to: "{ \"\(name)\": \(value) }")])
  }

  /// Whether the call gives the input by a misspelt name, which is reported by itself.
  private static func isMeant(_ input: Input, by call: Call, _ callee: Workflow) -> Bool {
    let names = callee.inputs.map(\.name)
    let known = Set(names)
    return call.inputs.contains { field in
      !known.contains(field.name) && Spelling.nearest(to: field.name, among: names) == input.name
    }
  }

  /// - Parameter needed: The only input that is needed and not given.
  private static func unknown(
    _ call: Call, _ step: JSONNode, _ callee: Workflow, needed: Input?
  ) -> [Diagnostic] {
    let known = Set(callee.inputs.map(\.name))
    // One that is given already is not meant.
    let given = Set(call.inputs.map(\.name))
    let names = callee.inputs.map(\.name).filter { !given.contains($0) }
    let unknown = call.inputs.filter { !known.contains($0.name) }
    return unknown.map { field in
      var finding = Diagnostic(
        code: "unknown-input", severity: .error,
        message: "'\(call.path.value)' has no input '\(field.name)'", range: field.nameRange)
      finding.advice = Advice {
        let near = Proposal.nearest(to: field.name, among: names, inQuotesAt: field.nameRange)
        guard near == .none else { return near }
        guard unknown.count == 1, let needed else {
          return Proposal(
            "; leave it out",
            fix: .suggesting("remove it", [step.removing(field.name, from: "inputs")]))
        }
        return Proposal(
          "; it needs '\(needed.name)'",
          fix: .replacing(field.nameRange, with: "\"\(needed.name)\"", isSafe: false))
      }
      return finding
    }
  }

  /// A value of another type than the input. A run reads a text according to the type, so no text
  /// is one but a date or a moment; what is written out is judged with what it says.
  private static func judge(
    _ shape: ValueShape, _ field: Field, _ input: Input, _ call: Call
  ) -> [Diagnostic] {
    guard let wanted = input.type, let kind = wanted.shape.contentKind, shape.isNever(kind),
      shape.possibleKinds?.contains(.string) != true || shape.time != nil,
      field.value.literal == nil
    else { return [] }
    return [
      Diagnostic(
        code: "wrong-type", severity: .error,
        message: "the input '\(input.name)' of '\(call.path.value)' must be \(wanted.words), not "
          + shape.words, range: field.node.range)
    ]
  }
}
