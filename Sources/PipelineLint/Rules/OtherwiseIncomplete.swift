import PipelineJSONPaths
import PipelineJSONText
import PipelineLanguage
import PipelineSourceText

/// An `otherwise` that lacks a value others need.
enum OtherwiseIncomplete: LintRule {
  static let explanation = Explanation(
    "otherwise-incomplete", .warning, PackageResources.otherwise_incomplete_md)

  static func check(_ context: LintContext) -> [Diagnostic] {
    var found: [Diagnostic] = []
    var reported = Set<String>()
    for reader in context.steps {
      for need in context.needs(of: reader) {
        let source = need.source
        guard let otherwise = source.step.otherwise, need.name != "error",
          !otherwise.contains(where: { $0.name == need.name }), !source.mayLack(need.name),
          reported.insert("\(source.number).\(need.name)").inserted,
          let place = source.step.node.members.first(where: { $0.name == "otherwise" })
        else { continue }
        found.append(
          finding(
            "'otherwise' lacks '\(need.name)', so step '\(reader.step.id.value)', which needs it,"
              + " is skipped as well",
            at: place.nameRange,
            related: [.init(range: need.range, message: "'\(need.name)' is read here")]))
      }
    }
    return found
  }
}
