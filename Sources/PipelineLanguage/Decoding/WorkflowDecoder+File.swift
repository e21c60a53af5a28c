import PipelineByteText
package import PipelineJSONText
import PipelineSourceText

extension WorkflowDecoder {
  /// The whole file; `nil` if it is not an object.
  mutating func workflow() -> Workflow? {
    guard let fields = fields(of: document.root, .file, .file) else { return nil }
    var workflow = Workflow(source: source, document: document, name: Self.title(of: source.name))
    checkFormat(fields["format"])
    if let name = text(fields["name"], "name") { workflow.name = name }
    workflow.description = text(fields["description"], "description")
    workflow.extends = writtenText(fields["extends"], "extends")
    let base = workflow.extends.flatMap { readBase($0) }
    workflow.base = base?.place
    read(fields, into: &workflow, over: base)
    workflow.baseURL = defaults.baseURL
    statePlace = fields.member("state")?.nameRange
    workflow.state = state(fields["state"])
    workflow.block = block(fields)
    workflow.block.keepsState = statePlace != nil
    workflow.block.next = workflow.state.compactMap(\.next)
    if let homeless, !defaults.namesBaseURL { add(homeless) }
    return workflow
  }

  /// The members that a file shares with its base file: inputs, environments, limits and defaults.
  package mutating func read(
    _ fields: ObjectFields, into workflow: inout Workflow, over base: BaseFile?
  ) {
    let inherited = base?.workflow
    let own = inputs(fields["inputs"])
    let names = Set(own.map(\.name))
    workflow.inputs = (inherited?.inputs ?? []).filter { !names.contains($0.name) } + own
    workflow.environments = environments(
      fields["environments"], of: workflow.inputs, over: inherited?.environments ?? [])
    workflow.defaultEnvironment =
      defaultEnvironment(fields["defaultEnvironment"], among: workflow.environments)
      ?? inherited?.defaultEnvironment
    workflow.limits = limits(fields["limits"], over: inherited?.limits ?? Limits())
    workflow.limitNames = Set(fields["limits"]?.members.map(\.name) ?? [])
      .union(inherited?.limitNames ?? [])
    readDefaults(fields["defaults"], over: base?.defaults)
    // A place that could not be read may contain a name.
    if fields.suspects["defaults"] != nil || fields.suspects["extends"] != nil
      || base == nil && fields.has("extends")
    {
      defaults.namesBaseURL = true
    }
  }

  /// The file's name without folders and ending.
  private static func title(of path: String) -> String {
    let file = path.split(ascii: "/").last.map(String.init) ?? path
    return file.hasSuffix(bytes: ".json") ? String(file.dropLast(bytes: 5)) : file
  }

  package mutating func checkFormat(_ node: JSONNode?) {
    guard let node, let format = integer(node, "format", minimum: 1), format > 1 else { return }
    report(
      .newerFormat, "format \(format) needs a newer pipeline; this one reads format 1",
      at: node.range)
  }

  // MARK: - Inputs

  private mutating func inputs(_ node: JSONNode?) -> [Input] {
    guard let node else { return [] }
    guard isMap(node, "inputs", "an object of names and inputs") else { return [] }
    var inputs: [Input] = []
    for member in node.members {
      checkName(member.name, .input, at: member.nameRange)
      inputs.append(input(member))
    }
    return inputs
  }

  private mutating func input(_ member: JSONMember) -> Input {
    let node = member.value
    var input = Input(name: member.name, nameRange: member.nameRange, node: node)
    let isScalar = [.string, .number, .boolean].contains(node.kind)
    guard
      let fields = fields(
        of: node, .input, .named("input", member.name),
        wanted: isScalar ? nil : "an object such as {\"type\": \"string\"}",
        meant: isScalar ? Self.input(meantBy: node) : nil)
    else {
      // A value was given, so `required` is not reported a second time.
      input.isOptional = true
      return input
    }
    input.type = choice(fields["type"], "type")
    input.description = text(fields["description"], "description")
    input.defaultValue = fields["default"]
    // `required` is reported. What it says is taken as meant, so that nothing else follows from it.
    input.isOptional =
      boolean(fields["optional"], "optional") ?? (node["required"]?.boolean == false)
    input.isSecret = boolean(fields["secret"], "secret") ?? false
    input.variable = writtenText(fields["env"], "env")
    if let list = fields["enum"] {
      if list.kind == .array, list.count > 0 {
        input.allowed = Array(list.elements)
      } else {
        mistyped(list, "enum", "a list of the values that are allowed")
      }
    }
    for value in input.allowed { checkValue(value, of: input, "a value of 'enum'") }
    if let value = input.defaultValue {
      checkValue(value, of: input, "the default of '\(input.name)'")
      if !input.allowed.isEmpty, !input.allowed.contains(where: { $0.isEqual(to: value) }) {
        report(
          .invalidValue,
          "the default of '\(input.name)' is not in its 'enum'", at: value.range)
      }
    }
    return input
  }

  /// `{"type": "integer"}` for `"integer"`, and `{"default": 1}` for any other value.
  private static func input(meantBy node: JSONNode) -> String {
    let type = node.string.flatMap { LanguageAliases.value(for: $0) ?? $0 }
    return type.flatMap { Input.ValueType(rawValue: $0) }.map { "{\"type\": \"\($0.rawValue)\"}" }
      ?? "{\"default\": \(node.text)}"
  }

  /// Reports a value that its input's type refuses.
  private mutating func checkValue(_ value: JSONNode, of input: Input, _ name: String) {
    guard let type = input.type, let problem = type.problem(with: value) else { return }
    report(
      .wrongType,
      "\(name) must be \(type.words), not \(problem)",
      value.isNull
        ? "; write \"optional\": true for a value that may be absent" : type.proposal(for: value),
      at: value.range)
  }

  private mutating func environments(
    _ node: JSONNode?, of inputs: [Input], over inherited: [Workflow.Environment]
  ) -> [Workflow.Environment] {
    guard let node else { return inherited }
    guard node.kind == .object else {
      mistyped(node, "environments", "an object of names and input values")
      return inherited
    }
    let own = environments(node, of: inputs)
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

  private mutating func environments(
    _ node: JSONNode, of inputs: [Input]
  ) -> [Workflow.Environment] {
    let known = Dictionary(inputs.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    return node.members.map { member in
      let name = Written(member.name, at: member.value)
      guard member.value.kind == .object else {
        mistyped(member.value, member.name, "an object of input names and values")
        return Workflow.Environment(name: name, values: [])
      }
      let values = member.value.members.map {
        Workflow.Member(name: $0.name, nameRange: $0.nameRange, value: $0.value)
      }
      for value in values {
        if let input = known[value.name] {
          checkValue(value.value, of: input, "'\(value.name)'")
          if !input.allowed.isEmpty,
            !input.allowed.contains(where: { $0.isEqual(to: value.value) })
          {
            report(
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
          add(finding)
        }
      }
      return Workflow.Environment(name: name, values: values)
    }
  }

  private mutating func defaultEnvironment(
    _ node: JSONNode?, among environments: [Workflow.Environment]
  ) -> Written<String>? {
    guard let name = writtenText(node, "defaultEnvironment") else { return nil }
    let names = environments.map(\.name.value)
    if !names.isEmpty, !names.contains(bytes: name.value) {
      report(
        .invalidValue,
        "no environment is named '\(name.value)'",
        Spelling.nearest(to: name.value, among: names).map {
          .didYouMean($0, at: name.range, as: "\"\($0)\"")
        }
          ?? Proposal(
            "; there is \(Self.list(Array(names.prefix(5))))",
            fix: names.count == 1
              ? .replacing(name.range, with: "\"\(names[0])\"", isSafe: false) : nil),
        at: name.range)
    }
    return name
  }

  // MARK: - Limits

  private mutating func limits(_ node: JSONNode?, over inherited: Limits) -> Limits {
    var limits = inherited
    guard let node, let fields = fields(of: node, .limits, .key("limits")) else { return limits }
    if let count = integer(fields["concurrency"], "concurrency", minimum: 1) {
      limits.concurrency = count
    }
    if let count = integer(fields["perOrigin"], "perOrigin", minimum: 1) {
      limits.perOrigin = count
    }
    if let rate = rate(fields["rate"], "rate") { limits.rate = rate }
    if let rate = rate(fields["ratePerOrigin"], "ratePerOrigin") { limits.ratePerOrigin = rate }
    if let deadline = duration(fields["deadline"], "deadline") { limits.deadline = deadline }
    if let longest = duration(fields["finally"], "finally") { limits.finally = longest }
    if let size = size(fields["responseSize"], "responseSize") { limits.responseSize = size }
    if let count = integer(fields["requests"], "requests", minimum: 1) { limits.requests = count }
    if let count = integer(fields["items"], "items", minimum: 1) { limits.items = count }
    if let longest = duration(fields["retryAfter"], "retryAfter", allowsZero: true) {
      limits.retryAfter = longest
    }
    if let size = size(fields["memory"], "memory") { limits.memory = size }
    return limits
  }
}
