import PipelineJSONText
import PipelineLanguage
import PipelineSourceText

/// A step that recovers, and leaves steps that need its values without them.
enum RecoverWithoutOtherwise: LintRule {
  static let explanation = Explanation(
    "recover-without-otherwise", .note, PackageResources.recover_without_otherwise_md)

  static func check(_ context: LintContext) -> [Diagnostic] {
    var found: [Diagnostic] = []
    var reported = Set<Int>()
    for reader in context.steps {
      for need in context.needs(of: reader) where need.name != "error" {
        let source = need.source.step
        // An author who lets all steps recover, in the defaults, means all of them.
        guard source.onError == .recover, source.otherwise == nil, source.forEach == nil,
          let place = source.node.members.first(where: { $0.name == "onError" }),
          reported.insert(need.source.number).inserted
        else { continue }
        found.append(
          finding(
            "if step '\(source.id.value)' fails, step '\(reader.step.id.value)' is skipped, because"
              + " it needs '\(need.name)'; an \"otherwise\" with '\(need.name)' lets it run",
            at: place.nameRange,
            related: [.init(range: need.range, message: "'\(need.name)' is read here")]))
      }
    }
    return found
  }
}
