internal import PipelineByteText
internal import PipelineJSONText
internal import PipelineLanguage

extension ArazzoReader {
  // MARK: Inputs

  mutating func declareInputs(of workflow: ReadNode, _ scope: inout Scope) {
    guard let schema = workflow["inputs"].map(resolved) else { return }
    let required = Set(schema["required"].items.compactMap(\.string))
    for member in schema["properties"].memberList where scope.inputs[member.name] == nil {
      let schemaOfInput = resolved(member.value)
      // Some write `required` in the schema of the input itself.
      let own = schemaOfInput["required"]?.boolean
      let isOptional =
        own.map { !$0 } ?? (schema["required"] != nil && !required.contains(member.name))
      let members = inputMembers(of: schemaOfInput, member.name, isOptional)
      scope.inputs[member.name] = .path("inputs.\(declare(member.name, members))")
    }
    schema.ignore("type", "title", "description", "additionalProperties")
    for member in schema.unread() {
      report.approximate(line(member.value), "'\(member.name)' of the inputs is not checked")
    }
    schema.ignore()
  }

  /// Declares an input of the workflow, and returns its name.
  mutating func declare(_ word: String, _ members: [JSONValue.Member]) -> String {
    let name = inputNames.next(for: word, otherwise: "input")
    inputs.append(.init(name, .object(members)))
    return name
  }

  /// An input that all steps share which need a value of this name.
  mutating func sharedInput(_ word: String, isSecret: Bool, isOptional: Bool = false) -> String {
    if let known = sharedInputs[word] { return known }
    let name = inputNames.next(for: word, otherwise: "value")
    var members: [JSONValue.Member] = [.init("type", "string")]
    if isSecret {
      members.append(.init("secret", true))
      if isOptional { members.append(.init("optional", true)) }
      members.append(.init("env", .string(ImportedInputs.shouted(name))))
    }
    inputs.append(.init(name, .object(members)))
    sharedInputs[word] = name
    return name
  }

  /// A secret input for a credential that the file holds.
  mutating func secretInput(_ word: String) -> Value {
    let name = inputNames.next(for: word, otherwise: "secret")
    inputs.append(
      .init(
        name,
        ["type": "string", "secret": true, "env": .string(ImportedInputs.shouted(name))]))
    return .path("inputs.\(name)")
  }

  private mutating func inputMembers(
    of schema: ReadNode, _ name: String, _ isOptional: Bool
  ) -> [JSONValue.Member] {
    var members: [JSONValue.Member] = []
    let known = ["string", "integer", "number", "boolean", "array", "object"]
    if let type = schema["type"]?.string.map({ LanguageAliases.value(for: $0) ?? $0 }),
      known.contains(type)
    {
      let format = schema["format"]?.string ?? ""
      let moment = LanguageAliases.value(for: format) ?? format
      let isMoment = type == "string" && ["date", "datetime"].contains(moment)
      members.append(.init("type", .string(isMoment ? moment : type)))
    }
    if let text = schema["description"]?.string?.trimmed, !text.isEmpty {
      members.append(.init("description", .string(text)))
    }
    if let choices = schema["enum"], choices.count > 0 {
      members.append(.init("enum", choices.json))
    }
    let isPassword = schema["format"]?.string?.equals(bytes: "password") == true
    let isSecret = CredentialNames.isField(name) || isPassword
    if isSecret {
      members.append(.init("secret", true))
      members.append(.init("env", .string(ImportedInputs.shouted(name))))
    }
    if let value = schema["default"], !isSecret {
      members.append(.init("default", value.json))
    } else if isOptional {
      members.append(.init("optional", true))
    }
    // The types of parts are not checked.
    schema.ignore("format", "items", "properties", "title", "example", "examples")
    for member in schema.unread() {
      report.approximate(
        line(member.value), "'\(member.name)' of the input '\(name)' is not checked")
    }
    schema.ignore()
    return members
  }

  /// The schema that a reference into the file leads to.
  func resolved(_ node: ReadNode) -> ReadNode {
    let prefix = "#/components/inputs/"
    guard let reference = node["$ref"]?.string, reference.hasPrefix(bytes: prefix),
      let found = document.root["components"]?["inputs"]?[
        String(reference.dropFirst(bytes: prefix.utf8.count))]
    else { return node }
    return found
  }
}
