import PipelineJSONPaths
import PipelineJSONText
import PipelineLanguage
import PipelineSourceText
import PipelineTemplates

/// A key of an item's state that cannot tell the items apart.
enum StateKey: LintRule {
  static let explanation = Explanation("state-key", .error, PackageResources.state_key_md)

  static func check(_ step: LintStep, _ context: LintContext, _ found: inout [Diagnostic]) {
    guard case .block(let block) = step.step.action, let names = step.step.forEach?.names else {
      return
    }
    for value in block.itemState {
      guard let by = value.by else { continue }
      let references = by.value.references
      if let whole = by.value.whole,
        context.read(whole.query, in: step.number).shape.kind == .boolean
      {
        found.append(
          finding("a key is a text or a number, but '\(whole.text)' is a boolean", at: by.range))
      } else if !references.contains(where: { reference in
        reference.query.firstNames.contains { names.contains($0) }
      }), let name = names.first {
        found.append(
          finding(
            "the key of '\(value.name)' is the same for every item; write \"{{\(name)}}\", or a part"
              + " of it", at: by.range,
            fix: .replacing(by.range, with: "\"{{\(name)}}\"", isSafe: false)))
      }
    }
  }
}
