internal import PipelineJSONText
internal import PipelineLanguage

extension RunQuestion.Answer {
  init(_ input: Input) {
    self.init(
      name: input.name, type: input.type?.rawValue, about: input.description,
      defaultValue: input.defaultValue.map(JSONValue.init), isOptional: input.isOptional,
      allowed: input.allowed.map(JSONValue.init), isSecret: input.isSecret)
  }

  /// Why a text is not an answer; `nil` if it is.
  package func problem(with text: String) -> String? {
    var input = Input(name: name, nameRange: 0..<0, node: JSONValue.object([]).node)
    input.type = type.flatMap(Input.ValueType.init)
    input.allowed = allowed.map(\.node)
    input.isSecret = isSecret
    return Answers(of: [input], before: "").values([name: .string(text)]).problems.first?.message
  }
}
