internal import PipelineJSONText
internal import PipelineLanguage

extension Workflow {
  /// The values of the inputs that are not secret, as an object.
  func withoutSecrets(_ inputs: JSONNode) -> JSONValue {
    let secret = Set(self.inputs.filter(\.isSecret).map(\.name))
    var writer = JSONWriter(style: .compact)
    writer.beginObject()
    for member in inputs.members where !secret.contains(member.name) {
      writer.name(member.name)
      writer.value(member.value)
    }
    writer.endObject()
    return JSONValue(writer.document().root)
  }
}

extension RunRecord {
  /// The inputs of the first process that the workflow still has, and those that are given again.
  func inputs(
    of workflow: Workflow, givenAnew inputs: [String: JSONValue]
  ) -> [String: JSONValue] {
    let names = Set(workflow.inputs.map(\.name))
    var given: [String: JSONValue] = [:]
    for member in self.inputs.node.members where names.contains(member.name) {
      given[member.name] = JSONValue(member.value)
    }
    return given.merging(inputs) { $1 }
  }
}
