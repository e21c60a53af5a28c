import PipelineByteText
import PipelineJSONPaths
import PipelineJSONText
import PipelineLanguage
import PipelinePlanning
import PipelineSourceText
import PipelineTemplates

// The places and edits that several rules need for their fixes.

extension LintContext {
  /// Where a name is in a range, if it is there once.
  func place(of name: String, in range: Range<Int>) -> Range<Int>? {
    let (file, part) = workflow.place(of: range)
    guard let place = file.bytes.place(ofName: name, in: part) else { return nil }
    let start = place.lowerBound + range.lowerBound - part.lowerBound
    return start..<start + place.count
  }

  /// The extractor whose value a query such as `$.list.ids` reads.
  func extractor(readBy query: Query, in step: LintStep) -> Extractor? {
    guard query.segments.count == 2, let owner = query.firstName,
      let name = query.segments[1].name,
      case .step(let level, let index)? = step.definition(of: owner),
      let block = ancestor(of: step.block, level: level)
    else { return nil }
    let source = steps[blocks[block].steps[index]]
    return source.request?.extract.first { $0.name == name }
  }

  /// The path of the value that a step can read under a name: the item, an input, or what the only
  /// step beside it with such a value has.
  func path(ofValueCalled name: String, for step: LintStep) -> String? {
    if step.step.forEach?.names.contains(name) == true { return name }
    if workflow.inputs.contains(where: { $0.name == name }) { return "inputs.\(name)" }
    let owners = blocks[step.block].steps.filter {
      $0 != step.number && steps[$0].step.forEach == nil
        && shapes[$0].row.memberNames.contains(name)
    }
    guard owners.count == 1 else { return nil }
    return "\(steps[owners[0]].step.id.value).\(name)"
  }

  /// The edit that gives what a query reads, an input or an extractor, a type.
  func typing(_ query: Query, as type: String, in step: LintStep) -> DiagnosticFix? {
    if query.firstName == "inputs", query.segments.count == 2, let name = query.segments[1].name {
      return workflow.inputs.first { $0.name == name }?.node.suggesting("type", "\"\(type)\"")
    }
    guard let extractor = extractor(readBy: query, in: step) else { return nil }
    let node = extractor.node
    guard node.kind == .string else { return node.suggesting("type", "\"\(type)\"") }
    return .replacing(
      node.range, with: "{ \"body\": \(node.text), \"type\": \"\(type)\" }", isSafe: false)
  }

  /// The suggestion that gives a step a condition, if it has none.
  func condition(_ text: String, on step: Step) -> DiagnosticFix? {
    step.node["when"] == nil
      ? step.node.suggesting("when", JSONValue.string(text).description) : nil
  }

  /// Whether a template, query or condition reads an input.
  func readsInput(_ name: String) -> Bool {
    let uses = steps.lazy.flatMap(\.uses)
    let ends = blocks.lazy.flatMap(\.resolution.endUses)
    return [AnySequence(uses), AnySequence(ends)].contains { list in
      list.contains { use in
        use.definition == .inputs && use.use.query.segments.dropFirst().first?.name == name
      }
    }
  }

  /// The bytes of a range.
  func text(in range: Range<Int>) -> String {
    let (file, part) = workflow.place(of: range)
    return String(decoding: file.bytes[part.clamped(to: 0..<file.bytes.count)], as: UTF8.self)
  }

  /// The edit that sets one of the file's limits.
  func setting(limit name: String, to value: String) -> DiagnosticFix? {
    let root = workflow.document.root
    let edit =
      root["limits"]?[name].map { DiagnosticFix.Edit(range: $0.range, replacement: value) }
      ?? root.adding("limits", "\"\(name)\": \(value)")
    return edit.map {
      DiagnosticFix(
        message: "write \"limits\": {\"\(name)\": \(value)}", edits: [$0], isSafe: false)
    }
  }

  /// The edit that declares an input of the file; `nil` if it has the name already.
  func declaring(input name: String, as declaration: String) -> DiagnosticFix.Edit? {
    guard !workflow.inputs.contains(where: { $0.name == name }) else { return nil }
    return workflow.document.root.adding("inputs", "\"\(name)\": \(declaration)")
  }
}
