package import PipelineJSONText

extension DataTemplate {
  /// The template of a value in a workflow file, and everything wrong with it.
  ///
  /// - Parameter allowsQueries: Whether a string that is `$`, or begins with `$.` or `$[`, is a
  ///   query. This holds in `values`, `otherwise`, `outputs` and the `inputs` of a called workflow.
  package static func parse(
    _ node: JSONNode, allowsQueries: Bool
  ) -> (data: DataTemplate, problems: [DataProblem]) {
    var parser = DataParser(allowsQueries: allowsQueries)
    let root = DataParser.compact(parser.parse(node))
    let data = DataTemplate(
      node: node, root: root, uses: parser.usesInOrder, queries: parser.queries,
      warnings: parser.warnings, hasTypedForms: parser.hasTypedForms)
    return (data, parser.problems)
  }
}
