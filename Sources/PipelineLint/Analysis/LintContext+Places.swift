import PipelineJSONPaths
import PipelineTemplates
import PipelineJSONText
import PipelineLanguage
import PipelinePlanning

/// The place from which a name is looked up: a block, and perhaps a step of it.
struct Viewpoint {
  let block: Int
  let step: Int?
}

/// The definition of a name of the scope, and its meaning.
struct NamedPlace {
  /// `nil` if no text of the file gives it.
  let range: Range<Int>?
  /// `step 'list'`.
  let meaning: String
  let description: String?

  init(_ range: Range<Int>?, _ meaning: String, _ description: String? = nil) {
    self.range = range
    self.meaning = meaning
    self.description = description
  }
}

extension LintContext {
  /// The innermost step that holds a byte of the file, and its block.
  func viewpoint(at offset: Int) -> Viewpoint {
    let around = steps.filter { step in
      let range = step.step.node.range
      return range.lowerBound <= offset && offset <= range.upperBound
    }
    guard
      let step = around.min(by: { $0.step.node.range.count < $1.step.node.range.count })
    else { return Viewpoint(block: 0, step: nil) }
    // The outputs of a block are in its step, and see the steps inside.
    if let inner = step.inner, let outputs = step.step.node["outputs"],
      outputs.range.lowerBound <= offset, offset <= outputs.range.upperBound
    {
      return Viewpoint(block: inner, step: nil)
    }
    // So are the values of the next round, and the next state of an item.
    if let inner = step.inner {
      let next =
        (step.step.forEach?.rounds?.carried ?? []).map(\.next)
        + blocks[inner].resolution.block.itemState.map(\.next)
      if next.contains(where: { field in
        field.map { $0.node.range.contains(offset) || $0.node.range.upperBound == offset } ?? false
      }) {
        return Viewpoint(block: inner, step: nil)
      }
    }
    return Viewpoint(block: step.block, step: step.number)
  }

  /// The definition of a name, looked up as in a run.
  func definition(of name: String, from viewpoint: Viewpoint) -> Definition? {
    if name == "state", workflow.block.keepsState { return .state }
    if pageValue(name, from: viewpoint) != nil { return .pageValue(name: name) }
    let own = viewpoint.step.flatMap { steps[$0].step.forEach }
    if let found = own?.definition(of: name, level: 0) { return found }
    var block = viewpoint.block
    var level = 0
    while true {
      if let index = blocks[block].resolution.step(named: name) {
        return .step(level: level, index: index)
      }
      guard let parent = blocks[block].parent else { break }
      level += 1
      if let found = steps[parent].step.forEach?.definition(of: name, level: level) {
        return found
      }
      block = steps[parent].block
    }
    return name == "inputs" ? .inputs : name == "run" ? .run : nil
  }

  /// The value of this name that pages of the step hand on.
  private func pageValue(_ name: String, from viewpoint: Viewpoint) -> PageValue? {
    viewpoint.step.flatMap { steps[$0].step.pageValues.first { $0.name == name } }
  }

  /// The known facts about the values of a query of the scope.
  func reading(of query: Query, from viewpoint: Viewpoint) -> Reading {
    guard let name = query.firstName, let definition = definition(of: name, from: viewpoint) else {
      return .unresolved
    }
    let index = viewpoint.step.map { steps[$0].index }
    let start =
      viewpoint.step.map { shape(of: definition, in: steps[$0]) }
      ?? shape(of: definition, block: viewpoint.block, index: index)
    return Self.walk(query, from: start, definition)
  }

  /// Where the last name of a query of the scope is given; `nil` if nothing has it.
  func place(of query: Query, from viewpoint: Viewpoint) -> NamedPlace? {
    guard let name = query.firstName, let definition = definition(of: name, from: viewpoint) else {
      return nil
    }
    let rest = query.segments.dropFirst().flatMap(\.names)
    switch definition {
    case .inputs:
      guard let name = rest.first else {
        return NamedPlace(workflow.document.root.member("inputs")?.nameRange, "the inputs")
      }
      guard let input = workflow.inputs.first(where: { $0.name == name }) else { return nil }
      let isHere = input.node.document === workflow.document
      return NamedPlace(
        isHere ? input.nameRange : nil, "the input '\(name)'", input.description)
    case .state:
      guard let name = rest.first else {
        return NamedPlace(workflow.document.root.member("state")?.nameRange, "the state")
      }
      guard let value = workflow.state.first(where: { $0.name == name }) else { return nil }
      let owner = owner(of: value).map { " of each item of step '\($0.id.value)'" } ?? ""
      return NamedPlace(value.nameRange, "the state value '\(name)'" + owner, value.description)
    case .run: return NamedPlace(nil, rest.first.map { "'\($0)' of the run" } ?? "the run")
    case .item(let level), .itemIndex(let level), .carried(let level, _):
      guard
        let number = level == 0
          ? viewpoint.step : parent(of: viewpoint.block, level: level - 1),
        let forEach = steps[number].step.forEach
      else { return nil }
      if case .carried(_, let name) = definition {
        let value = forEach.rounds?.carried.first { $0.name == name }
        return NamedPlace(
          value?.nameRange,
          "'\(name)', which the rounds of step '\(steps[number].step.id.value)' carry")
      }
      let id = steps[number].step.id.value
      if case .itemIndex = definition {
        return NamedPlace(forEach.indexName?.range, "the number of the item in step '\(id)'")
      }
      return NamedPlace(
        forEach.name?.range ?? forEach.source.range, "the item in step '\(id)'")
    case .pageValue:
      return NamedPlace(
        pageValue(name, from: viewpoint)?.nameRange, "the value '\(name)' of the page before")
    case .step(let level, let index):
      guard let around = ancestor(of: viewpoint.block, level: level) else { return nil }
      return place(of: rest[...], in: blocks[around].steps[index])
    }
  }

  /// Where a value of a step is given: an extractor, a value, an output, a step inside.
  func place(of names: ArraySlice<String>, in number: Int) -> NamedPlace? {
    let step = steps[number].step
    let id = step.id.value
    guard let name = names.first else {
      return NamedPlace(step.id.range, "step '\(id)'", step.description)
    }
    if name == "error", step.onError == .recover {
      return NamedPlace(step.id.range, "the failure of step '\(id)'")
    }
    switch step.action {
    case .request(let request):
      guard let extractor = request.extract.first(where: { $0.name == name }) else { break }
      return NamedPlace(extractor.nameRange, "'\(name)', which step '\(id)' extracts")
    case .values(let fields):
      guard let field = fields.first(where: { $0.name == name }) else { break }
      return NamedPlace(field.nameRange, "'\(name)', which step '\(id)' computes")
    case .call(let call):
      return NamedPlace(call.path.range, "'\(name)', which '\(call.path.value)' returns")
    case .block(let block) where block.isChoice:
      guard let inner = steps[number].inner else { break }
      for branch in blocks[inner].steps {
        if let place = place(of: names, in: branch) { return place }
      }
    case .block(let block):
      if let outputs = block.outputs {
        guard let field = outputs.first(where: { $0.name == name }) else { break }
        return NamedPlace(field.nameRange, "'\(name)', which step '\(id)' returns")
      }
      guard let inner = steps[number].inner, let index = blocks[inner].resolution.step(named: name)
      else {
        break
      }
      return place(of: names.dropFirst(), in: blocks[inner].steps[index])
    case .ask(let question):
      if let answer = question.answers.first(where: { $0.name == name }) {
        return NamedPlace(answer.nameRange, "'\(name)', which step '\(id)' asks for")
      }
    case .wait, .fail, .say: break
    }
    guard let field = step.otherwise?.first(where: { $0.name == name }) else { return nil }
    return NamedPlace(field.nameRange, "'\(name)', which 'otherwise' of step '\(id)' gives")
  }
}

extension JSONNode {
  /// The first member of this name.
  fileprivate func member(_ name: String) -> JSONMember? { members.first { $0.name == name } }
}

extension ValueShape {
  /// All that is known, in words: `a whole number, may be absent`.
  var description: String {
    if let detail = source?.detail { return detail + (isSecret ? ", secret" : "") }
    var words = Self.words(of: self)
    if maybeNull, contentKind != nil, contentKind != .null { words += ", may be null" }
    if maybeAbsent, contentKind != nil { words += ", may be absent" }
    if isSecret { words += ", secret" }
    return words
  }

  private static func words(of shape: ValueShape) -> String {
    switch shape.content {
    case .unknown: return "of unknown type"
    case .choice: return shape.words
    case .integer: return "a whole number"
    case .list(let element):
      switch element.content {
      case .unknown, .choice: return "a list"
      case .object: return "a list of objects"
      case .list: return "a list of lists"
      case .integer, .number: return "a list of numbers"
      case .string: return "a list of texts"
      case .boolean, .null: return "a list of " + words(of: element)
      }
    case .object(let members, _) where !members.isEmpty:
      let names = members.names.sorted()
      let shown = names.prefix(6).map { "'\($0)'" }.joined(separator: ", ")
      return "an object with " + shown + (names.count > 6 ? ", …" : "")
    case .string, .number, .boolean, .null, .object: return shape.words
    }
  }
}
