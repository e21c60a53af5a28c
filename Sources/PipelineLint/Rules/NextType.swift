import PipelineJSONText
import PipelineLanguage
import PipelineSourceText
import PipelineTemplates

/// A next value of another type than its state value.
enum NextType: LintRule {
  static let explanation = Explanation("next-type", .error, PackageResources.next_type_md)

  static func check(_ context: LintContext) -> [Diagnostic] {
    context.stateValues.compactMap { value, block in
      guard let type = value.type, let next = value.next,
        let words = problem(with: next, type, block, context)
      else { return nil }
      return finding(
        "the next value of '\(value.name)' must be \(type.words), not \(words)",
        at: next.node.range)
    }
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
