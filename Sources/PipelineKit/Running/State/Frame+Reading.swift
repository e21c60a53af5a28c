internal import JSONText
internal import Workflows

// What the steps of a frame read.

extension Frame {
  func scope(of reads: [Read]) -> Scope {
    Scope(
      shared: Scope.Shared(reads: reads, values: reads.map { value(of: $0.definition) }))
  }

  /// A value of the scope; `nil`: there is none.
  func value(of definition: Definition) -> ScopeValue? {
    switch definition {
    case .inputs: return context.inputs
    case .run:
      // The `finally` steps of a block see how the block went.
      var frame = self
      while frame.runValue == nil, let parent = frame.parent { frame = parent.frame }
      return frame.runValue
    case .step(let level, let index): return outer(by: level).value(of: index)
    case .item(let level):
      return outer(by: level - 1).context.loop.map { ScopeValue($0.node) }
    case .itemIndex(let level):
      return outer(by: level - 1).context.loop.map {
        ScopeValue(JSONDocument(integer: $0.index).root)
      }
    }
  }

  /// Why a value is missing that a step needs; `nil`: none is.
  func reasonMissing(of reads: [Read]) -> String? {
    let endings = endings
    for read in reads where read.isNeeded {
      // Most are of this frame. Nothing is counted here, so that what several reads wait for comes
      // from memory at once.
      if case .step(level: 0, let index) = read.definition, endings[index]?.isReadable == true {
        continue
      }
      if let reason = reasonMissing(read.definition) { return reason }
    }
    return nil
  }

  private func reasonMissing(_ definition: Definition) -> String? {
    switch definition {
    case .inputs, .run: return nil
    case .step(let level, let index):
      let frame = outer(by: level)
      let ending = frame.endings[index]
      if ending?.isReadable == true { return nil }
      let id = frame.context.block.steps[index].step.id.value
      switch ending?.kind {
      case nil: return "step '\(id)' has not run"
      case .skipped: return "step '\(id)' was skipped"
      default: return "step '\(id)' failed"
      }
    case .item(let level), .itemIndex(let level):
      return outer(by: level - 1).context.loop == nil ? "there is no item" : nil
    }
  }
}
