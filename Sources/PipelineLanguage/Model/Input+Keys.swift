import PipelineFormats
import PipelineJSONText
import PipelineSourceText

/// The keys of an input.
private struct InputKeys: DeclaredObject {
  let type: Input.ValueType?
  let description: String?
  let defaultValue: JSONNode?
  let isOptional: Bool
  let allowed: [JSONNode]
  let isSecret: Bool
  let variable: Written<String>?
  let read: ResponseFormat?

  init(_ keys: inout Keys) {
    type = keys.inputType(
      example: #""integer""#,
      foreign: [
        "schema datatype kind",
        .says("format", "write 'type': \"date\" or \"datetime\"", as: "…"),
      ])
    description = keys.optional(
      "description", .text, "The purpose of the value, for people.",
      example: #""The page to start from.""#, foreign: ["title label help prompt displayName"])
    defaultValue = keys.optional(
      "default", .json,
      "The value if none is given. A `date` or `datetime` may be `now` or `now-30d`.",
      example: "1", foreign: ["value initial fallback example"])
    // `required` is reported. Its meaning is applied, so that it has no further consequences.
    isOptional = keys.value(
      "optional", .boolean, default: false, over: keys.sibling("required")?.boolean == false,
      "Whether the value may be left out; it is then absent.", example: "true",
      foreign: ["nullable"])
    allowed =
      keys.optional(
        "enum", AllowedType(), "The allowed values.", example: #"["eu", "us"]"#,
        foreign: ["values options choices oneOf"]) ?? []
    isSecret = keys.value(
      "secret", .boolean, default: false,
      "Whether the value is shown as `•••` in everything that the run prints.", example: "true",
      foreign: [
        .says(
          "sensitive masked hidden password private", "write 'secret': true", as: "true")
      ])
    variable = keys.optional(
      "env", .written(.text), "The environment variable that gives the value.",
      example: #""API_TOKEN""#, foreign: ["variable environment envVar fromEnv"])
    read = keys.optional(
      "read", ResponseFormatType(),
      "How the file is read that gives the value: `--set orders=@orders.txt`. By default, as the end"
        + " of its name says.",
      example: #"{"csv": {"delimiter": ";"}}"#, foreign: ["reader parse decode"])
    if let read, let problem = Self.problem(with: read.format, type) {
      keys.decoder.report(.invalidValue, problem, at: read.node.range)
    }
    if let until = read?.until {
      keys.decoder.report(.invalidValue, WorkflowDecoder.endOfFile, at: until.node.range)
    }
    keys.advise([
      .says(
        "required mandatory",
        "leave it out: an input is required unless it has 'default' or 'optional': true"),
      .says("in", "where a value goes is written in the step: {{inputs.NAME}}"),
      .says(
        "minimum maximum pattern minLength maxLength min max",
        "test it in a step: 'when' with 'fail'"),
    ])
  }
}

extension InputKeys {
  /// Why an input of a type cannot be read in a format. Without a type it is what the file says.
  private static func problem(with format: BodyFormat, _ type: Input.ValueType?) -> String? {
    let reading = "'read': \"\(format.name)\""
    switch (format, type) {
    case (_, nil): return nil
    case (.text, _):
      return "a text is not read from a file here; read it in a step: {\"$file\": …, \"as\":"
        + " \"text\"}"
    case (.separated, .array), (.lines, .array), (.events, .array), (.xml, .object),
      (.json, .array), (.json, .object):
      return nil
    case (.json, _): return "\(reading) needs \"type\": \"array\" or \"object\""
    case (.xml, _): return "\(reading) gives an object; write \"type\": \"object\""
    case (.separated, _), (.lines, _), (.events, _):
      return "\(reading) gives a list of rows; write \"type\": \"array\""
    }
  }
}

extension LanguageObject {
  /// A member of `inputs`.
  static let input = LanguageObject(
    .input, "input", place: "in an input", of: InputKeys.self)
}

extension Keys {
  /// The type of an input, or of a value of the state.
  mutating func inputType(example: String, foreign: [Foreign] = []) -> Input.ValueType? {
    optional(
      "type", .choice(Input.ValueType.self), "The type of the value; by default, any JSON.",
      example: example, foreign: foreign)
  }
}

/// A list of values that is not empty.
private struct AllowedType: ValueType {
  var description: LanguageType { .several(.json) }

  func read(_ node: JSONNode, _ name: String, _ decoder: inout WorkflowDecoder) -> [JSONNode]? {
    if node.kind == .array, node.count > 0 { return Array(node.elements) }
    decoder.mistyped(node, name, "a list of the values that are allowed")
    return nil
  }
}

/// The value of `inputs`.
struct InputsType: ValueType {
  var names = NameRule.input
  /// What messages call one of them.
  var noun = "input"
  var description: LanguageType { .map(.object(.input)) }

  func read(_ node: JSONNode, _ name: String, _ decoder: inout WorkflowDecoder) -> [Input]? {
    guard decoder.isMap(node, name, "an object of names and inputs") else { return nil }
    return node.members.map { member in
      decoder.checkName(member.name, names, at: member.nameRange)
      return input(member, &decoder)
    }
  }

  private func input(_ member: JSONMember, _ decoder: inout WorkflowDecoder) -> Input {
    let node = member.value
    var input = Input(name: member.name, nameRange: member.nameRange, node: node)
    let isScalar = [.string, .number, .boolean].contains(node.kind)
    guard
      let fields = decoder.fields(
        of: node, .input, .named(noun, member.name),
        wanted: isScalar ? nil : "an object such as {\"type\": \"string\"}",
        meant: isScalar ? Self.meant(by: node) : nil),
      let keys = decoder.object(InputKeys.self, fields)
    else {
      // A value was given, so `required` is not reported a second time.
      input.isOptional = true
      return input
    }
    input.type = keys.type
    input.description = keys.description
    input.defaultValue = keys.defaultValue
    input.isOptional = keys.isOptional
    input.isSecret = keys.isSecret
    input.variable = keys.variable
    input.read = keys.read
    input.allowed = keys.allowed
    for value in input.allowed { decoder.checkValue(value, of: input, "a value of 'enum'") }
    if let value = input.defaultValue {
      decoder.checkValue(value, of: input, "the default of '\(input.name)'")
      if !input.allows(value) {
        decoder.report(
          .invalidValue,
          "the default of '\(input.name)' is not in its 'enum'", at: value.range)
      }
    }
    return input
  }

  /// `{"type": "integer"}` for `"integer"`, and `{"default": 1}` for any other value.
  private static func meant(by node: JSONNode) -> String {
    let type = node.string.flatMap { LanguageAliases.value(for: $0) ?? $0 }
    return type.flatMap { Input.ValueType(rawValue: $0) }.map { "{\"type\": \"\($0.rawValue)\"}" }
      ?? "{\"default\": \(node.text)}"
  }
}

extension Input {
  /// Whether its author allows a value.
  func allows(_ value: JSONNode) -> Bool {
    allowed.isEmpty || allowed.contains { $0.isEqual(to: value) }
  }
}

extension WorkflowDecoder {
  /// What to write for a default that is `null`.
  private static func absence(of input: Input) -> Proposal {
    guard let member = input.node.members.first(where: { $0.name == "default" }),
      member.value.isNull
    else { return "; write \"optional\": true for a value that may be absent" }
    if input.isOptional {
      return Proposal(
        "; remove it, since 'optional' says that the value may be absent",
        fix: .suggesting("remove it", [input.node.removing(member)]))
    }
    let range = member.nameRange.lowerBound..<member.value.range.upperBound
    return Proposal(
      "; write \"optional\": true for a value that may be absent",
      fix: .replacing(range, with: "\"optional\": true", isSafe: false))
  }

  /// Reports a value that its input's type refuses.
  mutating func checkValue(_ value: JSONNode, of input: Input, _ name: String) {
    guard let type = input.type, let problem = type.problem(with: value) else { return }
    report(
      .wrongType, "\(name) must be \(type.words), not \(problem)",
      value.isNull ? Self.absence(of: input) : type.proposal(for: value), at: value.range)
  }
}
