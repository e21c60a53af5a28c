import PipelineJSONPaths
import PipelineLanguage
import PipelinePlanning
import PipelineSourceText

extension LintContext {
  /// The members of `inputs` or `state` that something reads, with those whose names were likely
  /// meant; `nil` if something reads all of them, as `$.inputs[*]` does.
  ///
  /// - Parameters:
  ///   - names: The declared ones.
  ///   - isOwn: Whether the next values of state count as readers.
  func members(
    readOf definition: Definition, among names: [String], byNextValues isOwn: Bool
  ) -> Set<String>? {
    var used = Set<String>()
    /// Returns whether only some members are read.
    func note(_ use: ResolvedUse) -> Bool {
      if case .unknown = use.outcome { used.insert(use.name) }
      guard use.definition == definition else { return true }
      let segments = use.use.query.segments
      guard segments.count > 1, !segments[1].names.isEmpty else { return false }
      used.formUnion(segments[1].names)
      return true
    }
    for step in steps {
      // By number: a use is large to copy.
      let uses = step.uses
      for number in uses.indices {
        guard note(uses[number]) else { return nil }
      }
    }
    for block in blocks {
      let uses = isOwn ? block.resolution.endUses : block.resolution.outputUses
      guard uses.allSatisfy(note) else { return nil }
    }
    // A misspelt name is one mistake, and one finding.
    for name in used.subtracting(names).sorted().prefix(FindingBounds.advised) {
      if let meant = Spelling.nearest(to: name, among: names) { used.insert(meant) }
    }
    return used
  }
}
