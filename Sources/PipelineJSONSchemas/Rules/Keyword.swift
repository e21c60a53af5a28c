/// The keywords of draft 2020-12.
enum Keyword: String, Sendable, CaseIterable {
  // Core (§8).
  case id = "$id"
  case schema = "$schema"
  case ref = "$ref"
  case anchor = "$anchor"
  case dynamicRef = "$dynamicRef"
  case dynamicAnchor = "$dynamicAnchor"
  case vocabulary = "$vocabulary"
  case comment = "$comment"
  case defs = "$defs"
  // Applicator (§10) and unevaluated (§11).
  case allOf, anyOf, oneOf, not, `if`, then, `else`, dependentSchemas
  case prefixItems, items, contains
  case properties, patternProperties, additionalProperties, propertyNames
  case unevaluatedItems, unevaluatedProperties
  // Validation (§6 of that document).
  case type, const
  case enumeration = "enum"
  case multipleOf, maximum, exclusiveMaximum, minimum, exclusiveMinimum
  case maxLength, minLength, pattern
  case maxItems, minItems, uniqueItems, maxContains, minContains
  case maxProperties, minProperties, required, dependentRequired
  // Format and content (§7, §8) and annotations (§9).
  case format, contentEncoding, contentMediaType, contentSchema
  case title, description, `default`, deprecated, readOnly, writeOnly, examples
  /// The name of `$defs` before 2019-09. The metaschema of 2020-12 still has it.
  case definitions

  /// Where in a keyword's value there are schemas.
  enum Schemas { case none, one, list, map }

  var schemas: Schemas {
    switch self {
    case .not, .if, .then, .else, .items, .contains, .additionalProperties, .propertyNames,
      .unevaluatedItems, .unevaluatedProperties, .contentSchema:
      .one
    case .allOf, .anyOf, .oneOf, .prefixItems: .list
    case .defs, .definitions, .dependentSchemas, .properties, .patternProperties: .map
    default: .none
    }
  }

  /// Whether its value is the smallest count that is allowed.
  var isLeastCount: Bool {
    switch self {
    case .minLength, .minItems, .minContains, .minProperties: true
    default: false
    }
  }

  /// The names that a misspelt one is compared with.
  static let names: [String] = allCases.map(\.rawValue).filter { $0 != "definitions" }

  /// Keywords of other drafts and dialects that would change validity. They are refused, and the
  /// message shows the replacement.
  static let refused = [
    "dependencies": "write 'dependentRequired' or 'dependentSchemas'",
    "additionalItems": "write 'items', beside 'prefixItems'",
    "$recursiveRef": "write '$ref'",
    "$recursiveAnchor": "write '$anchor'",
  ]

  /// Keywords that are ignored, as the standard says.
  static let foreign = [
    "id": "write '$id'",
    "nullable": "write 'null' among the types",
    "example": "write 'examples'",
    "divisibleBy": "write 'multipleOf'",
  ]
}
