import PipelineJSONPaths
import PipelineJSONText
import PipelineLanguage
import PipelineOpenAPI
import PipelineSourceText

/// A use of a described value that its type does not allow.
enum UndescribedType: DescribedScopeRule {
  static let explanation = Explanation(
    "undescribed-type", .error, PackageResources.undescribed_type_md)

  static func check(_ scope: DescribedScope, _ found: inout [Diagnostic]) {
    for read in scope.reads {
      guard case .extractor(let extractor, _) = read.form, let type = extractor.type,
        extractor.part == nil, extractor.defaultValue == nil,
        let schema = read.reading.shape.described?.schema, let types = schema.types,
        !types.isEmpty, !fits(types, type.value), let words = schema.words
      else { continue }
      found.append(
        finding(
          "extractor '\(extractor.name)' must be \(type.value.rawValue), but the API describes"
            + " \(words)", at: type.range, related: read.reading.shape.related))
    }
  }

  /// Whether a value of some types may be of the type that is wanted, or be converted to it.
  private static func fits(_ types: Set<String>, _ type: Extractor.ValueType) -> Bool {
    let wanted: Set<String> =
      switch type {
      // A type is that of each element of a list.
      case .integer, .number: ["integer", "number", "string", "array"]
      case .boolean: ["boolean", "string", "array"]
      case .string, .date, .datetime, .url: ["string", "array"]
      case .array: ["array"]
      case .object: ["object", "array"]
      }
    return !types.isDisjoint(with: wanted)
  }
}
