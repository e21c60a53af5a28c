import PipelineJSONPaths
import PipelineLanguage
import PipelineTemplates

/// The secret parts of a workflow, followed from secret inputs and extractors through templates,
/// queries, values, blocks and called files (language.md §11).
package struct Secrecy: Sendable {
  /// The secrecy of one step.
  package struct StepSecrecy: Sendable {
    /// The taint of the step's values; of a collection, the taint of each row.
    package let values: Taint
    /// Where the step reads a secret, by range in the file.
    package let secretRanges: Set<Range<Int>>
  }

  /// The secrecy of a block.
  package struct BlockSecrecy: Sendable {
    package let steps: [StepSecrecy]
    /// The taint of each of the block's outputs, in their order.
    package let outputs: [Taint]
    /// Where the block's outputs read a secret that they do not reveal, and what it carries on one, by
    /// range in the file.
    package let outputRanges: Set<Range<Int>>
    /// The taint of each value that the block carries on, in their order.
    package let next: [Taint]
  }

  private var blocks: [ObjectIdentifier: BlockSecrecy] = [:]
  private var calls: [StepKey: Secrecy] = [:]
  /// Whether any step reads a secret.
  private let holdsSecrets: Bool
  /// Whether any step gives a secret.
  private let givesSecrets: Bool
  /// The names of the secret inputs.
  package let inputs: Set<String>
  /// The taint of the workflow's outputs.
  package let result: Taint

  package subscript(block: BlockPlan) -> BlockSecrecy {
    blocks[ObjectIdentifier(block)]
      ?? BlockSecrecy(steps: [], outputs: [], outputRanges: [], next: [])
  }

  /// Where a step reads a secret, by range in the file; `nil` if nothing in the file is secret.
  package func ranges(of step: Int, in block: BlockPlan) -> Set<Range<Int>>? {
    holdsSecrets ? blocks[ObjectIdentifier(block)]?.steps[step].secretRanges : nil
  }

  /// Whether the values of a step are secret, in whole or in part.
  package func isSecret(step: Int, in block: BlockPlan) -> Bool {
    guard givesSecrets, let steps = blocks[ObjectIdentifier(block)]?.steps else { return false }
    return steps.indices.contains(step) && !steps[step].values.isNone
  }

  /// The secret parts of the file that a step of `block` runs, given the inputs there.
  package func callee(of block: BlockPlan, step: Int) -> Secrecy? {
    calls[StepKey(block: ObjectIdentifier(block), step: step)]
  }

  init(_ workflow: Workflow, _ root: BlockPlan, _ memory: CallMemory<Secrecy>) {
    self = .of(workflow, root, given: .none, memory)
  }

  /// The secrecy of a file that is called.
  fileprivate static func of(_ plan: Plan, given: Taint, _ memory: CallMemory<Secrecy>) -> Secrecy {
    // A value that the file itself calls secret stays so, whatever the inputs.
    if given.members.allSatisfy({ plan.secrecy.inputs.contains($0.key) }), !given.isWhole {
      return plan.secrecy
    }
    return of(plan.workflow, plan.root, given: given, memory)
  }

  private static func of(
    _ workflow: Workflow, _ root: BlockPlan, given: Taint, _ memory: CallMemory<Secrecy>
  ) -> Secrecy {
    memory.judgement(of: root, given: given) {
      Secrecy(workflow, root, given: $0, memory: memory)
    }
  }

  /// - Parameter given: The taint of the inputs that a caller gives.
  private init(
    _ workflow: Workflow, _ root: BlockPlan, given: Taint, memory: CallMemory<Secrecy>
  ) {
    inputs = Set(workflow.inputs.filter(\.isSecret).map(\.name))
    let declared = Taint(
      members: Dictionary(inputs.map { ($0, .whole) }, uniquingKeysWith: { first, _ in first }))
    let analysis = SecrecyAnalysis(inputs: declared.union(given), memory: memory)
    result = analysis.result(of: root)
    blocks = analysis.blocks
    calls = analysis.calls
    holdsSecrets = blocks.values.contains { block in
      block.steps.contains { !$0.secretRanges.isEmpty }
    }
    givesSecrets = blocks.values.contains { block in
      block.steps.contains { !$0.values.isNone }
    }
  }
}

/// Walks the blocks of a plan, each in the order of its dependencies.
private final class SecrecyAnalysis {
  let inputs: Taint
  let memory: CallMemory<Secrecy>
  var blocks: [ObjectIdentifier: Secrecy.BlockSecrecy] = [:]
  var calls: [StepKey: Secrecy] = [:]
  /// The taints of the steps around, innermost block last.
  private var around: [[Taint]] = []
  /// The taint of what each block with `repeat` carries on, as far as it is known.
  private var carried: [ObjectIdentifier: Taint] = [:]
  /// Whether more of it was found to be secret.
  private var hasGrown = false

  init(inputs: Taint, memory: CallMemory<Secrecy>) {
    self.inputs = inputs
    self.memory = memory
  }

  /// The maximum of passes in which secrets are found to be carried further. After them, everything
  /// that is carried is secret.
  private static let mostPasses = 16

  /// The taint of a file's outputs. What a round carries on may make a secret of what the next one
  /// reads, so the file is gone through until nothing follows any more.
  func result(of root: BlockPlan) -> Taint {
    for _ in 0..<Self.mostPasses {
      hasGrown = false
      let result = analyse(root, items: [])
      if !hasGrown { return result }
    }
    for block in carried.keys { carried[block] = .whole }
    return analyse(root, items: [])
  }

  /// Notes what the rounds of a block carry on.
  private func note(_ next: [Taint], of plan: BlockPlan) {
    let names = plan.block.next.map(\.name)
    let block = ObjectIdentifier(plan)
    let known = carried[block] ?? .none
    let all = known.union(Taint(members: Self.members(zip(names, next))))
    guard all != known else { return }
    carried[block] = all
    hasGrown = true
  }

  /// Analyses a block and returns the taint of its value. `items`: the taints of the items of the
  /// steps around, innermost last.
  func analyse(_ plan: BlockPlan, items: [Taint]) -> Taint {
    around.append(Array(repeating: .none, count: plan.steps.count))
    defer { around.removeLast() }
    var steps = [Secrecy.StepSecrecy?](repeating: nil, count: plan.steps.count)
    for number in plan.graph.topologicalOrder {
      let key = StepKey(block: ObjectIdentifier(plan), step: number)
      let secrecy = analyse(plan.steps[number], key, items: items)
      steps[number] = secrecy
      around[around.count - 1][number] = secrecy.values
    }
    let fields = plan.block.outputs ?? []
    let reader = Reader(reads: plan.outputReads, items: items, own: .none, analysis: self)
    let outputs = fields.map { field in
      field.isRevealed ? Taint.none : reader.taint(of: field.value)
    }
    let secret = zip(fields, outputs).filter { !$0.1.isNone }.flatMap { $0.0.value.uses }
    var outputRanges = Set(
      secret.filter { !reader.taint(of: $0.query).isNone }.map(\.range))
    let nextReader = Reader(reads: plan.nextReads, items: items, own: .none, analysis: self)
    var next = plan.block.next.map { nextReader.taint(of: $0.value) }
    if let round = items.last, !next.isEmpty, plan.block.itemState.isEmpty {
      note(next, of: plan)
      next = zip(plan.block.next, next).map { round.member($0.name).union($1) }
      let uses = plan.block.next.flatMap(\.value.uses)
      outputRanges.formUnion(
        uses.filter { !nextReader.taint(of: $0.query).isNone }.map(\.range))
    }
    let found = steps.map {
      $0 ?? Secrecy.StepSecrecy(values: .none, secretRanges: [])
    }
    blocks[ObjectIdentifier(plan)] = Secrecy.BlockSecrecy(
      steps: found, outputs: outputs, outputRanges: outputRanges, next: next)
    if plan.block.outputs != nil {
      return Taint(members: Self.members(zip(fields.map(\.name), outputs)))
    }
    if plan.block.isChoice { return found.reduce(.none) { $0.union($1.values) } }
    return Taint(members: Self.members(zip(plan.steps.map(\.step.id.value), found.map(\.values))))
  }

  private func analyse(
    _ plan: StepPlan, _ key: StepKey, items: [Taint]
  ) -> Secrecy.StepSecrecy {
    let step = plan.step
    let outside = Reader(reads: plan.reads, items: items, own: .none, analysis: self)
    let item = taint(ofItemsOf: plan, outside)
    let firsts = step.pageValues.compactMap(\.first)
    let reader = Reader(
      reads: plan.reads, items: items, own: item,
      pages: firsts.allSatisfy { outside.taint(of: $0).isNone } ? .none : .whole, analysis: self)
    let uses = step.iterationUses + step.uses
    let secretRanges = Set(uses.filter { !reader.taint(of: $0.query).isNone }.map(\.range))
    var values: Taint
    switch step.action {
    case .request(let request):
      let path = request.save.map { save in
        save.value.references.contains { !reader.taint(of: $0.query).isNone }
      }
      values = Taint(
        members: Self.members(
          request.extract.map { extractor in
            if extractor.isSecret { return (extractor.name, .whole) }
            guard case .value(let data) = extractor.source else { return (extractor.name, .none) }
            return (extractor.name, reader.taint(of: data))
          } + (path == true ? [("path", .whole)] : [])))
    case .values(let fields):
      values = Taint(
        members: Self.members(fields.map { ($0.name, reader.taint(of: $0.value)) }))
    case .block:
      values = plan.inner.map { analyse($0, items: items + [item]) } ?? .none
    case .call(let call):
      values = .none
      if let callee = plan.callee {
        let given = Taint(
          members: Self.members(call.inputs.map { ($0.name, reader.taint(of: $0.value)) }))
        let secrecy = Secrecy.of(callee, given: given, memory)
        calls[key] = secrecy
        values = secrecy.result
      }
    case .ask(let question):
      values = Taint(
        members: Self.members(question.answers.filter(\.isSecret).map { ($0.name, .whole) }))
    case .wait, .fail, .say:
      values = .none
    }
    let otherwise = Taint(
      members: Self.members(
        (step.otherwise ?? []).map { ($0.name, reader.taint(of: $0.value)) }))
    return Secrecy.StepSecrecy(values: values.union(otherwise), secretRanges: secretRanges)
  }

  /// The taint of an item of a step; of a round, by the names of what it carries.
  private func taint(ofItemsOf plan: StepPlan, _ outside: Reader) -> Taint {
    guard let rounds = plan.step.forEach?.rounds else {
      return plan.step.iterationUses.reduce(Taint.none) {
        $0.union(outside.taint(of: $1.query))
      }
    }
    let first = Taint(
      members: Self.members(
        rounds.carried.map { ($0.name, $0.first.map { outside.taint(of: $0) } ?? .none) }))
    return first.union(plan.inner.flatMap { carried[ObjectIdentifier($0)] } ?? .none)
  }

  private static func members(_ pairs: some Sequence<(String, Taint)>) -> [String: Taint] {
    Dictionary(pairs.map { ($0.0, $0.1) }, uniquingKeysWith: { $0.union($1) })
  }

  /// Looks up taints as one step sees them.
  private struct Reader {
    let reads: [Read]
    let items: [Taint]
    /// The taint of the step's own item.
    let own: Taint
    /// The taint of the values that pages hand on. A run keeps no secret that a response gives.
    var pages = Taint.none
    let analysis: SecrecyAnalysis

    func taint(of data: DataTemplate) -> Taint {
      // A value made of a secret is secret as a whole, unless it is that value itself.
      if let whole = data.wholeReference { return taint(of: whole) }
      return data.uses.allSatisfy { taint(of: $0.query).isNone } ? .none : .whole
    }

    func taint(of query: Query) -> Taint {
      query.firstNames.reduce(.none) { taint, name in
        guard let read = reads.first(where: { $0.name == name }) else { return taint }
        return taint.union(
          value(of: read.definition).selected(by: query.segments.dropFirst()))
      }
    }

    private func value(of definition: Definition) -> Taint {
      switch definition {
      case .inputs: analysis.inputs
      // No secret is ever kept.
      case .run, .state, .itemIndex: .none
      case .pageValue: pages
      case .step(let level, let index):
        analysis.around[analysis.around.count - 1 - level][index]
      case .item(let level):
        level == 0 ? own : items[items.count - level]
      case .carried(let level, let name):
        (level == 0 ? own : items[items.count - level]).member(name)
      }
    }
  }
}
