package import PipelineByteText
import PipelineJSONPaths
import PipelineLanguage

extension Plan {
  /// The names of the inputs that the plan's steps and outputs read; `nil` if they are unknown, as
  /// in `$.inputs[*]`.
  ///
  /// - Complexity: O(size of the file).
  package var inputsRead: Set<ExactText>? {
    var names: Set<ExactText> = []
    var isKnown = true
    func note(_ uses: [ResolvedUse]) {
      for use in uses where use.definition == .inputs {
        let segments = use.use.query.segments
        let read = segments.count > 1 ? segments[1].name.map { [$0] } ?? segments[1].names : []
        if read.isEmpty { isKnown = false }
        names.formUnion(read.map { ExactText($0) })
      }
    }
    func collect(_ resolution: Resolution) {
      for step in resolution.steps {
        note(step.uses)
        if let inner = step.inner { collect(inner) }
      }
      note(resolution.endUses)
    }
    collect(Resolution.of(workflow))
    return isKnown ? names : nil
  }
}
