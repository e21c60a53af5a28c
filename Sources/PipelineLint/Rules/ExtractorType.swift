import PipelineJSONText
import PipelineTemplates
import PipelineLanguage
import PipelineSourceText

/// An extractor whose type contradicts what it takes, or its default.
enum ExtractorType: LintRule {
  static let explanation = Explanation(
    "extractor-type", .warning, PackageResources.extractor_type_md)

  static func check(_ step: LintStep, _ context: LintContext, _ found: inout [Diagnostic]) {
    for extractor in step.request?.extract ?? [] {
      guard let type = extractor.type else { continue }
      if let value = extractor.defaultValue, !fits(value, type.value) {
        found.append(
          finding(
            "the default of '\(extractor.name)' is \(WorkflowDecoder.words(for: value)), but its type is"
              + " '\(type.value.rawValue)'", at: value.range))
      }
      if let taken = taken(by: extractor), !taken.types.contains(type.value) {
        found.append(
          finding(
            "\(taken.words), never \(type.value.shape.words); leave 'type' out", at: type.range,
            fix: .suggesting("remove 'type'", [extractor.node.removing("type")])))
      } else if extractor.all, type.value == .array, extractor.part == nil {
        found.append(
          finding(
            "'all' gives a list, and 'type' is that of each header; leave it out", at: type.range,
            fix: .suggesting("remove 'type'", [extractor.node.removing("type")])))
      }
    }
  }

  private static func fits(_ value: JSONNode, _ type: Extractor.ValueType) -> Bool {
    if value.isNull { return true }
    if let same = Input.ValueType(rawValue: type.rawValue) {
      if same.problem(with: value) == nil { return true }
      // A type is that of each element of a list.
      return value.kind == .array && value.elements.allSatisfy { same.problem(with: $0) == nil }
    }
    return value.kind == .string
      || value.kind == .array && value.elements.allSatisfy { $0.kind == .string }
  }

  /// The constant value of the source, and the types that this can have.
  private static func taken(
    by extractor: Extractor
  ) -> (words: String, types: Set<Extractor.ValueType>)? {
    switch extractor.source {
    case .status: ("a status is a number", [.integer, .number])
    case .headers: ("all headers together are an object", [.object])
    case .url where extractor.part == nil: ("a URL is a text", [.string, .url])
    case .body, .header, .cookie, .url, .text, .value: nil
    }
  }
}
