import PipelineByteText
import PipelineJSONPaths
import PipelineJSONText
import PipelineLanguage
import PipelinePlanning
import PipelineTemplates

extension LintContext {
  /// Finds the shape of the values of a block's steps, each after its dependencies.
  mutating func analyse(block: Int) {
    for index in blocks[block].resolution.graph.topologicalOrder {
      analyse(step: blocks[block].steps[index])
    }
  }

  private mutating func analyse(step number: Int) {
    let step = steps[number].step
    if let forEach = step.forEach { shapes[number].item = item(of: forEach, in: number) }
    if let inner = steps[number].inner { analyse(block: inner, of: number) }
    let row = row(of: number)
    let mayBeMissing = mayBeMissing(number)
    // In their place: a step's shapes are large to copy.
    shapes[number].value = value(of: step, row: row, mayBeMissing: mayBeMissing, in: number)
    shapes[number].row = row
    shapes[number].mayBeMissing = mayBeMissing
    let isLackInside = steps[number].inner.map { inner in
      blocks[inner].steps.contains { shapes[$0].mayLackValues }
    }
    shapes[number].mayLackValues = mayBeMissing || isLackInside == true
  }

  /// The values of one pass of a step, if they depend on no other step.
  static func ownRow(of step: Step, _ incomplete: Set<Int>) -> ValueShape? {
    if incomplete.contains(step.node.index) { return .object([:], isOpen: true) }
    switch step.action {
    case .request(let request):
      let readsOthers = request.extract.contains { extractor in
        if case .value = extractor.source { true } else { false }
      }
      return readsOthers
        ? nil : row(of: request, step.body, incomplete) { _ in .unknown }
    case .ask(let question): return LintContext.shape(of: question.answers)
    case .wait, .fail, .say: return .object([:])
    case .values, .call, .block: return nil
    }
  }

  /// The values of a request's extractors.
  ///
  /// - Parameters:
  ///   - body: The shape of the response's body, if anything is known of it.
  ///   - value: The shape of data of the workflow's own.
  private static func row(
    of request: Request, _ body: ValueShape?, _ incomplete: Set<Int>,
    value: (DataTemplate) -> ValueShape
  ) -> ValueShape {
    var members = ShapeMembers(minimumCapacity: request.extract.count)
    for extractor in request.extract where members[extractor.name] == nil {
      members[extractor.name] =
        incomplete.contains(extractor.node.index)
          || extractor.node.members.contains { incomplete.contains($0.value.index) }
        ? .unknown
        : shape(of: extractor, isPaginated: request.paginate != nil, body, value: value)
    }
    if request.save != nil {
      members["path"] = members["path"] ?? .string
      members["size"] = members["size"] ?? .integer
    }
    return .object(members)
  }

  /// The values of one pass of a step.
  private func row(of number: Int) -> ValueShape {
    if let own = steps[number].ownRow, bodies[number] == nil { return own }
    let step = steps[number].step
    switch step.action {
    case .request(let request):
      return Self.row(of: request, body(of: steps[number]), incomplete) { data in
        shape(of: data) { read($0, in: number) }
      }
    case .values(let fields): return .object(members(of: fields, in: number))
    case .ask(let question): return Self.shape(of: question.answers)
    case .wait, .fail, .say: return .object([:])
    case .call(let call):
      return callees[ExactText(call.path.value)]?.context?.outputs ?? .object([:], isOpen: true)
    case .block(let block):
      guard let inner = steps[number].inner else { return .unknown }
      if block.isChoice {
        // One that fails gives nothing to read.
        let branches = blocks[inner].steps.filter { number in
          if case .fail = steps[number].step.action { false } else { true }
        }
        return branches.isEmpty ? .object([:]) : .union(of: branches.map { shapes[$0].row })
      }
      guard let outputs = block.outputs else {
        return .object(
          ShapeMembers(
            blocks[inner].steps.lazy.map { (steps[$0].step.id.value, shapes[$0].value) }))
      }
      return .object(
        ShapeMembers(
          outputs.lazy.map { ($0.name, shape(of: $0.value) { read($0, inOutputsOf: inner) }) }))
    }
  }

  /// The value of a step for its readers.
  private func value(
    of step: Step, row: ValueShape, mayBeMissing: Bool, in number: Int
  ) -> ValueShape {
    var row = row
    if mayBeMissing || step.forEach != nil, let otherwise = step.otherwise,
      case .object(let own, let isOpen) = row.content
    {
      let substitutes = members(of: otherwise, in: number)
      var merged = substitutes.mapShapes { $0.absent() }
      for (name, shape) in own.list {
        merged[name] = substitutes[name].map { $0.union(shape) } ?? shape.absent()
      }
      row = .object(merged, isOpen: isOpen)
    }
    if step.onError == .recover, case .object(let own, let isOpen) = row.content,
      step.forEach == nil || !isOpen
    {
      row = .object(own.with("error", Self.failure), isOpen: isOpen)
    }
    guard let forEach = step.forEach else {
      return row.absent(step.otherwise == nil && mayBeSkipped(number))
        .absentMembers(mayBeMissing && step.otherwise == nil)
    }
    let skipsItems = steps[number].mayChooseNothing && step.otherwise == nil
    var rows = ValueShape.list(row.nullable(forEach.onItemError == .collect || skipsItems))
      .absent(mayBeMissing && step.otherwise == nil)
    rows.hasError = forEach.onItemError == .collect || step.onError == .recover
    return rows
  }

  /// `$.find.error` after `recover`.
  private static let failure = ValueShape.object(failureMembers).absent()

  /// `$.user.error` of a collection.
  static let collectionFailure = ValueShape.object(
    failureMembers.with("items", .list(.object(failureMembers.with("index", .integer))))
  ).absent()

  private static let failureMembers: ShapeMembers = [
    "kind": .string, "status": ValueShape.integer.absent(), "message": .string,
    "body": ValueShape.string.absent(), "details": .unknown,
  ]

  /// Whether others may go on without this step's values.
  private func mayBeMissing(_ number: Int) -> Bool {
    steps[number].step.onError != .fail || mayBeSkipped(number)
  }

  /// Whether a step may have no values at all: what failed under `recover` has its `error`.
  private func mayBeSkipped(_ number: Int) -> Bool {
    let step = steps[number].step
    if step.when != nil || step.onError == .continue { return true }
    if case .block(let block) = step.action, block.isChoice, let inner = steps[number].inner {
      if block.mayChooseNone { return true }
      if blocks[inner].steps.contains(where: needsWhatMayLack) { return true }
    }
    return needsWhatMayLack(number)
  }

  /// Whether a step needs a value that may be missing.
  private func needsWhatMayLack(_ number: Int) -> Bool {
    steps[number].uses.contains { use in
      // Also of a block around: its steps end before this one begins.
      guard use.use.mode == .needs, case .step(let level, let index)? = use.definition,
        let block = ancestor(of: steps[number].block, level: level)
      else { return false }
      return shapes[blocks[block].steps[index]].mayLackValues
    }
  }

  // MARK: - Values

  func members(of fields: [Field], in number: Int) -> ShapeMembers {
    ShapeMembers(fields.lazy.map { ($0.name, shape(of: $0.value) { read($0, in: number) }) })
  }

  /// The shape of data whose templates and queries are read by `read`.
  func shape(of data: DataTemplate, _ read: (Query) -> Reading) -> ValueShape {
    if let reference = data.wholeReference { return read(reference).shape }
    let isSecret = data.uses.contains { read($0.query).shape.isSecret }
    return data.root.shape { read($0).shape }.secret(isSecret)
  }

  /// The shape of an extracted value.
  ///
  /// - Parameters:
  ///   - body: The shape of the response's body, if anything is known of it.
  ///   - value: The shape of data of the workflow's own.
  static func shape(
    of extractor: Extractor, isPaginated: Bool, _ body: ValueShape?,
    value: (DataTemplate) -> ValueShape
  ) -> ValueShape {
    visibleShape(of: extractor, isPaginated: isPaginated, body, value: value)
      .secret(extractor.isSecret)
  }

  private static func visibleShape(
    of extractor: Extractor, isPaginated: Bool, _ body: ValueShape?,
    value: (DataTemplate) -> ValueShape
  ) -> ValueShape {
    let typed = extractor.type.map(\.value.shape)
    // A type means each element of a list, and a JSON value may be one. So does a part of a text.
    let typedJSON =
      extractor.type.map { $0.value.shape.list($0.value != .array) }
      ?? extractor.part.map { $0.decoding == .json ? .present : .string.list(true) }
    var shape: ValueShape
    switch extractor.source {
    case .body(let query):
      let isMany = !query.value.isSingular && (extractor.take == nil || isPaginated)
      if extractor.part == nil, let body,
        let found = found(by: query.value, in: body, extractor, isMany: isMany)
      {
        shape = found
        break
      }
      shape = isMany ? .list(typedJSON ?? .present) : typedJSON ?? .present
    case .header, .cookie, .url, .text:
      shape = extractor.decode == .json ? typedJSON ?? .present : typed ?? .string
      if extractor.all { shape = .list(shape) }
    case .headers: shape = .object([:], isOpen: true)
    case .status: shape = typed ?? .integer
    case .value(let data):
      shape = typedJSON ?? value(data)
    }
    if let value = extractor.defaultValue {
      shape = shape.union(ValueShape(literal: value))
      shape.maybeAbsent = false
      return shape
    }
    return shape.absent(extractor.isOptional)
  }

  /// What an extractor takes from a body; `nil` if nothing is known about the body.
  ///
  /// - Parameter isMany: Whether it takes all that the query selects.
  private static func found(
    by query: Query, in body: ValueShape, _ extractor: Extractor, isMany: Bool
  ) -> ValueShape? {
    guard case .shape(var found) = walk(query, from: body, .run, first: 0) else { return nil }
    found = found.reached(by: query)
    if !isMany, case .list(let element) = found.content {
      // One of several. A list that is selected itself may be meant, or its elements.
      if !query.isSingular { found = element } else if extractor.take != nil { found = .present }
    }
    // A value that is absent and not optional fails the step.
    found.maybeAbsent = false
    guard let type = extractor.type?.value.shape else { return found }
    guard found.contentKind == type.contentKind else { return nil }
    // Texts, numbers and booleans become what the author wrote.
    if !found.isContainer { return type }
    found.maybeNull = false
    return found
  }

  /// What is known of the body that a step reads: by the schema that it expects, by its format, by
  /// the description of the API, or by recordings.
  func body(of step: LintStep) -> ValueShape? {
    guard let known = bodies[step.number] else { return step.step.body }
    return step.step.body.map { $0.refined(by: known) } ?? known
  }

  // MARK: - Items

  private func item(of iteration: Iteration, in number: Int) -> ValueShape {
    let element: ValueShape
    switch iteration.source.value {
    case .range: element = .integer
    case .rounds(let rounds): return firstRound(of: rounds, in: number)
    case .list(let data), .windows(let data):
      if case .list(let item) = shape(of: data, { read($0, in: number) }).content {
        element = item
      } else {
        element = .present
      }
    case .query(let query):
      let shape = read(query.value, in: number).shape
      // The elements of a secret list are secrets.
      guard case .list(let item) = shape.content else { return .present.secret(shape.isSecret) }
      element = shape.isSecret ? item.secret(true) : item
    }
    var item = element
    item.maybeAbsent = false
    return iteration.isBatched ? .list(item) : item
  }
}

extension Step {
  /// The body by the schema that is expected, and by the format that it is read in.
  fileprivate var body: ValueShape? {
    let expected = expect.schema.map { ValueShape(allowedBy: $0) }
    guard case .request(let request) = action, let read = request.read,
      let format = ValueShape(read.format)
    else { return expected }
    return expected.map { $0.refined(by: format) } ?? format
  }
}

extension ValueShape {
  /// The same object, each of whose members may be absent.
  func absentMembers(_ areMaybeAbsent: Bool) -> ValueShape {
    guard areMaybeAbsent, case .object(let members, let isOpen) = content else { return self }
    return ValueShape(
      .object(members.mapShapes { $0.absent() }, isOpen: isOpen), maybeAbsent: maybeAbsent,
      maybeNull: maybeNull)
  }
}
