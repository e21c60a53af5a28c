import PipelineJSONPaths
import PipelineJSONText
import PipelineLanguage
import PipelineSourceText

/// An `otherwise` that lacks a value others need.
enum OtherwiseIncomplete: LintRule {
  static let explanation = Explanation(
    "otherwise-incomplete", .warning, PackageResources.otherwise_incomplete_md)

  static func check(_ context: LintContext) -> [Diagnostic] {
    var found = context.steps.flatMap(misspelt)
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

  /// Finds names that are near to those of values that the step gives otherwise.
  private static func misspelt(in step: LintStep) -> [Diagnostic] {
    guard let otherwise = step.step.otherwise, let request = step.request, step.isWhole else {
      return []
    }
    let names = request.extract.map(\.name)
    return otherwise.compactMap { field in
      guard !names.contains(field.name),
        let meant = Spelling.nearest(to: field.name, among: names),
        !otherwise.contains(where: { $0.name == meant })
      else { return nil }
      let proposal = Proposal.didYouMean(meant, at: field.nameRange, as: "\"\(meant)\"")
      return finding(
        "'otherwise' gives '\(field.name)', which the step does not extract" + proposal.text,
        at: field.nameRange, fix: proposal.fix)
    }
  }
}
