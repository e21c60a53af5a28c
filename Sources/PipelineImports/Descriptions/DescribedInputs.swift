internal import PipelineByteText
internal import PipelineJSONText
internal import PipelineLanguage
internal import PipelineOpenAPI

/// The inputs of a workflow that calls an API: what its operations need and no response gives.
struct DescribedInputs {
  private struct Input {
    let name: String
    /// What the description calls it.
    let source: String
    /// The operation whose body has the value; `nil` if all share it.
    let owner: String?
    let members: [JSONValue.Member]
  }

  private var inputs: [Input] = []
  private var names = ImportedName(.input)

  /// The input for a value.
  ///
  /// - Parameter owner: The operation whose body has the value. Others do not share it. Parameters of
  ///   one name and one type share an input.
  mutating func input(
    _ source: String, _ schema: Schema?, text: String?, example: JSONNode? = nil,
    owner: String? = nil
  ) -> String {
    if CredentialNames.isField(source) { return secret(source, source: source) }
    let members = Self.members(schema, text: text, example: example)
    let type = members.first { $0.name == "type" }
    return input(source, members, owner) { $0.first { $0.name == "type" } == type }
  }

  /// An input for a text that no schema describes.
  mutating func text(_ word: String, _ description: String, owner: String? = nil) -> String {
    let members: [JSONValue.Member] = [
      .init("type", "string"), .init("description", .string(description)),
    ]
    return input(word, members, owner) { $0 == members }
  }

  private mutating func input(
    _ source: String, _ members: [JSONValue.Member], _ owner: String?,
    isEqual: ([JSONValue.Member]) -> Bool
  ) -> String {
    let known = inputs.filter { $0.source == source }
    if let shared = known.first(where: { $0.owner == owner && isEqual($0.members) }) {
      return shared.name
    }
    let word = owner.map { known.isEmpty ? source : "\($0) \(source)" } ?? source
    let name = names.next(for: word, otherwise: "value")
    inputs.append(Input(name: name, source: source, owner: owner, members: members))
    return name
  }

  /// A secret input that an environment variable gives.
  mutating func secret(_ word: String, source: String, isOptional: Bool = false) -> String {
    if let known = inputs.first(where: { $0.source == source && $0.members.first?.name == "secret" }
    ) {
      return known.name
    }
    let name = names.next(for: word, otherwise: "secret")
    inputs.append(
      Input(
        name: name, source: source, owner: nil,
        members: [.init("secret", true)] + (isOptional ? [.init("optional", true)] : [])
          + [.init("env", .string(ImportedInputs.shouted(name)))]))
    return name
  }

  /// Whether a template reads a secret input.
  func hasSecret(in text: String) -> Bool {
    inputs.contains {
      $0.members.first?.name == "secret" && text.contains(bytes: "{{inputs.\($0.name)}}")
    }
  }

  var members: [JSONValue.Member] { inputs.map { .init($0.name, .object($0.members)) } }

  // MARK: Types

  private static func members(
    _ schema: Schema?, text: String?, example: JSONNode?
  ) -> [JSONValue.Member] {
    var members: [JSONValue.Member] = []
    let type = type(of: schema)
    if let type { members.append(.init("type", .string(type))) }
    if let text = (text ?? schema?["description"]?.string).map(sentence), !text.isEmpty {
      members.append(.init("description", .string(text)))
    }
    let choices = schema?["enum"].map { Array($0.elements).filter { !$0.isNull } } ?? []
    let isClosed = !choices.isEmpty && choices.allSatisfy { fits($0, type) }
    let given = example ?? schema?["default"] ?? (choices.count == 1 ? choices[0] : nil)
    if let given, fits(given, type), !isClosed || choices.contains(where: { $0.isEqual(to: given) })
    {
      members.append(.init("default", JSONValue(given)))
    }
    if isClosed { members.append(.init("enum", .array(choices.map { JSONValue($0) }))) }
    return members
  }

  /// The type that the language calls so; `nil` if any JSON will do.
  static func type(of schema: Schema?) -> String? {
    switch schema?.type {
    case "string":
      switch schema?.format {
      case "date": "date"
      case "date-time": "datetime"
      default: "string"
      }
    case "integer": "integer"
    case "number": "number"
    case "boolean": "boolean"
    case "array": "array"
    case "object": "object"
    default: nil
    }
  }

  private static func fits(_ value: JSONNode, _ type: String?) -> Bool {
    switch type {
    case nil: !value.isNull
    case "string": value.kind == .string
    case "integer": value.number?.int != nil
    case "number": value.kind == .number
    case "boolean": value.boolean != nil
    case "array": value.kind == .array
    case "object": value.kind == .object
    case "date": value.string.map(RFC3339.isDate) ?? false
    case "datetime": value.string.map(RFC3339.isDateTime) ?? false
    default: false
    }
  }

  /// The first line of a text, without what would make a file hard to read.
  static func sentence(_ text: String) -> String {
    let line = text.split(ascii: "\n").map { String($0).trimmed }.first { !$0.isEmpty } ?? ""
    guard line.unicodeScalars.count > 160 else { return line }
    return String(String.UnicodeScalarView(line.unicodeScalars.prefix(159))).trimmed + "…"
  }
}
