import PipelineLanguage
import PipelineSourceText
import PipelineTemplates

/// A secret that a run would leave to the next one.
enum SecretInState: LintRule {
  static let explanation = Explanation(
    "secret-in-state", .error, PackageResources.secret_in_state_md)

  static func check(_ context: LintContext) -> [Diagnostic] {
    context.stateValues.compactMap { value, block in
      guard
        let use = value.next?.value.uses.first(where: {
          context.read($0.query, inOutputsOf: block).shape.holdsSecrets
        })
      else { return nil }
      return finding(
        "'\(use.query.shown)' is a secret or contains one, but state is written to a file; "
          + "fetch it in each run",
        at: use.range)
    }
  }

  static func check(_ step: LintStep, _ context: LintContext, _ found: inout [Diagnostic]) {
    guard case .block(let block) = step.step.action else { return }
    for by in block.itemState.compactMap(\.by) {
      for reference in by.value.references
      where context.read(reference.query, in: step.number).shape.holdsSecrets {
        found.append(
          finding(
            "'\(reference.query.shown)' is a secret or contains one, but a key is written to a file;"
              + " keep the state by a name that is not secret",
            at: by.range(of: reference.range)))
      }
    }
  }
}

extension ValueShape {
  /// Whether the value is a secret, or one is in it.
  fileprivate var holdsSecrets: Bool {
    if isSecret { return true }
    // Nothing in a response is a secret by its description, and it may have no end.
    if source != nil { return false }
    switch content {
    case .list(let element): return element.holdsSecrets
    case .object(let members, _): return members.shapes.contains(where: \.holdsSecrets)
    case .unknown, .string, .integer, .number, .boolean, .null, .choice: return false
    }
  }
}
