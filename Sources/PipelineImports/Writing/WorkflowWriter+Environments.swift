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
    for (name, values) in environments {
      var unique = name
      var number = 2
      while members.contains(where: { $0.name.equals(bytes: unique) }) {
        unique = name + " " + String(number)
        number += 1
      }
      members.append(.init(unique, .object(values)))
    }
    if members.contains(where: { $0.value != .object([]) }) {
      file.append(.init("environments", .object(members)))
    }
  }
}
