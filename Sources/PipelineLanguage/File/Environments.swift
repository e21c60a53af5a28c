import PipelineByteText
import PipelineJSONText
import PipelineSourceText

/// Sets of input values by name, over those of the base file.
struct EnvironmentsType: ValueType {
  let inputs: [Input]
  let inherited: [Workflow.Environment]

  var description: LanguageType { .map(.map(.json)) }

  func read(
    _ node: JSONNode, _ name: String, _ decoder: inout WorkflowDecoder
  ) -> [Workflow.Environment]? {
    guard node.kind == .object else {
      decoder.mistyped(node, name, "an object of names and input values")
      return nil
    }
    let own = environments(node, &decoder)
    let merged = inherited.map { environment in
      guard let other = own.first(where: { $0.name.value.equals(bytes: environment.name.value) })
      else {
        return environment
      }
      let names = Set(other.values.map(\.name))
      return Workflow.Environment(
        name: other.name,
        values: environment.values.filter { !names.contains($0.name) } + other.values)
    }
    let names = Set(merged.map { ExactText($0.name.value) })
    return merged + own.filter { !names.contains(ExactText($0.name.value)) }
  }

  private func environments(
    _ node: JSONNode, _ decoder: inout WorkflowDecoder
  ) -> [Workflow.Environment] {
    let known = Dictionary(inputs.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    return node.members.map { member in
      let name = Written(member.name, at: member.value)
      guard member.value.kind == .object else {
        decoder.mistyped(member.value, member.name, "an object of input names and values")
        return Workflow.Environment(name: name, values: [])
      }
      let values = member.value.members.map {
        Workflow.Member(name: $0.name, nameRange: $0.nameRange, value: $0.value)
      }
      for value in values {
        if let input = known[value.name] {
          decoder.checkValue(value.value, of: input, "'\(value.name)'")
          if !input.allows(value.value) {
            decoder.report(
              .invalidValue, "the value of '\(value.name)' is not in the input's 'enum'",
              at: value.value.range)
          }
        } else {
          var finding = Diagnostic(
            code: DecodingCode.unknownInput.rawValue, severity: .error,
            message: "environment '\(member.name)' gives '\(value.name)', which is not an input",
            range: value.nameRange)
          finding.advice = Advice {
            let near = Spelling.nearest(to: value.name, among: inputs.lazy.map(\.name))
            let given = values.map(\.name)
            let others = inputs.map(\.name).filter { !given.contains($0) }
            return near.map { .didYouMean($0, at: value.nameRange, as: "\"\($0)\"") }
              ?? .oneOf(others, at: value.nameRange, "there are the inputs", quoted: true)
          }
          decoder.add(finding)
        }
      }
      return Workflow.Environment(name: name, values: values)
    }
  }
}

/// The name of an environment.
struct EnvironmentNameType: ValueType {
  let names: [String]

  var description: LanguageType { .text }

  func read(_ node: JSONNode, _ key: String, _ decoder: inout WorkflowDecoder) -> Written<String>? {
    guard let name = decoder.writtenText(node, key) else { return nil }
    if !names.isEmpty, !names.contains(bytes: name.value) {
      decoder.report(
        .invalidValue,
        "no environment is named '\(name.value)'",
        Spelling.nearest(to: name.value, among: names).map {
          .didYouMean($0, at: name.range, as: "\"\($0)\"")
        }
          ?? Proposal(
            "; there is \(WorkflowDecoder.list(Array(names.prefix(5))))",
            fix: names.count == 1
              ? .replacing(name.range, with: "\"\(names[0])\"", isSafe: false) : nil),
        at: name.range)
    }
    return name
  }
}
