import PipelineJSONText
import PipelineLanguage
import PipelineSourceText
import PipelineTemplates

/// A value for the next run or the next round of another type than the one before.
enum NextType: LintRule {
  static let explanation = Explanation("next-type", .error, PackageResources.next_type_md)

  static func check(_ context: LintContext) -> [Diagnostic] {
    context.stateValues.compactMap { value, block in
      guard let type = value.type, let next = value.next else { return nil }
      return judge(next, of: value.name, type, block, context)
    }
  }

  static func check(_ step: LintStep, _ context: LintContext, _ found: inout [Diagnostic]) {
    guard let loop = LintRounds(step) else { return }
    for value in loop.rounds.carried {
      let first = value.first.map { data in
        context.shape(of: data) { context.read($0, in: step.number) }
      }
      if let type = value.type, let data = value.first, let first, !data.uses.isEmpty,
        let kind = first.kind, kind != type.shape.contentKind
      {
        found.append(
          finding(
            "the default of '\(value.name)' must be \(type.words), not \(first.words)",
            at: data.node.range))
      }
      guard let next = value.next else { continue }
      let given = context.shape(of: next.value) { context.read($0, inOutputsOf: loop.inner) }
      // An absent or null value may stand for "no more".
      guard let kind = given.kind, kind != .null else { continue }
      if let type = value.type {
        if let finding = judge(next, of: value.name, type, loop.inner, context) {
          found.append(finding)
        }
      } else if let first, let before = first.kind, before != .null, before != kind {
        var finding = finding(
          "'\(value.name)' begins as \(first.words), and its next value is \(given.words)",
          at: next.node.range)
        finding.severity = .warning
        found.append(finding)
      }
    }
  }

  /// - Parameter block: The block whose steps `next` reads.
  private static func judge(
    _ next: Field, of name: String, _ type: Input.ValueType, _ block: Int, _ context: LintContext
  ) -> Diagnostic? {
    guard let words = problem(with: next, type, block, context) else { return nil }
    return finding(
      "the next value of '\(name)' must be \(type.words), not \(words)", at: next.node.range)
  }

  /// The type of the next value; `nil` if it may have the declared one.
  private static func problem(
    with next: Field, _ type: Input.ValueType, _ block: Int, _ context: LintContext
  ) -> String? {
    switch next.node.kind {
    case .string, .number, .boolean, .null:
      if next.value.uses.isEmpty { return type.problem(with: next.node) }
    case .array, .object: break
    }
    let shape = context.shape(of: next.value) { context.read($0, inOutputsOf: block) }
    guard let kind = type.shape.contentKind, shape.isNever(kind) else { return nil }
    return shape.words
  }
}
