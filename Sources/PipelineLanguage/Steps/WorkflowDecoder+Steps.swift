import PipelineByteText
import PipelineJSONText
import PipelineSourceText
import PipelineTemplates

extension WorkflowDecoder {
  /// One step; `nil` if it has no id, or does nothing that can be read.
  mutating func step(_ node: JSONNode, number: Int) -> Step? {
    let name = idNode(of: node)?.string
    let place: Place = name.map { .named("step", $0) } ?? .numbered("step", number)
    guard let fields = fields(of: node, .step, place) else { return nil }
    let keys = reading(fields) { StepKeys(&$0) }
    var id = keys.id
    if !fields.has("id"), let node = idNode(of: node), let name = node.string {
      // The missing id is one mistake. Reads of the step by its name are not further ones.
      id = Written(name, at: node)
    }
    // Two steps of one block with one name are reported as such.
    if let id, scopes.count > 1, scopes.last?[id.value].map({ $0 == id.range }) ?? true {
      checkHiding(id)
    }
    let given = LanguageAction.allCases.first { fields.has($0.rawValue) }
    if let given { checkPlaces(fields, beside: given) }
    let kind = given ?? Self.impliedAction(fields)

    let surroundings = keys.surroundings
    let onError = surroundings.recovery?.onError ?? .fail
    let forEach =
      iteration(keys.iteration, fields, onError)
      ?? keys.repetition.map { rounds($0.value, $0.node, onError) }
    checkWhen(surroundings.when, of: forEach?.rounds)
    let loopNames = loopScope(forEach)
    if !loopNames.isEmpty { scopes.append(loopNames) }
    var action = kind.map { self.action($0, fields, id) } ?? Step.Action.values([])
    if let rounds = forEach?.rounds, case .block(var block) = action {
      block.next = rounds.carried.compactMap(\.next)
      action = .block(block)
    } else if !keys.itemState.isEmpty, case .block(var block) = action, !block.isChoice {
      block.itemState = keys.itemState
      block.next = keys.itemState.compactMap(\.next)
      action = .block(block)
    }
    if !loopNames.isEmpty { scopes.removeLast() }
    if given == nil { incomplete.insert(node.index) }
    checkSettle(action, for: forEach)

    // All is read, and judged, before a step without a name is given up.
    let expect = expectation(fields, of: kind)
    guard let id else { return nil }
    let step = Step(
      id: id, description: keys.description, action: action, dependsOn: surroundings.dependsOn,
      when: surroundings.when, otherwise: surroundings.otherwise, onError: onError,
      recovers: surroundings.recovery?.causes, priority: surroundings.priority,
      forEach: forEach, retry: retryOfWhole(fields, of: kind), expect: expect, node: node)
    checkPageValues(of: step)
    return step
  }

  /// The action of a step that names none, if other keys of it belong to one action only.
  private static func impliedAction(_ fields: ObjectFields) -> LanguageAction? {
    LanguageAction.allCases.first { action in
      fields.entries.contains { fields.table.actions[$0.key] == [action] }
    }
  }

  private mutating func expectation(
    _ fields: ObjectFields, of kind: LanguageAction?
  ) -> Expectation {
    reading(fields) { $0.expectation(of: kind == .endpoint ? .response : .values) } ?? .standard
  }

  /// - Parameter id: That of the step, if it has one.
  private mutating func action(
    _ kind: LanguageAction, _ fields: ObjectFields, _ id: Written<String>?
  ) -> Step.Action {
    let action: Step.Action? =
      switch kind {
      case .endpoint: request(fields).map { .request($0) }
      case .workflow: reading(fields) { $0.call() }.map { .call($0) }
      case .steps: .block(innerBlock(fields))
      case .choose: .block(choose(fields, id))
      case .fail: reading(fields) { $0.failure() }.map { .fail($0) }
      case .values: .values(reading(fields) { $0.values() } ?? [])
      case .wait: reading(fields) { $0.wait() }.map { .wait($0) }
      case .say: reading(fields) { $0.saying() }.map { .say($0) }
      case .ask: reading(fields) { $0.question() }.map { .ask($0) }
      }
    if action == nil { incomplete.insert(fields.node.index) }
    return action ?? .values([])
  }

  // MARK: - Choices

  private mutating func choose(_ fields: ObjectFields, _ id: Written<String>?) -> Block {
    var block = Block()
    block.isChoice = true
    guard let branches = reading(fields, { $0.branches() }) else {
      if fields.has("choose") { incomplete.insert(fields.node.index) }
      return block
    }
    guard checkDepth(fields, "choose") else { return block }
    blockDepth += 1
    defer { blockDepth -= 1 }
    block.steps = branches.enumerated().compactMap { number, element in
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
    let step = Step(
      id: Written(id?.value ?? "choose", at: place),
      description: reading(fields) { $0.about() }, action: action, dependsOn: [],
      when: reading(fields) { $0.when() }, otherwise: nil, onError: .fail, branch: number,
      priority: 0, forEach: nil, retry: retryOfWhole(fields, of: kind),
      expect: expectation(fields, of: kind), node: node)
    checkPageValues(of: step)
    return step
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
        at: entry.member.nameRange,
        fix: entry.name == "outputs" && action == .endpoint && fields.node["extract"] == nil
          ? .replacing(entry.member.nameRange, with: "\"extract\"", isSafe: false)
          : .suggesting("remove it", [fields.node.removing(entry.member)]))
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
}
