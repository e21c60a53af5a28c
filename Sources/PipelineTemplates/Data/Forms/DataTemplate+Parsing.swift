internal import PipelineByteText
package import PipelineJSONText

extension DataTemplate {
  /// Whether an object is a form, or is meant as one.
  package static func isForm(_ node: JSONNode) -> Bool {
    guard node.kind == .object else { return false }
    if node.count == 2 { return node[FormTitle.fileName] != nil }
    guard node.count == 1, let name = node.members.first(where: { _ in true })?.name else {
      return false
    }
    return name.hasPrefix(bytes: "$") && name != "$comment" && name != "$schema"
  }

  /// The template of a value in a workflow file, and everything wrong with it.
  ///
  /// - Parameters:
  ///   - allowsQueries: Whether a string that is `$`, or begins with `$.` or `$[`, is a query. This
  ///     holds in `values`, `otherwise`, `outputs` and the `inputs` of a called workflow.
  ///   - fileReadings: What the objects say that stand beside a `$file` as its `as`, by their places
  ///     in the document.
  package static func parse(
    _ node: JSONNode, allowsQueries: Bool, fileReadings: [Int: FileReading] = [:]
  ) -> (data: DataTemplate, problems: [DataProblem]) {
    parse(
      node,
      by: DataParser(
        allowsQueries: allowsQueries, forms: { DataForms.all }, fileReadings: fileReadings))
  }

  /// The template of a value in `auth`, where the final request is known, and everything wrong with
  /// it.
  package static func parse(
    credential node: JSONNode
  ) -> (data: DataTemplate, problems: [DataProblem]) {
    var parser = DataParser(allowsQueries: false, forms: { DataForms.all })
    parser.requestParts = []
    return parse(node, by: parser)
  }

  private static func parse(
    _ node: JSONNode, by parser: consuming DataParser
  ) -> (data: DataTemplate, problems: [DataProblem]) {
    let root = DataParser.compact(parser.parse(node))
    let data = DataTemplate(
      node: node, root: root, uses: parser.usesInOrder, queries: parser.queries,
      warnings: parser.warnings, hasTypedForms: parser.hasTypedForms,
      requestParts: parser.requestParts ?? [], isKeyed: parser.isKeyed)
    return (data, parser.problems)
  }
}
