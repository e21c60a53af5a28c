import PipelineJSONPaths
import PipelineJSONText
import PipelineLanguage
import PipelineSourceText

/// An extractor whose type no recorded answer has.
enum RecordedType: RecordedRule {
  static let explanation = Explanation("recorded-type", .warning, PackageResources.recorded_type_md)

  static func check(
    _ step: Step, _ answers: [RecordedAnswers.Answer], _ found: inout [Diagnostic]
  ) {
    let bodies = step.expected(answers).compactMap(\.body)
    for (extractor, query) in step.bodyExtractors where extractor.part == nil {
      guard let type = extractor.type else { continue }
      let nodes = bodies.flatMap { query.value.nodes(in: QueryContext($0)) }
      guard let first = nodes.first, !nodes.contains(where: { fits($0, type.value) }) else {
        continue
      }
      found.append(
        finding(
          "extractor '\(extractor.name)' must be \(type.value.rawValue), and recorded answers have"
            + " \(WorkflowDecoder.words(for: first))", at: type.range))
    }
  }

  /// Whether a value is of a type, or may be converted to it.
  private static func fits(_ node: JSONNode, _ type: Extractor.ValueType) -> Bool {
    let text = node.string
    switch type {
    case .string: return text != nil
    case .integer: return node.number?.int != nil || text.flatMap { Int($0) } != nil
    case .number: return node.kind == .number || text.flatMap { Double($0) } != nil
    case .boolean: return node.kind == .boolean || text == "true" || text == "false"
    case .array: return node.kind == .array
    case .object: return node.kind == .object
    case .date, .datetime, .url: return text != nil
    }
  }
}
