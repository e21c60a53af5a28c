internal import PipelineJSONPaths
internal import PipelineJSONText
internal import PipelineLanguage
internal import PipelinePlanning
internal import PipelineTemplates

/// The possible values of a scope that follow from literals and the run's inputs alone, if they are
/// known before the run.
struct KnownValues: Sendable {
  /// By the name that a query begins with.
  private var candidates: [String: [JSONNode]]

  /// Beyond this many, what a value may be counts as unknown.
  private static let most = 1000
  /// A value above this size counts as unknown: no host has such a name.
  static let mostBytes = 64 << 10

  /// Whether an input that has no value is known to have none.
  private let knowsAllInputs: Bool

  /// - Parameter inputs: The inputs that are known. Others of a called file may come from a
  ///   response.
  init(inputs: JSONNode) {
    candidates = ["inputs": [inputs]]
    knowsAllInputs = false
  }

  /// - Parameter inputs: All inputs of a run.
  init(allInputs inputs: JSONNode) {
    candidates = ["inputs": [inputs]]
    knowsAllInputs = true
  }

  /// Whether a query reads nothing but known values.
  func isKnown(_ query: Query) -> Bool {
    !query.firstNames.isEmpty
      && query.firstNames.allSatisfy { name in
        guard let known = candidates[name] else { return false }
        // An input of a called file may come from a response.
        return name != "inputs" || knowsAllInputs
          || known.allSatisfy { Self.input(of: query, in: $0) != nil }
      }
  }

  private static func input(of query: Query, in inputs: JSONNode) -> JSONNode? {
    guard query.segments.count > 1, query.segments[1].selectors.count == 1,
      case .name(let name) = query.segments[1].selectors.first.kind
    else { return nil }
    return inputs[name.text]
  }

  /// Every scope that the queries may be asked in; none if one of them reads an unknown value.
  func scopes(of queries: [Query]) -> [Scope] {
    guard queries.allSatisfy(isKnown) else { return [] }
    let names = Set(queries.flatMap(\.firstNames)).sorted()
    var rows: [[JSONNode]] = [[]]
    for name in names {
      let values = candidates[name] ?? []
      guard rows.count * values.count <= Self.most else { return [] }
      rows = rows.flatMap { row in values.map { row + [$0] } }
    }
    let reads = names.map { Read(name: $0, definition: .inputs, isNeeded: false) }
    return rows.map { row in
      Scope(shared: Scope.Shared(reads: reads, values: row.map { ScopeValue($0) }))
    }
  }

  // MARK: What follows

  /// The known values of the steps of a block with these names, and of the steps that they are
  /// computed from.
  mutating func add(valuesOf block: BlockPlan, named names: Set<String>) {
    guard !names.isEmpty else { return }
    var fields: [String: [Field]] = [:]
    for plan in block.steps where plan.step.forEach == nil {
      if case .values(let values) = plan.step.action { fields[plan.step.id.value] = values }
    }
    // A step is computed when all its reads have been looked at. There may be long chains of steps.
    enum Work {
      case look(String)
      case compute(String, [Field], [Query])
    }
    var stack = names.sorted().map(Work.look)
    while let work = stack.popLast() {
      switch work {
      case .look(let name):
        guard candidates[name] == nil, let own = fields.removeValue(forKey: name) else { continue }
        let queries = own.flatMap { $0.value.uses.map(\.query) }
        stack.append(.compute(name, own, queries))
        stack += Set(queries.flatMap(\.firstNames)).sorted().map(Work.look)
      case .compute(let name, let own, let queries):
        let values = scopes(of: queries).compactMap { scope in
          (try? Evaluation.text(of: own, in: scope, files: NoFileAccess()))
            .map { ScopeValue(text: $0).node }
        }
        if values.contains(where: { $0.utf8.count > Self.mostBytes }) { continue }
        if !values.isEmpty { candidates[name] = values }
      }
    }
  }

  /// The items of a collection, if it is known.
  mutating func add(itemsOf iteration: Iteration) {
    guard let name = iteration.itemName else { return }
    if case .range = iteration.source.value { return }
    var items: [JSONNode] = []
    for scope in scopes(of: iteration.queries) {
      guard var some = try? Evaluation.items(of: iteration, in: scope, files: NoFileAccess()),
        items.count + some.count <= Self.most
      else { return }
      while let item = some.next() { items.append(item) }
    }
    if !items.isEmpty { candidates[name] = items }
  }

  /// The inputs that a called file may get, without those that depend on a response.
  func inputs(of callee: Workflow, _ call: Call) -> [JSONNode] {
    let known = call.inputs.filter { $0.value.uses.allSatisfy { isKnown($0.query) } }
    return scopes(of: known.flatMap { $0.value.uses.map(\.query) }).map { scope in
      var writer = JSONWriter(style: .compact)
      writer.beginObject()
      for input in callee.inputs {
        if call.inputs.contains(where: { $0.name == input.name }) {
          guard let field = known.first(where: { $0.name == input.name }) else { continue }
          var value = JSONWriter(style: .compact)
          let isPresent = try? Evaluation.write(
            field.value, to: &value, in: scope, files: NoFileAccess())
          guard isPresent == true else { continue }
          writer.name(input.name)
          writer.raw(value.bytes)
        } else if let value = input.defaultValue {
          writer.name(input.name)
          writer.value(value)
        }
      }
      writer.endObject()
      return writer.document().root
    }
  }
}
