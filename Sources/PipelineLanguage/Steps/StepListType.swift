import PipelineJSONText
import PipelineSourceText

/// A list of steps, as nodes: their names are known before the first is read.
struct StepListType: ValueType {
  var mayBeEmpty = true

  var description: LanguageType { .list(.object(.step)) }

  func read(_ node: JSONNode, _ name: String, _ decoder: inout WorkflowDecoder) -> [JSONNode]? {
    if node.kind == .object { return Self.steps(ofObject: node, name, &decoder) }
    guard node.kind == .array else {
      decoder.mistyped(node, name, "a list of steps")
      return nil
    }
    let nodes = Array(node.elements)
    if nodes.isEmpty, !mayBeEmpty {
      decoder.report(
        .invalidValue,
        "'\(name)' is empty and there are no 'outputs'; write at least one step, such as "
          + "{\"id\": \"list\", \"endpoint\": \"GET https://api.example.com/users\"}",
        at: node.range)
    }
    return nodes
  }

  /// Whether a list is one of steps as they are written here. In the words of another tool, each of
  /// its keys would be reported.
  func isMeant(by member: JSONMember) -> Bool {
    member.value.kind == .array && member.value.count > 0
      && member.value.elements.allSatisfy { step in
        step["id"] != nil && LanguageAction.allCases.contains { step[$0.rawValue] != nil }
      }
  }

  /// The steps of an author who wrote one step, or steps by their names. They are read as meant, so
  /// that reads of them are not further mistakes.
  private static func steps(
    ofObject node: JSONNode, _ name: String, _ decoder: inout WorkflowDecoder
  ) -> [JSONNode] {
    guard let first = node.members.first(where: { _ in true }) else {
      decoder.mistyped(node, name, "a list of steps")
      return []
    }
    guard !node.members.contains(where: { LanguageObject.Kind.step.object.index(of: $0) != nil })
    else {
      let fix = DiagnosticFix(
        message: "write the step between [ and ]",
        edits: [DiagnosticFix.Edit(range: node.range, replacement: "[\(node.text)]")],
        isSafe: false)
      decoder.mistyped(
        node, name, "a list of steps",
        hint: Proposal("; write the step between [ and ]", fix: fix))
      return [node]
    }
    decoder.mistyped(
      node, name, "a list of steps",
      hint: Proposal(
        "; write [{\"id\": \"\(first.name)\", …}] for {\"\(first.name)\": …}",
        fix: Self.listOfSteps(node)))
    let steps = node.members.map(\.value).filter { $0.kind == .object }
    decoder.namedByKey.formUnion(steps.map(\.index))
    return steps
  }

  /// The edits that make a list of steps out of an object of them by name.
  private static func listOfSteps(_ node: JSONNode) -> DiagnosticFix? {
    let (start, end) = (node.range.lowerBound, node.range.upperBound)
    var edits = [DiagnosticFix.Edit(range: start..<start + 1, replacement: "[")]
    for member in node.members {
      let step = member.value
      guard step.kind == .object, step.count > 0, step["id"] == nil else { return nil }
      edits.append(
        DiagnosticFix.Edit(
          range: member.nameRange.lowerBound..<step.range.lowerBound + 1,
          replacement: "{ \"id\": \(JSONValue.string(member.name)),"))
    }
    edits.append(DiagnosticFix.Edit(range: end - 1..<end, replacement: "]"))
    return DiagnosticFix(message: "write a list of steps", edits: edits, isSafe: false)
  }
}
