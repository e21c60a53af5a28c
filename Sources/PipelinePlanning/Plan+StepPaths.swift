internal import PipelineByteText
internal import PipelineHTTPTerms
internal import PipelineLanguage

// The paths by which people name steps: the step's id after the ids of the blocks and calls around
// it, joined with dots.

extension Plan {
  /// Whether a path names a step of the file, or of those that it calls.
  package func hasStep(at path: String) -> Bool { step(at: path) != nil }

  /// Whether the step of a path sends requests that must not be sent twice.
  ///
  /// - Parameter collections: How many steps of its path have a `forEach`.
  package func sendsOnce(at path: String, collections: Int) -> Bool {
    guard let steps = steps(along: path), let request = steps.last?.request else { return false }
    return !HTTPMethod.isIdempotent(request.request.method)
      && steps.count { $0.step.forEach != nil } == collections
  }

  /// The step of a path; `nil` if there is none.
  package func step(at path: String) -> StepPlan? { steps(along: path)?.last }

  /// The steps that a path leads through, outermost first; `nil` if there is no such step.
  private func steps(along path: String) -> [StepPlan]? {
    var block: BlockPlan? = root
    var steps: [StepPlan] = []
    for id in path.split(ascii: ".", omittingEmptySubsequences: false) {
      guard let step = block?.steps.first(where: { $0.step.pathID.equals(bytes: id) }) else {
        return nil
      }
      steps.append(step)
      block = step.within
    }
    return steps
  }

  /// Whether the step of a path finds out itself whether its requests were carried out.
  package func settlesItself(_ path: String) -> Bool {
    step(at: path)?.request?.lookUp != nil
  }

  /// The paths of the steps, those of the file first.
  ///
  /// - Parameter count: The most that are given. Files that call files may have very many.
  package func stepPaths(upTo count: Int) -> [String] {
    var paths: [String] = []
    var blocks = [(prefix: "", block: root)]
    var next = 0
    while next < blocks.count, paths.count < count {
      let (prefix, block) = blocks[next]
      next += 1
      for step in block.steps.prefix(count - paths.count) {
        let path = prefix + step.step.pathID
        paths.append(path)
        if let inner = step.within { blocks.append((path + ".", inner)) }
      }
    }
    return paths
  }
}

extension StepPlan {
  /// The steps inside: of a block, or of a called file.
  package var within: BlockPlan? { inner ?? callee?.root }

  /// Whether the step, or one inside it, sends requests that must not be sent twice.
  package var sendsOnce: Bool {
    request.map { !HTTPMethod.isIdempotent($0.request.method) }
      ?? within?.steps.contains(where: \.sendsOnce) ?? false
  }
}

extension Step {
  /// The step as a path names it: a branch has a number instead of an id.
  package var pathID: String { branch.map(String.init) ?? id.value }
}
