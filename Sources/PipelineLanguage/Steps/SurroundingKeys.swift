import PipelineJSONPaths
import PipelineJSONText
import PipelineTemplates

/// The keys that surround any action of a step.
struct SurroundingKeys {
  let dependsOn: [Written<String>]
  let when: Written<Condition>?
  let otherwise: [Field]?
  let recovery: Recovery?
  let priority: Int

  init(_ keys: inout Keys) {
    dependsOn =
      keys.optional(
        "dependsOn", DependenciesType(isReported: keys.isMeant("dependsOn")),
        "Steps that must end first, although this step reads nothing from them.",
        example: #"["login"]"#,
        foreign: [
          "needs after depends dependencies requires runAfter waitFor previous"
        ]) ?? []
    when = keys.when()
    otherwise = keys.optional(
      "otherwise", ValuesType(rule: .value),
      "The step's values if it is skipped, or if it fails under `recover`.",
      example: #"{"total": 0}"#, names: .value,
      foreign: [
        .says("else", "write 'otherwise' for values, or 'choose' with a branch for each way")
      ])
    recovery = keys.recovery()
    priority = keys.value(
      "priority", .integer(atLeast: -1_000_000), default: 0,
      "Among the steps that are ready, the highest priority starts first.", example: "10")
  }
}

/// The names of steps.
private struct DependenciesType: ValueType {
  /// Whether the key is misspelt.
  let isReported: Bool

  var description: LanguageType { .list(.name) }

  func read(
    _ node: JSONNode, _ name: String, _ decoder: inout WorkflowDecoder
  ) -> [Written<String>]? {
    guard isReported || !decoder.isList(node, name, "a list of steps") else {
      return node.elements.compactMap { decoder.writtenText($0, name) }
    }
    // It is read as meant, and what it names is not judged.
    let names = node.kind == .string ? [node] : Array(node.elements)
    return names.compactMap { name in
      guard let text = name.string, decoder.scopes.last?[text] != nil else { return nil }
      return Written(text, at: name)
    }
  }
}

extension DependenciesType {
  func isMeant(by member: JSONMember) -> Bool { true }
}

/// A map of names and values: `values`, `otherwise`, `inputs`.
struct ValuesType: ValueType {
  let rule: NameRule

  var description: LanguageType { .map(DataType(queries: .allowed).description) }

  func read(_ node: JSONNode, _ name: String, _ decoder: inout WorkflowDecoder) -> [Field]? {
    guard decoder.isMap(node, name, "an object of names and values") else { return nil }
    return node.members.map { member in
      decoder.checkName(member.name, rule, at: member.nameRange)
      return Field(
        name: member.name, nameRange: member.nameRange,
        value: decoder.data(member.value, queries: .allowed), node: member.value)
    }
  }
}
