internal import PipelineByteText
internal import PipelineJSONText

extension ArazzoReader {
  // MARK: Called workflows

  /// A step that calls a workflow: a block of its steps.
  mutating func call(
    _ node: ReadNode, _ workflow: ReadNode, _ step: inout ArazzoStep, _ scope: Scope
  ) throws(ArazzoRefusal) {
    let id = node["workflowId"]?.string ?? ""
    if let timeout = node["timeout"] {
      throw ArazzoRefusal(line: line(timeout), message: "'timeout' of a call has no counterpart")
    }
    let given = try parameters(of: node, workflow).filter { $0.shared["in"] == nil }
    var inputs: [String: Value] = [:]
    for parameter in given {
      guard let key = parameter.shared["name"]?.string,
        let value = parameter.node["value"] ?? parameter.shared["value"]
      else { continue }
      inputs[key] = try self.value(of: value, scope)
    }
    let text = node["description"]?.string?.trimmed
    try call(id, &step, text) { (reader, called, inner) throws(ArazzoRefusal) in
      inner.inputs = reader.given(inputs, to: called)
    }
    for output in node["outputs"].memberList {
      // Some write the outputs of the workflow as those of the step.
      guard let text = output.value.string, let expression = ArazzoExpression(text),
        let own = expression.calledOutput(ofStep: step.source)
      else {
        report.refuse(line(output.value), "the output '\(output.name)' is none of '\(id)'")
        continue
      }
      guard let name = step.calledOutputs?[own] else { continue }
      step.outputs[output.name] = .path(
        "\(step.name).\(name)\(ArazzoExpression.query(expression.pointer))")
    }
    var criteria = ArazzoCriteria()
    let called = step.calledOutputs ?? [:]
    for criterion in node["successCriteria"].items {
      do throws(ArazzoRefusal) {
        try criteria.add(criterion) { expression throws(ArazzoRefusal) in
          guard case .calledOutput(let name) = expression.root, let own = called[name] else {
            return try self.comparand(expression, scope)
          }
          return "@.\(own)\(ArazzoExpression.query(expression.pointer))"
        }
      } catch {
        report.approximate(line(criterion), "a call succeeds if the steps of '\(id)' do")
        criterion.ignore()
      }
    }
    if !criteria.statuses.isEmpty {
      report.approximate(line(node), "a call succeeds if the steps of '\(id)' do")
    }
    let conditions = criteria.members.filter { $0.name == "where" }
    if !conditions.isEmpty { step.members.append(.init("expect", .object(conditions))) }
  }

  /// The inputs of a called workflow: those that the call gives, or their defaults.
  func given(_ values: [String: Value], to called: ReadNode) -> [String: Value] {
    var given = values
    let schema = called["inputs"].map(resolved)
    for member in schema?["properties"].memberList ?? [] where given[member.name] == nil {
      given[member.name] =
        resolved(member.value)["default"].map { .literal($0.json) } ?? .absent
    }
    schema?.ignore()
    called["inputs"]?.ignore()
    return given
  }

  /// The steps of a workflow of this file, or of another one, as a block.
  ///
  /// - Parameter give: Sets the inputs of its scope.
  mutating func call(
    _ reference: String, _ step: inout ArazzoStep, _ text: String? = nil,
    _ give: (inout ArazzoReader, ReadNode, inout Scope) throws(ArazzoRefusal) -> Void
  ) throws(ArazzoRefusal) {
    let caller = document
    let file = report.file
    var id = reference
    let prefix = "$sourceDescriptions."
    if reference.hasPrefix(bytes: prefix) {
      let rest = String(reference.dropFirst(bytes: prefix.utf8.count))
      let source = String(rest.prefix(before: "."))
      id = String(rest.dropFirst(bytes: source.utf8.count + 1))
      document = try document.other(source)
      report.file = document.name
    }
    defer {
      document = caller
      report.file = file
    }
    guard let called = document.workflow(id) else {
      throw ArazzoRefusal(message: "the workflow '\(id)' is not in the file")
    }
    let key = document.name + "#" + id
    guard !open.contains(key), open.count < 16 else {
      throw ArazzoRefusal(message: "the workflow '\(id)' calls itself")
    }
    open.append(key)
    defer { open.removeLast() }
    var inner = Scope()
    try give(&self, called, &inner)
    let before = needed(by: called, &inner)
    let (own, ends) = translate(called, inner)
    let steps = before + own
    guard !steps.isEmpty else { throw ArazzoRefusal(message: "nothing of '\(id)' is translated") }
    let outputs = outputs(of: called, ends)
    let summary = called["summary"]?.string ?? called["description"]?.string
    called.ignore("summary", "description")
    refuseUnread(of: called)
    step.calledOutputs = outputs.reduce(into: [:]) { $0[$1.source] = $1.member.name }
    if let text = text ?? summary?.trimmed, !text.isEmpty {
      step.members.append(.init("description", .string(text)))
    }
    if steps.count > 1 { step.members.append(.init("order", "listed")) }
    step.members.append(.init("steps", .array(steps)))
    step.members.append(.init("outputs", .object(outputs.map(\.member))))
  }
}
