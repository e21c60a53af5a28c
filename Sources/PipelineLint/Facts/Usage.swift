import PipelineJSONPaths
import PipelineTemplates
import PipelineJSONText
import PipelineLanguage
import PipelinePlanning
import PipelineSourceText

/// The values of steps that are read at all.
struct Usage {
  /// For each step, whether something reads all of its values.
  private var whole: [Bool] = []
  /// For each step, whether something reads it at all.
  private var some: [Bool] = []
  /// The values that are read, and others that were asked for.
  private var values: Set<Value> = []
  /// The names in parts of the file that could not be read.
  private var unread = WrittenPaths()

  private struct Value: Hashable {
    let step: Int
    let name: String
  }

  init() {}

  /// The reads of a workflow whose steps' shapes are known.
  ///
  /// - Parameter marks: The reads of its steps, by stretches.
  init(_ context: LintContext, _ marks: [Marks]) {
    unread = context.unread
    whole = Array(repeating: false, count: context.steps.count)
    some = whole
    values.reserveCapacity(marks.reduce(0) { $0 + $1.reads.count })
    for marks in marks { take(marks) }
    var outputs = Marks()
    for (number, block) in context.blocks.enumerated() {
      for use in block.resolution.endUses { outputs.add(use, block: number, context) }
    }
    take(outputs)
    let all = (marks + [outputs]).lazy
    for (step, name) in all.map(\.missing).joined().prefix(Self.mostUnknown) {
      let meant = Spelling.nearest(to: name, among: context.shapes[step].row.memberNames)
      // Without a name near to it, any value may be the one that was meant.
      note(step, meant)
      for branch in context.branches(of: step) { note(branch, meant) }
    }
    let unknown = all.map(\.unknown).joined().prefix(Self.mostUnknown)
    for (query, block) in unknown { noteMeant(query, block: block, context) }
    // A block that returns all that its steps have, and is read as a whole, reads them as a whole.
    for number in whole.indices where whole[number] {
      guard let inner = context.steps[number].inner,
        context.blocks[inner].resolution.block.outputs == nil
      else { continue }
      for step in context.blocks[inner].steps { note(step) }
    }
  }

  /// Whether something reads all the values of a step.
  func isWhollyRead(_ step: Int) -> Bool { whole[step] }

  /// Whether something reads this value of a step, or a text that could not be read names it.
  func reads(_ name: String, of step: LintStep) -> Bool {
    some[step.number] && values.contains(Value(step: step.number, name: name))
      || unread.contains(step.step.id.value, name)
  }

  /// Whether something reads the step at all, or a text that could not be read names it.
  func reads(_ step: LintStep) -> Bool {
    some[step.number] || unread.contains(step.step.id.value)
  }

  /// Notes that a value of a step is read, or without a name all of them.
  private mutating func note(_ step: Int, _ name: String? = nil) {
    some[step] = true
    if let name { values.insert(Value(step: step, name: name)) } else { whole[step] = true }
  }

  private mutating func take(_ marks: Marks) {
    for (step, name) in marks.reads { note(step, name) }
  }

  /// More are not looked for: each is looked for among all steps.
  private static let mostUnknown = FindingBounds.advised

  /// Counts the step that a name was likely meant for as read: one mistake, one finding.
  private mutating func noteMeant(_ query: Query, block: Int, _ context: LintContext) {
    let steps = context.blocks[block].steps
    let ids = steps.map { context.steps[$0].step.id.value }
    for name in query.firstNames {
      if let meant = Spelling.nearest(to: name, among: ids), let index = ids.firstIndex(of: meant) {
        note(steps[index])
      }
      for step in steps where context.shapes[step].row.memberNames.contains(name) {
        note(step, name)
      }
    }
    // The value of a step that was renamed.
    if query.firstName != nil, let member = query.segments.dropFirst().lazy.compactMap(\.name).first
    {
      for step in steps where context.shapes[step].row.memberNames.contains(member) {
        note(step, member)
      }
    }
    // `steps.list.total`, or a step inside a block.
    let all = Set(query.segments.flatMap(\.names))
    for step in context.steps where all.contains(step.step.id.value) { note(step.number) }
  }
}

/// The reads of a stretch of the steps.
struct Marks: Sendable {
  /// Values of steps. Without a name, all of the step.
  private(set) var reads: [(step: Int, name: String?)] = []
  /// Names that stand for nothing, and the blocks whose steps read them.
  private(set) var unknown: [(query: Query, block: Int)] = []
  /// Values of steps that do not have them.
  private(set) var missing: [(step: Int, name: String)] = []

  mutating func add(_ step: LintStep, _ context: LintContext) {
    let uses = step.uses
    for number in uses.indices { add(uses[number], block: step.block, context) }
    // Values that the step itself judges count as read.
    if step.step.node["until"] != nil || step.step.forEach?.rounds != nil
      || step.step.expect.readsValues
      || step.request?.poll?.readsValues == true
    {
      reads.append((step.number, nil))
    }
  }

  mutating func add(_ use: ResolvedUse, block: Int, _ context: LintContext) {
    guard case .step(let level, let index)? = use.definition,
      let around = context.ancestor(of: block, level: level)
    else {
      // A name that is misspelt, or read from the wrong place, is one mistake.
      if use.definition == nil { unknown.append((use.use.query, block)) }
      return
    }
    var step = context.blocks[around].steps[index]
    let segments = use.use.query.segments
    var depth = 0
    while true {
      depth += 1
      // Which of the rows does not matter.
      while depth < segments.count, segments[depth].isOfRows { depth += 1 }
      guard depth < segments.count, segments[depth].reach == .child else {
        reads.append((step, nil))
        return
      }
      guard let name = segments[depth].name else {
        let names = segments[depth].names
        for name in names {
          add(name, of: step, context)
          addBranches(of: step, name, context)
        }
        if names.isEmpty { reads.append((step, nil)) }
        return
      }
      add(name, of: step, context)
      addBranches(of: step, name, context)
      if !context.shapes[step].row.mayHave(name) {
        // In `{{list.outputs.id}}` a word of another tool stands between.
        for name in segments[(depth + 1)...].flatMap(\.names) { reads.append((step, name)) }
      }
      guard let inner = context.steps[step].inner,
        context.blocks[inner].resolution.block.outputs == nil,
        let next = context.blocks[inner].resolution.step(named: name)
      else { return }
      step = context.blocks[inner].steps[next]
    }
  }

  /// A read of a choice is a read of each of its branches.
  private mutating func addBranches(of step: Int, _ name: String, _ context: LintContext) {
    guard let inner = context.steps[step].inner, context.blocks[inner].resolution.block.isChoice
    else { return }
    for branch in context.blocks[inner].steps {
      reads.append((branch, name))
      guard let block = context.steps[branch].inner,
        context.blocks[block].resolution.block.outputs == nil
      else { continue }
      if let next = context.blocks[block].resolution.step(named: name) {
        reads.append((context.blocks[block].steps[next], nil))
      }
    }
  }

  private mutating func add(_ name: String, of step: Int, _ context: LintContext) {
    reads.append((step, name))
    if !context.shapes[step].row.mayHave(name) { missing.append((step, name)) }
  }
}

extension LintContext {
  /// The branches of a choice.
  fileprivate func branches(of step: Int) -> [Int] {
    guard let inner = steps[step].inner, blocks[inner].resolution.block.isChoice else { return [] }
    return blocks[inner].steps
  }
}

extension Segment {
  /// Whether it selects rows by their place, whichever.
  fileprivate var isOfRows: Bool {
    reach == .child
      && selectors.allSatisfy { selector in
        switch selector.kind {
        case .index, .slice, .wildcard: true
        // A computed key may name any member.
        case .name, .filter, .key: false
        }
      }
  }
}
