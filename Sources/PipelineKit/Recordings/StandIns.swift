internal import PipelineByteText
internal import PipelineJSONText
internal import PipelineWorkflows

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

extension Transport {
  /// Whether stand-ins of secrets stay within this transport.
  var takesStandIns: Bool { self is ReplayTransport || self is TestTransport }
}
