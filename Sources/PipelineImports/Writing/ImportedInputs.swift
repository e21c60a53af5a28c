internal import PipelineByteText
internal import PipelineJSONText
internal import PipelineLanguage

/// The inputs of the workflow: variables that no response sets, and credentials.
struct ImportedInputs {
  private struct Input {
    let name: String
    /// The variable that it stands for; `nil` for a credential that the file holds.
    let variable: String?
    /// The environment variable that gives the value.
    var environment: String?
    var value: String?
    var isSecret: Bool
    /// Whether it is inserted into JSON without quotes.
    var isRaw = false
  }

  private var inputs: [Input] = []
  /// The positions of the inputs by their variables and by their names.
  private var positions: [String: Int] = [:]
  private var named: [String: Int] = [:]
  /// The values of secret inputs that the file holds, for a run that proves the workflow.
  private(set) var given: [(name: String, value: JSONValue)] = []
  private var names = ImportedName(.input)
  private var environmentNames = UniqueNames()

  /// The input that stands for a variable of the file.
  mutating func input(for variable: ImportedCollection.Variable, value: String?) -> String {
    if let known = positions[variable.name] { return inputs[known].name }
    let isOfVault = ["vault:", "vault."].contains { variable.name.hasPrefix(bytes: $0) }
    let isSecret =
      variable.isSecret || isOfVault || CredentialNames.isField(variable.name)
      || value.map(CredentialNames.isSecret) == true
    let name = names.next(for: variable.name, otherwise: "value")
    if isSecret, let value { given.append((name, .string(value))) }
    positions[variable.name] = inputs.count
    add(
      Input(
        name: name, variable: variable.name, environment: isSecret ? environment(for: name) : nil,
        value: isSecret ? nil : value, isSecret: isSecret))
    return name
  }

  /// The input that an environment variable gives.
  mutating func input(ofEnvironment variable: String) -> String {
    if let known = inputs.first(where: { $0.environment == variable }) { return known.name }
    let name = names.next(for: variable, otherwise: "value")
    environmentNames.reserve(variable)
    add(
      Input(
        name: name, variable: nil, environment: variable, value: nil,
        isSecret: CredentialNames.isField(name) || CredentialNames.isField(variable)))
    return name
  }

  /// A secret input for a credential that the file holds. The value is not written.
  mutating func secret(_ word: String, value: String) -> String {
    let text = JSONValue.string(value)
    if let known = given.first(where: { $0.value == text }) { return known.name }
    let name = names.next(for: word, otherwise: "secret")
    given.append((name, text))
    add(
      Input(
        name: name, variable: nil, environment: environment(for: name), value: nil, isSecret: true))
    return name
  }

  private mutating func add(_ input: Input) {
    named[input.name] = inputs.count
    inputs.append(input)
  }

  mutating func markSecret(_ name: String) {
    guard let index = named[name] else { return }
    inputs[index].isSecret = true
    if let value = inputs[index].value { given.append((name, .string(value))) }
    inputs[index].value = nil
    if inputs[index].environment == nil { inputs[index].environment = environment(for: name) }
  }

  mutating func markRaw(_ name: String) {
    if let index = named[name] { inputs[index].isRaw = true }
  }

  /// Changes the value of the input that stands for a variable.
  mutating func change(_ variable: String, _ change: (String) -> String) {
    guard let index = positions[variable] else { return }
    inputs[index].value = inputs[index].value.map(change)
  }

  /// The member `inputs` of the workflow.
  var members: [JSONValue.Member] {
    inputs.map { input in
      var members: [JSONValue.Member] = []
      let value = input.value.map { Self.json($0, isRaw: input.isRaw) }
      if !input.isRaw { members.append(.init("type", "string")) }
      if let value { members.append(.init("default", value)) }
      if input.isSecret { members.append(.init("secret", true)) }
      if let variable = input.environment { members.append(.init("env", .string(variable))) }
      return .init(input.name, .object(members))
    }
  }

  /// The values of an environment for the inputs that are there and not secret.
  func values(of variables: [ImportedCollection.Variable]) -> [JSONValue.Member] {
    let values = Dictionary(variables.map { ($0.name, $0.value) }) { $1 }
    return inputs.compactMap { input in
      guard let variable = input.variable, let text = values[variable], !input.isSecret,
        let value = text?.plain
      else { return nil }
      return .init(input.name, Self.json(value, isRaw: input.isRaw))
    }
  }

  private static func json(_ text: String, isRaw: Bool) -> JSONValue {
    guard isRaw, let document = try? JSONDocument.parse(Array(text.utf8)) else {
      return .string(text)
    }
    return JSONValue(document.root)
  }

  /// An environment variable that no other input has: `apiKey` and `api_key` are two.
  private mutating func environment(for name: String) -> String {
    environmentNames.next(Self.shouted(name), separator: "_")
  }

  /// `apiKey` as an environment variable: `API_KEY`.
  static func shouted(_ name: String) -> String {
    var text = ""
    for scalar in name.unicodeScalars {
      if scalar.properties.isUppercase, !text.isEmpty { text += "_" }
      text += String(scalar).uppercased()
    }
    return text
  }
}
