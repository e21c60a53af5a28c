import PipelineJSONPaths
import PipelineLanguage
import PipelinePlanning
import PipelineSourceText
import PipelineTemplates

/// A request whose host a response decides.
enum HostFromResponse: LintRule {
  static let explanation = Explanation(
    "host-from-response", .note, PackageResources.host_from_response_md)

  /// Whether a step computes nothing but the author's own text and inputs.
  private static func isWritten(_ step: Step) -> Bool {
    guard case .values(let fields) = step.action, step.forEach == nil else { return false }
    return fields.allSatisfy { field in
      field.value.uses.allSatisfy { $0.query.firstName == "inputs" }
    }
  }

  /// The source of the value that a use reads, if it is not the author.
  private static func decider(
    of use: ResolvedUse, _ step: LintStep, _ context: LintContext
  ) -> String? {
    switch use.definition {
    case .step(let level, let index)?:
      let other = context.step(level: level, index: index, from: step.block)
      return other.map(isWritten) == false ? "a response" : nil
    case .state?: return "the state of an earlier run"
    default: return nil
    }
  }

  static func check(_ step: LintStep, _ context: LintContext, _ found: inout [Diagnostic]) {
    guard let request = step.request, request.sendCredentials.isEmpty else { return }
    for use in step.uses {
      guard case .url(let position) = use.use.site, position == .start || position == .authority,
        let decider = Self.decider(of: use, step, context)
      else { continue }
      found.append(
        finding(
          "\(decider) decides the host here, by '\(use.use.query.shown)'; on another origin "
            + "the request gets no credentials", at: use.use.range))
    }
  }
}
