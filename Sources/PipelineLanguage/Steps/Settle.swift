package import PipelineJSONPaths
import PipelineTemplates

/// The look-up that finds out whether a request that must not be sent twice was carried out.
///
/// By reference: few requests have one, and it is as large as a step.
package final class Settle: Sendable {
  /// The look-up, as a step with a GET or HEAD. Its values are those of the step that it settles.
  package let step: Step
  package let request: Request
  /// Whether the request was carried out; `@` is the response.
  package let done: Written<Condition>
  /// How long after it was sent the request may still take effect.
  package let within: Duration

  init(step: Step, request: Request, done: Written<Condition>, within: Duration) {
    self.step = step
    self.request = request
    self.done = done
    self.within = within
  }

  /// Whether the look-up reads one of these names.
  func reads(_ names: [String]) -> Bool {
    step.uses.contains { use in use.query.firstNames.contains { names.contains($0) } }
  }
}

extension Step {
  /// The look-up that finds out what became of the step's requests; `nil` if it has none.
  package var settle: Settle? {
    if case .request(let request) = action { request.settle } else { nil }
  }
}
