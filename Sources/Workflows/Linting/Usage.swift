import JSONPaths
import SourceText

/// Which values of which steps anything reads.
struct Usage {
  /// For each step, whether something reads all of its values.
  private var whole: [Bool] = []
  /// For each step the names of its values that are read, and of others that were asked for.
  private var names: [Set<String>] = []

  /// Names that stand for nothing, and the blocks whose steps read them.
  private var unknown: [(query: Query, block: Int)] = []

  init(stepCount: Int = 0) {
    whole = Array(repeating: false, count: stepCount)
    names = Array(repeating: [], count: stepCount)
  }

  /// Notes what a step reads; the shapes of what it reads are known.
  mutating func note(_ step: LintStep, _ context: LintContext) {
    for index in step.uses.indices { note(step.uses[index], block: step.block, context) }
    // What the step judges itself counts as read.
    if !step.step.expect.checks.isEmpty,
      step.parts.conditions.contains(where: { $0.walk.queries.contains(where: \.readsValues) })
    {
      whole[step.number] = true
    }
  }

  /// Notes what outputs read, and what follows from all that was noted.
  mutating func finish(_ context: LintContext) {
    for (number, block) in context.blocks.enumerated() {
      for use in block.resolution.outputUses { note(use, block: number, context) }
    }
    for (query, block) in unknown { noteMeant(query, block: block, context) }
    // A block that returns all that its steps have, and is read as a whole, reads them as a whole.
    for number in whole.indices where whole[number] {
      guard let inner = context.steps[number].inner,
        context.blocks[inner].resolution.block.outputs == nil
      else { continue }
      for step in context.blocks[inner].steps { whole[step] = true }
    }
  }

  /// Whether something reads all the values of a step.
  func isWhollyRead(_ step: Int) -> Bool { whole[step] }

  /// Whether something reads this value of a step.
  func reads(_ name: String, of step: Int) -> Bool { names[step].contains(name) }

  /// Whether something reads the step at all.
  func reads(_ step: Int) -> Bool { whole[step] || !names[step].isEmpty }

  private mutating func note(_ use: ResolvedUse, block: Int, _ context: LintContext) {
    guard case .step(let level, let index)? = use.definition,
      let around = context.ancestor(of: block, level: level)
    else {
      // A name that is misspelt, or read from the wrong place, is one mistake.
      if use.definition == nil, unknown.count < Self.mostUnknown {
        unknown.append((use.use.query, block))
      }
      return
    }
    var step = context.blocks[around].steps[index]
    var segments = use.use.query.segments.dropFirst()
    while true {
      // Which of the rows does not matter.
      while let first = segments.first, first.reach == .child, first.names.isEmpty,
        !first.selectors.contains(where: \.isFilter)
      {
        segments.removeFirst()
      }
      guard let first = segments.popFirst(), first.reach == .child, !first.names.isEmpty else {
        whole[step] = true
        return
      }
      for name in first.names { names[step].insert(name) }
      if let unknown = first.names.first(where: { !context.shapes[step].row.mayHave($0) }) {
        let known = context.shapes[step].row.memberNames
        if let meant = Spelling.nearest(to: unknown, among: known) {
          names[step].insert(meant)
        }
      }
      guard first.names.count == 1, let inner = context.steps[step].inner,
        context.blocks[inner].resolution.block.outputs == nil,
        let next = context.blocks[inner].positions[first.names[0]]
      else { return }
      step = context.blocks[inner].steps[next]
    }
  }

  /// More are not looked for: each is looked for among all steps.
  private static let mostUnknown = 100

  /// Counts the step that a name was likely meant for as read: one mistake, one finding.
  private mutating func noteMeant(_ query: Query, block: Int, _ context: LintContext) {
    let steps = context.blocks[block].steps
    let ids = steps.map { context.steps[$0].step.id.value }
    for name in query.firstNames {
      if let meant = Spelling.nearest(to: name, among: ids), let index = ids.firstIndex(of: meant) {
        whole[steps[index]] = true
      }
      for step in steps where context.shapes[step].row.memberNames.contains(name) {
        names[step].insert(name)
      }
    }
    // `steps.list.total`, or a step inside of a block.
    let all = Set(query.segments.flatMap(\.names))
    for step in context.steps where all.contains(step.step.id.value) { whole[step.number] = true }
  }
}

extension Query {
  /// Whether it is `@.values…`.
  fileprivate var readsValues: Bool { anchor == .current && firstNames == ["values"] }
}

extension Selector {
  fileprivate var isFilter: Bool {
    if case .filter = kind { true } else { false }
  }
}
