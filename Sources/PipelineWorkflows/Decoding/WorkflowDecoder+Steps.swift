import PipelineByteText
import PipelineJSONText
import PipelineSourceText
import PipelineTemplates

extension WorkflowDecoder {
  /// The steps, order and outputs of the file, or of a step with `steps`.
  mutating func block(_ fields: ObjectFields) -> Block {
    var block = Block()
    if let order: Block.Order = choice(fields["order"], "order") { block.order = order }
    let steps = stepNodes(
      fields["steps"], "steps",
      mayBeEmpty: fields["outputs"].map { $0.kind != .object || $0.count > 0 } ?? false)
    let finally = stepNodes(fields["finally"], "finally")
    scopes.append(names(of: [steps, finally]))
    block.steps = decode(steps)
    block.finally = decode(finally)
    scopes.removeLast()
    block.outputs = outputs(fields["outputs"])
    return block
  }

  /// So deep may blocks lie in one another: whoever walks over them recurses.
  private static let blockDepthLimit = 24

  /// The steps inside a step.
  private mutating func innerBlock(_ fields: ObjectFields) -> Block {
    guard checkDepth(fields, "steps") else { return Block() }
    blockDepth += 1
    defer { blockDepth -= 1 }
    return block(fields)
  }

  /// Whether another block may begin here. Reports if not.
  private mutating func checkDepth(_ fields: ObjectFields, _ key: String) -> Bool {
    if blockDepth < Self.blockDepthLimit { return true }
    report(
      .invalidValue,
      "blocks nest more than \(Self.blockDepthLimit) deep; move steps to a file of their own, and "
        + "run it with 'workflow'", at: fields.member(key)?.nameRange ?? fields.node.range)
    incomplete.insert(fields.node.index)
    return false
  }

  /// Many steps are read on all processors. They share only their surroundings.
  private mutating func decode(_ nodes: [JSONNode]) -> [Step] {
    let places = nodes.map(\.index)
    let parts = inStretches(upTo: nodes.count) { [self] numbers in
      var decoder = WorkflowDecoder(
        source: source, document: document.sharingContent(), loader: loader)
      decoder.defaults = defaults
      decoder.scopes = scopes
      decoder.blockDepth = blockDepth
      decoder.statePlace = statePlace
      let steps = numbers.compactMap { number in
        let node = JSONNode(document: decoder.document, index: places[number])
        return decoder.step(node, number: number + 1)
      }
      return (steps: steps, decoder: decoder)
    }
    for part in parts { take(part.decoder) }
    return joined(parts.map(\.steps))
  }

  /// Takes over what another decoder found out in a later part of the file.
  private mutating func take(_ other: WorkflowDecoder) {
    takeFindings(of: other)
    defaults.namesBaseURL = defaults.namesBaseURL || other.defaults.namesBaseURL
    homeless = homeless ?? other.homeless
  }

  private mutating func stepNodes(
    _ node: JSONNode?, _ name: String, mayBeEmpty: Bool = true
  ) -> [JSONNode] {
    guard let node else { return [] }
    guard node.kind == .array else {
      mistyped(
        node, name, "a list of steps",
        hint: node.kind == .object ? "; write each step as {\"id\": …} between [ and ]" : "")
      return []
    }
    let nodes = Array(node.elements)
    if nodes.isEmpty, !mayBeEmpty {
      report(
        .invalidValue,
        "'steps' is empty and there are no 'outputs'; write at least one step, such as "
          + "{\"id\": \"list\", \"endpoint\": \"GET https://api.example.com/users\"}",
        at: node.range)
    }
    return nodes
  }

  /// The ids of a block's steps. Reports duplicates.
  private mutating func names(of lists: [[JSONNode]]) -> [String: Range<Int>] {
    var names: [String: Range<Int>] = [:]
    names.reserveCapacity(lists.reduce(0) { $0 + $1.count })
    for step in lists.joined() {
      guard let node = Self.idNode(of: step), let id = node.string else { continue }
      guard let first = names.updateValue(node.range, forKey: id) else { continue }
      names[id] = first
      report(
        .duplicateName, "two steps are called '\(id)'; an id names one step of its block",
        at: node.range, related: [.init(range: first, message: "the first one is here")])
    }
    return names
  }

  /// The name of a step: its id, or the text that its author took for it.
  private static func idNode(of step: JSONNode) -> JSONNode? { step["id"] ?? step["name"] }

  /// One step; `nil` if it has no id, or does nothing that can be read.
  private mutating func step(_ node: JSONNode, number: Int) -> Step? {
    let name = Self.idNode(of: node)?.string
    let place: Place = name.map { .named("step", $0) } ?? .numbered("step", number)
    guard let fields = fields(of: node, .step, place) else { return nil }
    var id = scopeName(fields["id"], "id")
    if !fields.has("id"), let node = Self.idNode(of: node), let name = node.string {
      // The missing id is one mistake. Reads of the step by its name are not further ones.
      id = Written(name, at: node)
    }
    if let id, scopes.count > 1 { checkHiding(id) }
    let given = LanguageAction.allCases.first { fields.has($0.rawValue) }
    if let given { checkPlaces(fields, beside: given) }
    let kind = given ?? Self.impliedAction(fields)

    let recovery = fields.has("onError") ? self.recovery(fields["onError"]) : defaults.recovery
    let onError = recovery?.onError ?? .fail
    let forEach = iteration(fields, onError)
    let loopNames = loopScope(forEach)
    if !loopNames.isEmpty { scopes.append(loopNames) }
    let action = kind.map { self.action($0, fields, id) } ?? Step.Action.values([])
    if !loopNames.isEmpty { scopes.removeLast() }
    if given == nil { incomplete.insert(node.index) }

    // All is read, and judged, before a step without a name is given up.
    let description = text(fields["description"], "description")
    let dependsOn = dependencies(fields["dependsOn"])
    let when = condition(fields["when"], "when")
    let otherwise = valueFields(fields["otherwise"], "otherwise")
    let priority = integer(fields["priority"], "priority", minimum: -1_000_000)
    let expect = expectation(fields, of: kind)
    guard let id else { return nil }
    return Step(
      id: id, description: description, action: action, dependsOn: dependsOn, when: when,
      otherwise: otherwise, onError: onError, recovers: recovery?.causes,
      priority: priority ?? 0, forEach: forEach, expect: expect, node: node)
  }

  /// The action of a step that names none, if other keys of it belong to one action only.
  private static func impliedAction(_ fields: ObjectFields) -> LanguageAction? {
    LanguageAction.allCases.first { action in
      fields.entries.contains { fields.table.actions[$0.key] == [action] }
    }
  }

  private mutating func expectation(_ fields: ObjectFields, of kind: LanguageAction?) -> Expectation
  {
    if kind == .endpoint, !fields.has("expect"), let inherited = defaults.expect {
      return inherited
    }
    guard let expect = fields.given("expect") else { return .standard }
    return expectation(expect, judges: kind == .endpoint ? .response : .values)
  }

  /// - Parameter id: That of the step, if it has one.
  private mutating func action(
    _ kind: LanguageAction, _ fields: ObjectFields, _ id: Written<String>?
  ) -> Step.Action {
    switch kind {
    case .endpoint:
      guard let request = request(fields) else {
        incomplete.insert(fields.node.index)
        return .values([])
      }
      return .request(request)
    case .workflow:
      guard let path = writtenText(fields["workflow"], "workflow") else {
        incomplete.insert(fields.node.index)
        return .values([])
      }
      if path.value.contains(bytes: "{{") {
        report(
          .invalidValue, "the path of a workflow cannot contain a template",
          at: path.range)
      }
      return .call(Call(path: path, inputs: valueFields(fields["inputs"], "inputs") ?? []))
    case .steps:
      return .block(innerBlock(fields))
    case .choose:
      return .block(choose(fields, id))
    case .fail:
      guard let node = fields["fail"], let failure = intendedFailure(node) else {
        incomplete.insert(fields.node.index)
        return .values([])
      }
      return .fail(failure)
    case .values:
      return .values(valueFields(fields["values"], "values") ?? [])
    case .wait:
      guard let node = fields["wait"], let wait = duration(node, "wait", allowsZero: true) else {
        incomplete.insert(fields.node.index)
        return .values([])
      }
      return .wait(Written(wait, at: node))
    }
  }

  // MARK: - Choices and failures

  private mutating func choose(_ fields: ObjectFields, _ id: Written<String>?) -> Block {
    var block = Block()
    block.isChoice = true
    guard let node = fields["choose"] else { return block }
    guard node.kind == .array else {
      mistyped(node, "choose", "a list of branches such as [{\"when\": …}, {…}]")
      incomplete.insert(fields.node.index)
      return block
    }
    if node.count == 0 {
      report(.invalidValue, "'choose' is empty; write at least one branch", at: node.range)
    }
    guard checkDepth(fields, "choose") else { return block }
    blockDepth += 1
    defer { blockDepth -= 1 }
    block.steps = node.elements.enumerated().compactMap { number, element in
      branch(element, number: number + 1, of: id)
    }
    return block
  }

  private mutating func branch(_ node: JSONNode, number: Int, of id: Written<String>?) -> Step? {
    guard
      let fields = fields(
        of: node, .branch, .numbered("branch", number),
        wanted: "an object such as {\"when\": …, \"endpoint\": …}")
    else {
      incomplete.insert(node.index)
      return nil
    }
    let given = LanguageAction.allCases.first { fields.has($0.rawValue) }
    if let given { checkPlaces(fields, beside: given) } else { incomplete.insert(node.index) }
    let kind = given ?? Self.impliedAction(fields)
    let action = kind.map { self.action($0, fields, id) } ?? Step.Action.values([])
    let place = given.flatMap { fields.member($0.rawValue) }?.value ?? node
    return Step(
      id: Written(id?.value ?? "choose", at: place),
      description: text(fields["description"], "description"), action: action, dependsOn: [],
      when: condition(fields["when"], "when"), otherwise: nil, onError: .fail, branch: number,
      priority: 0, forEach: nil, expect: expectation(fields, of: kind), node: node)
  }

  private mutating func intendedFailure(_ node: JSONNode) -> IntendedFailure? {
    if node.kind == .string {
      return template(node, "fail", allowsEmpty: false).map {
        IntendedFailure(message: $0, details: nil)
      }
    }
    guard
      let fields = fields(of: node, .failure, .key("fail"), wanted: "a message, or an object"),
      let message = template(fields["message"], "message", allowsEmpty: false)
    else { return nil }
    return IntendedFailure(message: message, details: fields["details"].map { data($0) })
  }

  /// What `onError` says.
  struct Recovery {
    let onError: Step.OnError
    /// The failures that the step recovers from; `nil`: all of them.
    var causes: [RecoveryCause]?
  }

  /// - Parameter node: `null` takes a default away.
  mutating func recovery(_ node: JSONNode?) -> Recovery? {
    guard let node, !node.isNull else { return nil }
    guard node.kind == .object else {
      guard node.kind == .string else {
        let names = Self.options(Step.OnError.allCases.map(\.rawValue))
        mistyped(node, "onError", "one of \(names), or an object such as {\"recover\": [404]}")
        return nil
      }
      let onError: Step.OnError? = choice(node, "onError")
      return onError.map { Recovery(onError: $0) }
    }
    guard let fields = fields(of: node, .recovery, .key("onError")), let list = fields["recover"]
    else { return Recovery(onError: .recover) }
    guard list.kind == .array, list.count > 0 else {
      mistyped(list, "recover", "a list such as [\"network\", 404, \"5xx\", \"expect\"]")
      return Recovery(onError: .recover)
    }
    return Recovery(onError: .recover, causes: list.elements.compactMap { recoveryCause($0) })
  }

  private mutating func recoveryCause(_ node: JSONNode) -> RecoveryCause? {
    guard let text = node.string, Quantities.statusClass(text.lowercased()) == nil,
      Int(text) == nil
    else { return status(node, "recover").map { .status($0) } }
    if RecoveryCause.kinds.contains(text) { return .kind(text) }
    let isCancelled = text == "cancelled"
    report(
      .invalidValue,
      isCancelled
        ? "no step recovers from \"cancelled\": the run was stopped"
        : "'recover' takes a kind of failure such as \"network\", or a status such as 404 or \"5xx\","
          + " not \"\(text)\"" + Spelling.didYouMean(text, among: RecoveryCause.kinds),
      at: node.range)
    return nil
  }

  /// Reports keys that this action does not allow.
  private mutating func checkPlaces(_ fields: ObjectFields, beside action: LanguageAction) {
    for entry in fields.entries where !fields.table.allows(entry.key, beside: action) {
      guard let actions = fields.table.actions[entry.key],
        !actions.contains(where: { fields.has($0.rawValue) })
      else { continue }
      let wanted = LanguageAction.allCases.filter(actions.contains).map(\.rawValue)
      report(
        .misplacedKey,
        "'\(entry.name)' belongs beside \(Self.list(wanted)), "
          + "not '\(action.rawValue)'\(Self.instead(of: entry.name, beside: action))",
        at: entry.member.nameRange)
    }
  }

  /// The key that has this meaning beside this action.
  private static func instead(of key: String, beside action: LanguageAction) -> String {
    switch (key, action) {
    case ("outputs", .endpoint): "; the values of a response are named in 'extract'"
    case ("inputs", .endpoint): "; a request has 'query', 'headers' and 'body'"
    case ("extract", .values): "; write the queries into 'values'"
    case ("extract", .workflow): "; the values of the step are the outputs of that file"
    case ("extract", .steps): "; the values of the step are named in 'outputs'"
    case ("body", .values), ("query", .values), ("headers", .values):
      "; a request needs 'endpoint'"
    default: ""
    }
  }

  private mutating func dependencies(_ node: JSONNode?) -> [Written<String>] {
    guard let node, isList(node, "dependsOn", "a list of steps") else { return [] }
    return node.elements.compactMap { writtenText($0, "dependsOn") }
  }

  // MARK: - Values

  /// A map of names and values: `values`, `otherwise`, `inputs`.
  mutating func valueFields(_ node: JSONNode?, _ name: String) -> [Field]? {
    guard let node else { return nil }
    guard node.kind == .object else {
      mistyped(node, name, "an object of names and values")
      return nil
    }
    return node.members.map { member in
      checkName(member.name, name == "inputs" ? .input : .value, at: member.nameRange)
      return Field(
        name: member.name, nameRange: member.nameRange,
        value: data(member.value, queries: .allowed), node: member.value)
    }
  }

  /// `outputs`, whose names are the reader's and may be any.
  private mutating func outputs(_ node: JSONNode?) -> [Field]? {
    guard let node else { return nil }
    guard node.kind == .object else {
      mistyped(node, "outputs", "an object of names and values")
      return nil
    }
    return node.members.map { output($0) }
  }

  private mutating func output(_ member: JSONMember) -> Field {
    let node = member.value
    // Only an object that says `reveal` says more than its value.
    guard node.kind == .object, node["value"] != nil, node["reveal"] != nil,
      let fields = fields(of: node, .output, .named("output", member.name)),
      let value = fields["value"]
    else {
      return Field(
        name: member.name, nameRange: member.nameRange, value: data(node, queries: .allowed),
        node: node)
    }
    var field = Field(
      name: member.name, nameRange: member.nameRange, value: data(value, queries: .allowed),
      node: value)
    field.isRevealed = boolean(fields["reveal"], "reveal") ?? false
    return field
  }
}
