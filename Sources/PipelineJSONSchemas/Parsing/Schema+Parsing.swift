package import PipelineJSONText
internal import PipelineSourceText

extension Schema {
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
}
