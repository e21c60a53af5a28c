internal import PipelineJSONPaths
internal import PipelineJSONText
internal import PipelineLanguage
internal import PipelinePlanning
internal import PipelineTemplates

// The state of items: read when the pass of an item begins, and left when it ends well.
//
// What a pass leaves goes up with its outcome, from a frame to the activation of its step and from
// there to the frame around. So nothing is left by an item that failed, or inside something that
// failed, was cancelled, or was tried again.

extension RunState {
  /// The state as the block of an item sees it, once the item has its keys.
  ///
  /// - Returns: `nil` if the items of the step have no state of their own.
  mutating func itemState(
    of block: BlockPlan, _ place: StepPlace, _ label: StepLabel, _ position: Int, _ scope: Scope
  ) throws(FailureReason) -> ScopeValue? {
    let values = block.block.itemState
    if values.isEmpty { return nil }
    let checked = stateValues
    var writer = JSONWriter(style: .compact)
    writer.beginObject()
    for member in place.context.state.map({ Array($0.node.members) }) ?? [] {
      writer.name(member.name)
      writer.value(member.value)
    }
    for value in values {
      let key = try key(of: value, in: scope)
      let size = Self.sizeOfKey + key.utf8.count
      guard memory.hasRoom(for: size) else {
        throw .tooMuchHeld(settings.plan.workflow.limits)
      }
      if let other = itemStates.take(key, of: value.name, for: label.path + [position]) {
        let item = other.map(String.init).joined(separator: "/")
        throw FailureReason(
          .value,
          "item \(item) has the key '\(key)' of state '\(value.name)', too; 'by' must give each item a"
            + " key of its own", at: value.by?.range)
      }
      hold(size, in: .root)
      if let node = itemStates.value(of: value.name, at: key) {
        writer.name(value.name)
        writer.value(node)
      } else if let node = value.defaultValue {
        do throws(InputProblem) {
          let first = try checked.check(node, of: value)
          writer.name(value.name)
          writer.value(first)
        } catch {
          throw FailureReason(.value, error.message, at: node.range)
        }
      }
    }
    writer.endObject()
    return ScopeValue(text: writer.bytes)
  }

  /// About what a key takes beside its text, in bytes.
  private static let sizeOfKey = 96

  private var stateValues: StateValues {
    StateValues(workflow: settings.plan.workflow, startedAt: settings.identity.startedAt)
  }

  /// The key of an item.
  private func key(of value: StateValue, in scope: Scope) throws(FailureReason) -> String {
    guard let by = value.by else { throw FailureReason(.value, "'by' could not be read") }
    let key: String
    if let whole = by.value.whole {
      let node = scope.value(of: whole)
      guard let node, node.kind == .string || node.kind == .number else {
        throw FailureReason(
          .value,
          "the key of state '\(value.name)' must be a text or a number, but '\(whole.text)' is "
            + (node.map(\.kind.article) ?? "absent"), at: by.range)
      }
      key = node.string ?? node.text
    } else {
      key = try Evaluation.text(by, at: .text, in: scope)
    }
    guard !key.isEmpty else {
      throw FailureReason(.value, "the key of state '\(value.name)' is empty", at: by.range)
    }
    guard settings.redactor.holdsNoSecret(JSONValue.string(key).node) else {
      throw FailureReason(
        .value,
        "the key of state '\(value.name)' contains a secret, but state is written to a file",
        at: by.range)
    }
    return key
  }

  /// Gives their keys to items that other processes carry out, so that an item of this one does not
  /// get a key that an earlier item has.
  mutating func takeKeys(of items: [Scope.Item], _ place: StepPlace, _ number: Int) {
    guard let values = place.plan.inner?.block.itemState else { return }
    for item in items {
      let scope = Scope(shared: activations[number].shared, item: item)
      do throws(FailureReason) {
        if place.plan.judgesEachItem, let when = place.plan.step.when,
          try !Evaluation.holds(when, in: scope)
        {
          continue
        }
        for value in values {
          let key = try key(of: value, in: scope)
          _ = itemStates.take(
            key, of: value.name, for: activations[number].label.path + [item.index])
        }
      } catch {
        // Its own process reports it.
        continue
      }
    }
  }

  /// What a pass that ends well leaves to the next run, with what was left inside it.
  ///
  /// - Parameter outcome: Becomes a failure if a value cannot be left.
  mutating func leaveState(
    of id: FrameID, _ outcome: inout ItemOutcome, for parent: StepPlace
  ) -> [LeftState] {
    guard case .values = outcome, let number = activation(at: parent) else { return [] }
    var left = frames[id].leftState
    let context = frames[id].context
    let values = context.block.block.itemState
    if values.isEmpty { return left }
    let item = Scope(shared: activations[number].shared, item: context.loop)
    do throws(FailureReason) {
      let next = try stateValues.next(
        context.block.block.next, context.secrecy[context.block].next,
        in: frames.scope(of: context.block.nextReads, in: id), files: context.files,
        settings.redactor)
      for (name, value) in next {
        guard let declared = values.first(where: { $0.name == name }) else { continue }
        let change = LeftState(name: name, key: try key(of: declared, in: item), value: value)
        let size = Self.sizeOfKey + change.key.utf8.count + value.node.text.utf8.count
        guard memory.hasRoom(for: size) else {
          throw .tooMuchHeld(settings.plan.workflow.limits)
        }
        hold(size, in: .root)
        left.append(change)
      }
      return left
    } catch {
      outcome = .failed([stepFailure(error, parent, item: context.loop?.index, in: item)])
      return []
    }
  }
}
