internal import PipelineJSONText
internal import PipelineLanguage
internal import PipelinePlanning

/// What a person fills in before a run: the inputs of a workflow, its environments and steps.
struct PageForm {
  let plan: Plan
  /// The variables of the environment, which give inputs their values.
  let variables: [String: String]
  /// What to do about logins that a run would lack, by the environment of the workflow.
  let logins: [(environment: String?, words: [String])]

  var json: JSONValue {
    let workflow = plan.workflow
    let secrets = Set(workflow.inputs.filter(\.isSecret).map(\.name))
    return [
      "inputs": .array(workflow.inputs.map(field)),
      "environments": .array(
        workflow.environments.map { environment in
          [
            "name": .string(environment.name.value),
            "values": .object(
              environment.values.filter { !secrets.contains($0.name) }.map {
                .init($0.name, .string(Self.text(of: $0.value)))
              }),
          ]
        }),
      "steps": .array(workflow.block.steps.map { .string($0.id.value) }),
      "logins": .object(
        logins.map { environment, words in
          .init(environment ?? "", .array(words.map { .string($0) }))
        }),
    ]
  }

  private func field(_ input: Input) -> JSONValue {
    var members: [JSONValue.Member] = [
      .init("name", .string(input.name)), .init("type", .string(input.type?.rawValue ?? "any")),
      .init("description", .string(input.description ?? "")),
      .init("isRequired", .boolean(input.isRequired)), .init("isSecret", .boolean(input.isSecret)),
      .init("allowed", .array(input.allowed.map { .string(Self.text(of: $0)) })),
    ]
    if let value = input.defaultValue, !input.isSecret {
      members.append(.init("default", .string(Self.text(of: value))))
    }
    if let variable = input.variable?.value {
      members.append(.init("variable", .string(variable)))
      members.append(.init("isSet", .boolean(variables[variable] != nil)))
    }
    return .object(members)
  }

  private static func text(of node: JSONNode) -> String { node.string ?? node.text }
}
