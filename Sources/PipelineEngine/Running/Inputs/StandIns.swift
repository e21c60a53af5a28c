internal import PipelineByteText
package import PipelineJSONText
package import PipelineLanguage
package import PipelineRecordings

/// Keeps what stands for secrets in recordings from being sent to servers.
enum StandIns {
  /// - Throws: An error if an input has one of these values.
  static func refuse(in inputs: JSONNode, _ workflow: Workflow) throws(InputError) {
    let problems = workflow.inputs.compactMap { input -> InputProblem? in
      guard let value = inputs[input.name], holds(value, isSecret: input.isSecret) else {
        return nil
      }
      return InputProblem(
        name: input.name,
        message: "input '\(input.name)' is what stands for a secret in a recording; give the secret"
          + " itself, or answer out of the recording", isStandIn: true)
    }
    guard problems.isEmpty else { throw InputError(problems: problems) }
  }

  private static func holds(_ node: JSONNode, isSecret: Bool) -> Bool {
    switch node.kind {
    case .string:
      let text = node.string ?? ""
      return SecretPlaceholder.isIn(text) || isSecret && SecretShape.isStandIn(text)
    case .array: return node.elements.contains { holds($0, isSecret: isSecret) }
    case .object: return node.members.contains { holds($0.value, isSecret: isSecret) }
    case .number, .boolean, .null: return false
    }
  }
}

extension Recording {
  /// Values that stand for secret inputs of a workflow in a replay.
  ///
  /// - Parameter missing: The names of the inputs that have no value.
  package func standIns(for workflow: Workflow, missing: [String]) -> [String: JSONValue] {
    var values: [String: JSONValue] = [:]
    for input in workflow.inputs where input.isSecret && missing.contains(bytes: input.name) {
      let name = "inputs." + input.name
      let text = SecretShape(text: shapes[name] ?? SecretShape.usual).standIn(for: name)
      values[input.name] =
        switch input.type {
        case _ where !input.allowed.isEmpty: JSONValue(input.allowed[0])
        case .integer, .number: 700_007
        case .string, nil: .string(text)
        default: nil
        }
    }
    return values
  }
}
