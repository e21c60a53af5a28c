import PipelineJSONPaths
import PipelineJSONText
import PipelineLanguage
import PipelineOpenAPI
import PipelineSourceText

/// A use of a described value that its type does not allow.
enum UndescribedType: DescribedScopeRule {
  static let explanation = Explanation(
    "undescribed-type", .error,
    what: "A workflow takes a value of a response for one of another type than the API describes.",
    why: """
      The step fails on such a value. Correct the 'type' of the extractor, or the query. A loop needs a \
      list. Texts are converted to numbers, so a described text is not in the way of them.
      """,
    bad: """
      {
        "steps": [
          {
            "id": "pet",
            "endpoint": "GET https://api.example.com/pets/7",
            "extract": { "name": { "body": "$.name", "type": "array" } }
          }
        ],
        "outputs": { "name": "{{pet.name}}" }
      }
      """,
    good: """
      {
        "steps": [
          {
            "id": "pet",
            "endpoint": "GET https://api.example.com/pets/7",
            "extract": { "name": { "body": "$.tags", "type": "array" } }
          }
        ],
        "outputs": { "name": "{{pet.name}}" }
      }
      """,
    described: ExampleDescription.readPet)

  static func check(_ scope: DescribedScope, _ found: inout [Diagnostic]) {
    for (number, call) in scope.calls.sorted(by: { $0.key < $1.key }) {
      for extractor in call.request.extract {
        guard let type = extractor.type, extractor.defaultValue == nil,
          let value = scope.value(of: extractor, in: number), let types = value.shape.types,
          !types.isEmpty, !fits(types, type.value), let words = value.shape.words
        else { continue }
        found.append(
          finding(
            "extractor '\(extractor.name)' must be \(type.value.rawValue), but the API describes"
              + " \(words)", at: type.range, related: related(value.shape)))
      }
    }
    for step in scope.context.steps {
      guard case .query(let query)? = step.step.forEach?.source.value, query.value.isSingular,
        let value = scope.value(of: query.value, in: step), !value.isMany,
        let types = value.shape.types, !types.isEmpty, !types.contains("array"),
        let words = value.shape.words
      else { continue }
      found.append(
        finding(
          "'\(query.value.text)' is \(words) by the API, but 'forEach' needs a list",
          at: query.range, related: related(value.shape)))
    }
  }

  private static func related(_ shape: SchemaShape) -> [Diagnostic.Related] {
    shape.node.map { [$0.related("the value is described here")] } ?? []
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
