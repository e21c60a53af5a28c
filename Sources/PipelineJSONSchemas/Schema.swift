package import PipelineJSONText
import PipelineSourceText

/// A JSON Schema of draft 2020-12, read once and checked against any number of values.
///
/// Supported are the vocabularies core (`$ref`, `$anchor`, `$id` and `$defs` within the document),
/// applicator, unevaluated, validation and format assertion. Unsupported constructs (`$dynamicRef`,
/// documents elsewhere, other drafts) are refused by `parse` and never ignored.
///
/// Performs no I/O: no `$ref` is ever fetched.
package struct Schema: Sendable {
  /// The schema's own place in its document.
  package let node: JSONNode
  /// Every schema in it. Rules name one another by position.
  let subschemas: [Subschema]
  /// The position of the whole.
  let root: Int
  let patternCount: Int

  /// What `format` does.
  package enum FormatUse: Sendable, Hashable {
    /// The value must have the format. An unknown format is refused.
    case assertion
    /// `format` is an annotation for readers and is not checked.
    case annotation
  }

  /// The schema, unless a problem is an error, and all that is to be said about it, in the order of
  /// its text.
  ///
  /// - Complexity: O(bytes of the schema), patterns by their size.
  package static func parse(
    _ node: JSONNode, formats: FormatUse = .assertion
  ) -> (schema: Schema?, problems: [SchemaProblem]) {
    var parser = SchemaParser(node, formats: formats)
    let root = parser.parse()
    let problems = parser.problems.sorted { $0.range.lowerBound < $1.range.lowerBound }
    guard !problems.contains(where: { $0.severity == .error }) else { return (nil, problems) }
    let schema = Schema(
      node: node, subschemas: parser.subschemas, root: root, patternCount: parser.patternCount)
    return (schema, problems)
  }

  /// The violations of a value, in the order of its text; none if it is valid.
  ///
  /// - Parameter limit: The maximum number of violations reported, at least one.
  /// - Complexity: About the value's size times the schema's.
  package func validate(_ instance: JSONNode, limit: Int = 100) -> [SchemaViolation] {
    let validator = Validator(self, instance: instance)
    if validator.holds() { return [] }
    return validator.violations(limit: max(1, limit))
  }

  /// Whether the schema allows a value. Stops at the first thing that it does not allow.
  package func allows(_ instance: JSONNode) -> Bool {
    let validator = Validator(self, instance: instance)
    return validator.holds()
  }
}
