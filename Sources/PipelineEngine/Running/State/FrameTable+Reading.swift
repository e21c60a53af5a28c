internal import PipelineJSONPaths
internal import PipelineJSONText
internal import PipelineLanguage
internal import PipelinePlanning
internal import PipelineTemplates

/// A step of a frame, or the frame's outputs, as the owner of a scope.
private struct FrameReader: ScopeOwner {
  let context: FrameContext
  /// `nil` for the outputs.
  let step: Int?
  let redactor: Redactor

  private var label: StepLabel? { step.map { context.label(of: $0) } ?? context.label }

  var name: String { label?.id ?? "" }

  var place: String {
    ([name] + (label?.path.map(String.init) ?? [])).joined(separator: "/")
  }

  var secretRanges: Set<Range<Int>>? {
    guard let step else { return context.secrecy[context.block].outputRanges }
    return context.secrecy.ranges(of: step, in: context.block)
  }
}

// The reads of a frame's steps. Reading is a change, because a value is laid out when it is first
// read.

extension FrameTable {
  /// - Parameter step: The step that reads; `nil` if the outputs do.
  mutating func scope(of reads: [Read], in id: FrameID, for step: Int? = nil) -> Scope {
    Scope(
      shared: Scope.Shared(
        reads: reads, values: reads.map { value(of: $0.definition, in: id) },
        owner: FrameReader(context: self[id].context, step: step, redactor: redactor)))
  }

  /// A value of the scope; `nil` if there is none.
  private mutating func value(of definition: Definition, in id: FrameID) -> ScopeValue? {
    switch definition {
    case .inputs: return self[id].context.inputs
    case .state: return self[id].context.state
    case .run:
      // The `finally` steps of a block see how the block went.
      var id = id
      while self[id].runValue == nil, let parent = self[id].parent { id = parent.frame }
      return self[id].runValue
    case .step(let level, let index):
      return self[outer(id, by: level)].values.value(of: index)
    case .item(let level):
      return loop(around: id, level).map { ScopeValue($0.node) }
    case .itemIndex(let level):
      return loop(around: id, level).map { ScopeValue(JSONDocument(integer: $0.index).root) }
    case .carried(let level, let name):
      return loop(around: id, level)?.node[name].map { ScopeValue($0) }
    // Each page has its own.
    case .pageValue: return nil
    }
  }

  private func loop(around id: FrameID, _ level: Int) -> Scope.Item? {
    self[outer(id, by: level - 1)].context.loop
  }

  /// Why a value is missing that a step needs, `nil` if none is, and whether something that it does
  /// not need is missing.
  mutating func missing(for place: StepPlace) -> (reason: String?, hasGaps: Bool) {
    let plan = place.plan
    var hasGaps = false
    for read in plan.sharedReads where read.isNeeded {
      // Most reads are of steps of the same frame that gave everything.
      if case .step(level: 0, let index) = read.definition,
        self[place.frame].steps[index].ending?.isWhole == true
      {
        continue
      }
      if let reason = reasonMissing(read, plan.step, in: place.frame) { return (reason, true) }
      hasGaps = hasGaps || !gaps(at: read.definition, in: place.frame).isNone
    }
    return (nil, hasGaps)
  }

  private mutating func reasonMissing(_ read: Read, _ reader: Step, in id: FrameID) -> String? {
    switch read.definition {
    case .inputs, .state, .run, .pageValue: return nil
    case .step(let level, let index):
      let outer = outer(id, by: level)
      guard let ending = self[outer].steps[index].ending else {
        return "step '\(self[outer].context.block.steps[index].step.id.value)' has not run"
      }
      if ending.isWhole { return nil }
      let gaps = self[outer].gaps(of: index)
      if !ending.isReadable { return gaps.cause }
      return gaps.reasonMissing(read.name, for: reader, in: scope(of: [read], in: id))
    case .item(let level):
      guard let loop = loop(around: id, level) else { return "there is no item" }
      return loop.gaps.isNone
        ? nil : loop.gaps.reasonMissing(read.name, for: reader, in: scope(of: [read], in: id))
    case .itemIndex(let level):
      return loop(around: id, level) == nil ? "there is no item" : nil
    // In a round without a value it is absent.
    case .carried: return nil
    }
  }

  /// The gaps in the values of fields, by name, without fields that have none.
  ///
  /// - Parameter reads: All that the fields read, and perhaps more.
  mutating func gaps(
    of fields: [Field], reading reads: [Read], in id: FrameID
  ) -> [String: Gaps] {
    let missing = reads.compactMap { read -> (read: Read, gaps: Gaps)? in
      let gaps = gaps(at: read.definition, in: id)
      return gaps.isNone ? nil : (read, gaps)
    }
    if missing.isEmpty { return [:] }
    let context = scope(of: missing.map(\.read), in: id).queryContext()
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

  /// The gaps of the rows that a `forEach` runs over; `nil` if there is none, or they are not rows.
  func itemGaps(of iteration: Iteration, reading reads: [Read], in id: FrameID) -> ItemGaps? {
    guard case .query(let query) = iteration.source.value, !iteration.isBatched,
      let read = reads.first(where: { $0.name == query.value.firstName }),
      case .rows(let rows) = gaps(at: read.definition, in: id)
    else { return nil }
    let segments = query.value.segments.dropFirst()
    return ItemGaps(
      rows: rows,
      isAligned: !iteration.isDistinct && segments.count <= 1
        && segments.allSatisfy(\.isWildcard))
  }

  private func gaps(at definition: Definition, in id: FrameID) -> Gaps {
    switch definition {
    case .inputs, .state, .run, .itemIndex, .carried, .pageValue: .none
    case .step(let level, let index): self[outer(id, by: level)].gaps(of: index)
    case .item(let level): loop(around: id, level)?.gaps ?? .none
    }
  }
}

extension Gaps {
  /// Why a value is missing that a step needs and reads by name; `nil` if none is.
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
