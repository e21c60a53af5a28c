internal import PipelineByteText
internal import PipelineJSONText

extension WorkflowWriter {
  /// Adds the values that each environment gives to inputs.
  func addEnvironments(to file: inout [JSONValue.Member]) {
    let environments = collection.environments.map { environment in
      let values = environment.values.map { variable in
        guard origins.contains(variable.name) else { return variable }
        var changed = variable
        changed.value = variable.value?.plain.map { ForeignText(plain: BaseURL.normalized($0)) }
        return changed
      }
      return (name: environment.name, values: inputs.values(of: values))
    }
    var members: [JSONValue.Member] = []
    var names = UniqueNames()
    for (name, values) in environments {
      members.append(.init(names.next(name, separator: " "), .object(values)))
    }
    if members.contains(where: { $0.value != .object([]) }) {
      file.append(.init("environments", .object(members)))
    }
  }
}
