import JSONPaths
import SourceText

/// Which values of which steps anything reads.
struct Usage {
  private var whole: Set<Int> = []
  private var names: [Int: Set<String>] = [:]

  init() {}

  init(_ context: LintContext) {
    for (number, step) in context.steps.enumerated() {
      for use in step.uses { note(use, block: step.block, context) }
      // What the step judges itself counts as read.
      for (condition, _) in step.parts.conditions where condition.value.text.contains("@.values") {
        whole.insert(number)
      }
    }
    for (number, block) in context.blocks.enumerated() {
      for use in block.resolution.outputUses { note(use, block: number, context) }
    }
    // A block that returns all that its steps have, and is read as a whole, reads them as a whole.
    for (number, step) in context.steps.enumerated() where whole.contains(number) {
      guard let inner = step.inner, context.blocks[inner].resolution.block.outputs == nil else {
        continue
      }
      whole.formUnion(context.blocks[inner].steps)
    }
  }

  /// Whether something reads all the values of a step.
  func isWhollyRead(_ step: Int) -> Bool { whole.contains(step) }

  /// Whether something reads this value of a step.
  func reads(_ name: String, of step: Int) -> Bool { names[step]?.contains(name) ?? false }

  /// Whether something reads the step at all.
  func reads(_ step: Int) -> Bool { whole.contains(step) || names[step] != nil }

  private mutating func note(_ use: ResolvedUse, block: Int, _ context: LintContext) {
    guard case .step(let level, let index)? = use.definition,
      let around = context.ancestor(of: block, level: level)
    else {
      if use.outcome == .unknown { noteMeant(use.name, block: block, context) }
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
        whole.insert(step)
        return
      }
      names[step, default: []].formUnion(first.names)
      if let unknown = first.names.first(where: { !context.shapes[step].row.mayHave($0) }) {
        let known = context.shapes[step].row.memberNames
        if let meant = Spelling.nearest(to: unknown, among: known) {
          names[step]?.insert(meant)
        }
      }
      guard first.names.count == 1, let inner = context.steps[step].inner,
        context.blocks[inner].resolution.block.outputs == nil,
        let next = context.blocks[inner].steps.first(where: {
          context.steps[$0].step.id.value == first.names[0]
        })
      else { return }
      step = next
    }
  }

  /// Counts the step that a misspelt name was likely meant for as read: one mistake, one finding.
  private mutating func noteMeant(_ name: String, block: Int, _ context: LintContext) {
    let steps = context.blocks[block].steps
    let ids = steps.map { context.steps[$0].step.id.value }
    if let meant = Spelling.nearest(to: name, among: ids), let index = ids.firstIndex(of: meant) {
      whole.insert(steps[index])
    }
    for step in steps where context.shapes[step].row.memberNames.contains(name) {
      names[step, default: []].insert(name)
    }
  }
}

extension Segment {
  /// The names that the segment selects; empty where it selects anything else as well.
  var names: [String] {
    let names = selectors.compactMap { selector in
      if case .name(let name) = selector.kind { name.text } else { nil as String? }
    }
    return names.count == selectors.count && reach == .child ? names : []
  }
}

extension Selector {
  fileprivate var isFilter: Bool {
    if case .filter = kind { true } else { false }
  }
}
