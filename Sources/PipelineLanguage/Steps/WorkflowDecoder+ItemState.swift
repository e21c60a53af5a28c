import PipelineJSONText
import PipelineSourceText

// The state of items: it is declared in steps, and its names are known in the whole file.

extension WorkflowDecoder {
  /// Where the first step that keeps state for its items declares it; `nil` if none does.
  ///
  /// It is looked for before any step is read, because `state` is then reserved in all of them.
  var itemStatePlace: Range<Int>? { Self.itemStatePlace(in: document.root, depth: 0) }

  private static func itemStatePlace(in owner: JSONNode, depth: Int) -> Range<Int>? {
    guard depth <= blockDepthLimit else { return nil }
    for key in ["steps", "finally", "choose"] {
      guard let list = owner[key], list.kind == .array else { continue }
      for step in list.elements where step.kind == .object {
        if key != "choose", let member = step.members.first(where: { $0.name == "state" }) {
          return member.nameRange
        }
        if let place = itemStatePlace(in: step, depth: depth + 1) { return place }
      }
    }
    return nil
  }

  /// Adds the state of the items of a block's steps, at any depth.
  ///
  /// Reports a name that the file's state or that of other items has: state is kept by name.
  mutating func addItemState(of block: Block, to state: inout [StateValue]) {
    for step in block.steps + block.finally {
      guard case .block(let inner) = step.action else { continue }
      for value in inner.itemState {
        if let first = state.first(where: { $0.name == value.name }) {
          report(
            .duplicateName, "two state values are called '\(value.name)'; each needs its own name",
            at: value.nameRange,
            related: [.init(range: first.nameRange, message: "the first one is here")])
        } else {
          state.append(value)
        }
      }
      addItemState(of: inner, to: &state)
    }
  }
}
