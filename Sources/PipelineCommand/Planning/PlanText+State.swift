internal import PipelineJSONText
internal import PipelineLanguage
internal import PipelinePlanning
internal import PipelineSourceText
internal import PipelineTemplates

// What a run would begin with, and what it would leave.

extension PlanText {
  /// The state of the file itself. That of items is shown at their step.
  var ownState: [StateValue] { plan.workflow.state.filter { !$0.isOfItems } }

  var state: String {
    let width = ownState.map(\.name.count).max() ?? 0
    return ownState.map { value in
      var text = "absent until a run leaves it"
      if let node = known.state?[value.name] {
        text = Self.oneLine(JSONValue(node)) + (kept.contains(value.name) ? "" : "  default")
      }
      return Cells.printable("  " + pad(value.name, width) + "  " + text) + "\n"
    }.joined()
  }

  /// `keeps  since by {{account}}, 2 keys; next {{run.startedAt}}`
  func itemState(_ value: StateValue) -> String {
    let keys = itemKeys[value.name] ?? 0
    return "keeps  \(value.name) by \(value.by?.node.string ?? ""), "
      + (keys == 0 ? "no key yet" : keys.counting("key"))
      + (value.next.map { "; next " + (known.data($0.value.node).map(Self.oneLine) ?? "absent") }
        ?? "")
  }
}
