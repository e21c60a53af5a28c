package import PipelineJSONText

/// A named part of a file, for an editor's list of symbols.
package struct OutlineEntry: Sendable {
  package enum Kind: Sendable {
    case input, step, block, value, output, state, test
  }

  package let name: String
  /// What it does, in a few words: `GET https://…`.
  package let detail: String
  package let kind: Kind
  /// All of it.
  package let range: Range<Int>
  /// Its name, or another short part of it.
  package let nameRange: Range<Int>
  package let children: [OutlineEntry]
}

extension OutlineEntry {
  /// The named parts of a workflow or test file, in its order.
  package static func entries(of root: JSONNode) -> [OutlineEntry] {
    var entries: [OutlineEntry] = []
    for member in root.members {
      switch member.name {
      case "inputs": entries += named(member.value, .input)
      case "state": entries += named(member.value, .state)
      case "outputs": entries += named(member.value, .output)
      case "steps", "finally": entries += steps(member.value)
      case "tests":
        entries += member.value.elements.compactMap { test in
          guard let name = test["name"], let text = name.string else { return nil }
          return OutlineEntry(
            name: text, detail: "test", kind: .test, range: test.range, nameRange: name.range,
            children: [])
        }
      default: break
      }
    }
    return entries
  }

  private static func named(_ node: JSONNode, _ kind: OutlineEntry.Kind) -> [OutlineEntry] {
    node.members.map { member in
      OutlineEntry(
        name: member.name, detail: member.value.string ?? "", kind: kind,
        range: member.nameRange
          .lowerBound..<max(
            member.nameRange.upperBound, member.value.range.upperBound),
        nameRange: member.nameRange, children: [])
    }
  }

  private static func steps(_ node: JSONNode) -> [OutlineEntry] {
    node.elements.filter { $0.kind == .object }.map { step in
      let inner = ["steps", "choose", "finally"].compactMap { step[$0] }
      let values = ["extract", "values", "outputs"].compactMap { step[$0] }
      let detail =
        step["endpoint"]?.string ?? step["workflow"]?.string ?? step["when"]?.string
        ?? (step["choose"] != nil ? "one of several" : "")
      let start = step.range.lowerBound
      return OutlineEntry(
        name: step["id"]?.string ?? (detail.isEmpty ? "step" : detail), detail: detail,
        kind: inner.isEmpty ? .step : .block, range: step.range,
        nameRange: step["id"]?.range ?? start..<start + 1,
        children: (step["state"].map { named($0, .state) } ?? [])
          + values.flatMap { named($0, .value) } + inner.flatMap { steps($0) })
    }
  }
}
