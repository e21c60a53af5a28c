internal import JSONPaths
internal import JSONText
internal import Templates
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
    case .state: return context.state
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

  /// Why a value is missing that a step needs, `nil` if none is, and whether something that it does
  /// not need is missing.
  func missing(for plan: StepPlan) -> (reason: String?, hasGaps: Bool) {
    var hasGaps = false
    let endings = endings
    for read in plan.sharedReads where read.isNeeded {
      // Most are of this frame. Nothing is counted here, so that what several reads wait for comes
      // from memory at once.
      if case .step(level: 0, let index) = read.definition, endings[index]?.isWhole == true {
        continue
      }
      if let reason = reasonMissing(read, plan.step) { return (reason, true) }
      hasGaps = hasGaps || !gaps(at: read.definition).isNone
    }
    return (nil, hasGaps)
  }

  private func reasonMissing(_ read: Read, _ reader: Step) -> String? {
    switch read.definition {
    case .inputs, .state, .run: return nil
    case .step(let level, let index):
      let frame = outer(by: level)
      guard let ending = frame.endings[index] else {
        return "step '\(frame.context.block.steps[index].step.id.value)' has not run"
      }
      if ending.isWhole { return nil }
      let gaps = frame.gaps(of: index)
      if !ending.isReadable { return gaps.cause }
      return gaps.reasonMissing(read.name, for: reader, in: scope(of: [read]))
    case .item(let level):
      guard let loop = outer(by: level - 1).context.loop else { return "there is no item" }
      return loop.gaps.isNone
        ? nil : loop.gaps.reasonMissing(read.name, for: reader, in: scope(of: [read]))
    case .itemIndex(let level):
      return outer(by: level - 1).context.loop == nil ? "there is no item" : nil
    }
  }

  /// The gaps of the values that fields give, by name; fields without any are left out.
  ///
  /// - Parameter reads: All that the fields read, and perhaps more.
  func gaps(of fields: [Field], reading reads: [Read]) -> [String: Gaps] {
    let missing = reads.compactMap { read -> (read: Read, gaps: Gaps)? in
      let gaps = gaps(at: read.definition)
      return gaps.isNone ? nil : (read, gaps)
    }
    if missing.isEmpty { return [:] }
    let context = scope(of: missing.map(\.read)).queryContext()
    var found: [String: Gaps] = [:]
    for field in fields {
      let isWhole = field.value.wholeReference != nil
      for use in field.value.uses where use.query.isSingular {
        guard let gaps = missing.first(where: { $0.read.name == use.query.firstName })?.gaps else {
          continue
        }
        let below = gaps.below(use.query.segments.dropFirst())
        if isWhole || below.cause != nil && use.query.first(in: context) == nil {
          found[field.name] = below.isNone ? nil : below
          break
        }
      }
    }
    return found
  }

  /// What is missing of the rows that a `forEach` runs over; `nil`: nothing, or they are not rows.
  func itemGaps(of iteration: Iteration, reading reads: [Read]) -> ItemGaps? {
    guard case .query(let query) = iteration.source.value, iteration.batch == nil,
      let read = reads.first(where: { $0.name == query.value.firstName }),
      case .rows(let rows) = gaps(at: read.definition)
    else { return nil }
    let segments = query.value.segments.dropFirst()
    return ItemGaps(
      rows: rows,
      isAligned: !iteration.isDistinct && segments.count <= 1
        && segments.allSatisfy(\.isWildcard))
  }

  private func gaps(at definition: Definition) -> Gaps {
    switch definition {
    case .inputs, .state, .run, .itemIndex: .none
    case .step(let level, let index): outer(by: level).gaps(of: index)
    case .item(let level): outer(by: level - 1).context.loop?.gaps ?? .none
    }
  }
}

extension Gaps {
  /// Why a value that a step needs is missing, of those whose name it reads; `nil`: none is.
  func reasonMissing(_ name: String, for reader: Step, in scope: Scope) -> String? {
    for uses in [reader.iterationUses, reader.uses] {
      for use in uses where use.mode == .needs && use.query.firstName == name {
        guard let cause = below(use.query.segments.dropFirst()).cause,
          use.query.first(in: scope.queryContext()) == nil
        else { continue }
        return "'\(use.query.text)' is absent, because \(cause)"
      }
    }
    return nil
  }
}
