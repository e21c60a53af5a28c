internal import JSONPaths
internal import JSONText
internal import Workflows

extension RunState {
  /// A step whose dependencies have ended: it is skipped, fails at once, or becomes ready.
  mutating func activate(_ key: Frame.Key) {
    guard let block = frames[key.frame]?.context.block, activations[key] == nil,
      frames[key.frame]?.isStopping == false, frames[key.frame]?.results[key.step] == nil
    else { return }
    let plan = block.steps[key.step]
    for number in plan.declared {
      let ending = frames[key.frame]?.results[number]?.ending
      if ending == .failed || ending == .cancelled {
        skip(key, "step '\(block.steps[number].step.id.value)' failed")
        return
      }
    }
    var names: [String] = []
    var values: [ScopeValue?] = []
    for read in plan.reads {
      if case .item(level: 0) = read.definition { continue }
      if case .itemIndex(level: 0) = read.definition { continue }
      let found = value(of: read.definition, in: key.frame)
      if read.need != nil, case .missing(let reason) = found {
        skip(key, reason)
        return
      }
      names.append(read.name)
      values.append(found.available)
    }
    begin(key, plan, Scope.Shared(names: names, values: values))
  }

  private mutating func begin(_ key: Frame.Key, _ plan: StepPlan, _ shared: Scope.Shared) {
    let scope = Scope(shared: shared)
    let files = frames[key.frame]?.context.files ?? self.files
    do throws(Failure) {
      if let when = plan.step.when, !plan.judgesEachItem {
        guard try Evaluation.holds(when, in: scope) else {
          skip(key, "its 'when' does not hold")
          return
        }
      }
      let items = try plan.step.forEach.map { iteration throws(Failure) in
        try Evaluation.items(of: iteration, in: scope, files: files)
      }
      try countItems(items?.count ?? 0, of: key.frame)
      let label = frames[key.frame]?.context.label(of: key.step) ?? StepLabel(id: "", path: [])
      emit(
        .stepStarted(
          RunEvent.StepStarted(step: label.id, path: label.path, items: items?.count)))
      var activation = Activation(
        label: label, shared: shared, begun: now, items: items,
        concurrency: plan.step.forEach?.concurrency?.value ?? concurrency)
      if items?.count == 0 {
        activation.isQueued = false
        activations[key] = activation
        concludeStep(key)
      } else {
        activations[key] = activation
        enqueue(key)
      }
    } catch {
      fail(key, [stepFailure(error, key, item: nil)], activation: nil)
    }
  }

  private mutating func countItems(_ count: Int, of frame: Int) throws(Failure) {
    itemCount += count
    let limit = plan.workflow.limits.items
    if itemCount > limit {
      throw Failure(
        .limit, "the run has more than \(limit) items; 'limits.items' sets how many it may have")
    }
    for caller in frames[frame]?.context.callers ?? []
    where caller.workflow.limitNames.contains("items") {
      itemCounts[ObjectIdentifier(caller), default: 0] += count
      let limit = caller.workflow.limits.items
      if itemCounts[ObjectIdentifier(caller), default: 0] > limit {
        throw Failure(
          .limit,
          "'\(caller.workflow.name)' has more than \(limit) items; its 'limits.items' sets how many"
            + " it may have")
      }
    }
  }

  /// Ends a step that does not run.
  mutating func skip(_ key: Frame.Key, _ reason: String) {
    guard let context = frames[key.frame]?.context else { return }
    let plan = context.block.steps[key.step]
    var value: ScopeValue?
    if frames[key.frame]?.isStopping == false {
      do throws(Failure) {
        if plan.step.forEach != nil {
          value = plan.step.otherwise == nil ? nil : ScopeValue(text: Array("[]".utf8))
        } else if let otherwise = plan.step.otherwise {
          value = ScopeValue(
            text: try Evaluation.text(
              of: otherwise, in: fallbackScope(key, context), files: context.files))
        }
      } catch {
        fail(key, [stepFailure(error, key, item: nil)], activation: nil)
        return
      }
    }
    let label = context.label(of: key.step)
    emit(
      .stepFinished(
        RunEvent.StepFinished(
          step: label.id, path: label.path, outcome: .skipped(reason), duration: .zero,
          items: nil, failedItems: 0)))
    end(key, StepResult(ending: .skipped, value: value))
  }

  /// A step failed as a whole: the run stops, goes on, or goes on with `otherwise`.
  mutating func fail(_ key: Frame.Key, _ failures: [StepFailure], activation: Activation?) {
    activations[key] = nil
    guard let context = frames[key.frame]?.context, let first = failures.first else { return }
    let plan = context.block.steps[key.step]
    if plan.step.onError == .recover {
      do throws(Failure) {
        let value =
          plan.step.forEach == nil
          ? ScopeValue(
            text: try Evaluation.text(
              of: plan.step.otherwise ?? [], error: first.failure, in: fallbackScope(key, context),
              files: context.files))
          : ScopeValue(
            text: Array("[]".utf8),
            error: Self.error(
              activation?.failedItems ?? [(item: 0, failure: first.failure)]))
        emitFinished(key, context, .recovered(first), activation)
        end(key, StepResult(ending: .recovered, value: value))
        return
      } catch {
        let failure = stepFailure(error, key, item: nil)
        frames[key.frame]?.failures.append(failure)
      }
    }
    emitFinished(key, context, .failed(first), activation)
    frames[key.frame]?.failures += failures
    end(key, StepResult(ending: .failed, value: nil))
    if plan.step.onError != .continue { stopFrame(key.frame) }
  }

  /// `error` of a collection: its first failure, and each one with its item.
  static func error(_ failures: [(item: Int, failure: Failure)]) -> [UInt8] {
    var writer = JSONWriter(style: .compact)
    guard let first = failures.first?.failure else { return Array("null".utf8) }
    first.write(to: &writer, items: failures)
    return writer.bytes
  }

  mutating func emitFinished(
    _ key: Frame.Key, _ context: Frame.Context, _ outcome: RunEvent.Outcome,
    _ activation: Activation?
  ) {
    guard isObserved else { return }
    let label = activation?.label ?? context.label(of: key.step)
    let event = RunEvent.StepFinished(
      step: label.id, path: label.path, outcome: outcome,
      duration: activation.map { now - $0.begun } ?? .zero,
      items: activation.flatMap { $0.isCollection ? $0.done : nil },
      failedItems: activation?.itemFailures.count ?? 0)
    emit(.stepFinished(event))
  }

  /// What a step's `otherwise` reads.
  func fallbackScope(_ key: Frame.Key, _ context: Frame.Context) -> Scope {
    let reads = context.block.steps[key.step].reads.filter {
      switch $0.definition {
      case .item(level: 0), .itemIndex(level: 0): false
      default: true
      }
    }
    return Scope(
      shared: Scope.Shared(
        names: reads.map(\.name),
        values: reads.map { value(of: $0.definition, in: key.frame).available }))
  }

  /// A value of the scope, or why there is none.
  enum Found: Sendable {
    case value(ScopeValue)
    case missing(String)

    var available: ScopeValue? {
      if case .value(let value) = self { value } else { nil }
    }
  }

  func value(of definition: Definition, in frame: Int) -> Found {
    switch definition {
    case .inputs:
      return (frames[frame]?.context.inputs).map(Found.value) ?? .missing("there are no inputs")
    case .run:
      // The `finally` steps of a block see how the block went.
      var number: Int? = frame
      while let current = number {
        if let value = frames[current]?.runValue { return .value(value) }
        number = frames[current]?.context.parent?.frame
      }
      return .value(runValue)
    case .step(let level, let index):
      let frame = outer(frame, by: level)
      if let value = frames[frame]?.results[index]?.value { return .value(value) }
      let id = frames[frame]?.context.block.steps[index].step.id.value ?? ""
      switch frames[frame]?.results[index]?.ending {
      case nil: return .missing("step '\(id)' has not run")
      case .skipped: return .missing("step '\(id)' was skipped")
      default: return .missing("step '\(id)' failed")
      }
    case .item(let level):
      guard let loop = frames[outer(frame, by: level - 1)]?.context.loop else {
        return .missing("there is no item")
      }
      return .value(ScopeValue(loop.node))
    case .itemIndex(let level):
      guard let loop = frames[outer(frame, by: level - 1)]?.context.loop else {
        return .missing("there is no item")
      }
      return .value(ScopeValue(JSONValue.number(String(loop.index)).document.root))
    }
  }

  /// The frame that lies `levels` blocks further out.
  private func outer(_ frame: Int, by levels: Int) -> Int {
    var frame = frame
    for _ in 0..<max(0, levels) {
      guard let parent = frames[frame]?.context.parent else { return frame }
      frame = parent.frame
    }
    return frame
  }
}
