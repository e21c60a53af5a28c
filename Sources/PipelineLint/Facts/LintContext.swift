import PipelineByteText
import PipelineJSONText
import PipelineLanguage
import PipelinePlanning
import PipelineSourceText
import PipelineTemplates

/// A workflow as rules see it: every step listed with its parts, names resolved, static types
/// worked out.
///
/// Steps and blocks are references, because they are large and every rule uses them.
struct LintContext: Sendable {
  let workflow: Workflow
  /// Every block, each before its inner blocks. The first is the file's.
  let blocks: [LintBlock]
  /// Every step of every block, as written.
  let steps: [LintStep]
  /// The values, by their place in the document, that could not be read completely.
  let incomplete: Set<Int>
  /// The names in these parts.
  let unread: WrittenPaths
  /// The files that steps run, by path as written.
  let callees: [ExactText: LintedWorkflow]
  let inputs: ValueShape
  /// The inputs that are one of a few values, by name.
  let choices: [String: Input]
  /// The state as the steps of each block see it; empty if no items have state of their own.
  private let itemStates: [ValueShape]
  private let ownState: ValueShape
  /// The values that are known before a run.
  let known: KnownValues
  /// What is known of the bodies that steps read, by the numbers of the steps.
  private(set) var bodies: [Int: ValueShape] = [:]
  /// The known facts about each step, by its number in `steps`.
  var shapes: [StepShape] = []
  /// The shape of each use of each step, if known.
  private(set) var readings: [[Reading]] = []
  /// The shape of each of `endUses` of each block.
  private(set) var outputReadings: [[Reading]] = []
  /// The reads of each step.
  private(set) var usage = Usage()

  /// - Parameter bodies: What descriptions and recordings say of the bodies that steps read, by the
  ///   numbers of the steps. It is given the context before the values of steps are known.
  init(
    _ workflow: Workflow, incomplete: Set<Int> = [], callees: [ExactText: LintedWorkflow] = [:],
    bodies: (LintContext) -> [Int: ValueShape] = { _ in [:] }
  ) {
    self.workflow = workflow
    self.incomplete = incomplete
    unread = Self.unread(workflow, incomplete)
    self.callees = callees
    inputs = Self.shape(of: workflow.inputs)
    known = KnownValues(workflow.inputs)
    choices = Self.choices(of: workflow)
    ownState = Self.shape(of: workflow.state.filter { !$0.isOfItems }, in: workflow)
    let outline = Outline(Resolution.of(workflow))
    let blocks = outline.blocks.map { LintBlock($0) }
    self.blocks = blocks
    steps = mapInStretches(upTo: outline.steps.count) { number in
      LintStep(outline, number: number, incomplete)
    }
    let blockOf = steps.map(\.block)
    itemStates = Self.itemStates(of: blocks, blockOf, ownState, workflow)
    shapes = Array(repeating: StepShape(), count: steps.count)
    self.bodies = bodies(self)
    analyse(block: 0)
    let context = self
    // At once, since a step is far away once others were looked at.
    let (readings, marks) = mapInStretches(upTo: steps.count, gathering: Marks()) {
      number, marks in
      let step = context.steps[number]
      marks.add(step, context)
      let uses = step.uses
      return uses.indices.map { context.read(uses[$0], by: step) }
    }
    self.readings = readings
    outputReadings = blocks.enumerated().map { number, block in
      block.resolution.endUses.map { context.read($0, inOutputsOf: number) }
    }
    usage = Usage(self, marks)
  }

  /// The names in parts of the file that could not be read.
  private static func unread(_ workflow: Workflow, _ incomplete: Set<Int>) -> WrittenPaths {
    var paths = WrittenPaths()
    var end = 0
    // One part may be in another.
    for index in incomplete.sorted() where index < workflow.document.tape.count {
      let range = JSONNode(document: workflow.document, index: index).range
      guard range.upperBound > end else { continue }
      end = range.upperBound
      paths.add(workflow.document.bytes[range])
    }
    return paths
  }

  /// Whether a member of an object could not be read: it may say what seems to be missing.
  func hasUnread(in object: JSONNode) -> Bool {
    object.members.contains { incomplete.contains($0.value.index) }
  }

  /// Whether the value of a key could not be read.
  func isUnread(_ key: String, of object: JSONNode) -> Bool {
    object[key].map { incomplete.contains($0.index) } ?? false
  }

  /// Whether an extractor, or one of its options, could not be read.
  func isUnread(_ extractor: Extractor) -> Bool {
    incomplete.contains(extractor.node.index) || hasUnread(in: extractor.node)
  }

  /// Whether a step has another tool's name for `key`.
  func has(_ key: String, asOtherToolsCallIt step: Step) -> Bool {
    step.node.members.contains { member in
      incomplete.contains(member.value.index)
        && LanguageAliases.advice(on: member.name, in: .step)?.key == key
    }
  }

  /// The known shape of the workflow's outputs.
  var outputs: ValueShape {
    .object(
      ShapeMembers(
        (workflow.block.outputs ?? []).lazy.map { field in
          (field.name, shape(of: field.value) { read($0, inOutputsOf: 0) })
        }))
  }

  private static func shape(of state: [StateValue], in workflow: Workflow) -> ValueShape {
    .object(
      ShapeMembers(
        state.lazy.map { value in
          (value.name, (value.type?.shape ?? .present).absent(value.defaultValue == nil))
        }),
      // Nothing is known about a part that could not be read.
      isOpen: workflow.document.root["state"].map { $0.kind != .object } ?? workflow.state.isEmpty)
  }

  /// What each block sees: the state of the file, and that of the items around.
  ///
  /// - Parameter blockOf: The block of each step.
  private static func itemStates(
    of blocks: [LintBlock], _ blockOf: [Int], _ own: ValueShape, _ workflow: Workflow
  ) -> [ValueShape] {
    guard workflow.state.contains(where: \.isOfItems) else { return [] }
    var visible: [[StateValue]] = []
    let file = workflow.state.filter { !$0.isOfItems }
    for block in blocks {
      // A block comes after the one around it.
      let around = block.parent.map { visible[blockOf[$0]] } ?? file
      visible.append(around + block.resolution.block.itemState)
    }
    return visible.map { shape(of: $0, in: workflow) }
  }

  /// The state as the steps of a block see it.
  func state(in block: Int) -> ValueShape { itemStates.isEmpty ? ownState : itemStates[block] }

  /// Every state value, with the block whose steps its `next` reads.
  var stateValues: [(value: StateValue, block: Int)] {
    var values = workflow.state.filter { !$0.isOfItems }.map { ($0, 0) }
    guard !itemStates.isEmpty else { return values }
    for (number, block) in blocks.enumerated() {
      values += block.resolution.block.itemState.map { ($0, number) }
    }
    return values
  }

  /// The step for whose items a value is kept; `nil` if it is the file's.
  func owner(of value: StateValue) -> Step? {
    guard value.isOfItems else { return nil }
    return blocks.lazy.compactMap { block in
      block.resolution.block.itemState.contains { $0.nameRange == value.nameRange }
        ? block.parent : nil
    }.first.map { steps[$0].step }
  }

  /// The values of inputs, or of answers.
  static func shape(of inputs: [Input]) -> ValueShape {
    .object(
      ShapeMembers(
        inputs.lazy.map { input in
          let shape = input.type?.shape ?? .present
          let isOptional = input.isOptional && input.defaultValue == nil
          return (input.name, shape.absent(isOptional).secret(input.isSecret))
        }))
  }
}

/// The blocks and steps of a workflow, numbered.
private struct Outline: Sendable {
  private(set) var blocks: [BlockEntry] = []
  private(set) var steps: [StepEntry] = []

  struct BlockEntry: Sendable {
    let resolution: Resolution
    let parent: Int?
    var steps: [Int] = []
  }

  struct StepEntry: Sendable {
    let block: Int
    let index: Int
    let inner: Int?
  }

  init(_ resolution: Resolution) {
    steps.reserveCapacity(resolution.steps.count)
    add(resolution, parent: nil)
  }

  /// Adds a block and all that is in it.
  private mutating func add(_ resolution: Resolution, parent: Int?) {
    let number = blocks.count
    blocks.append(BlockEntry(resolution: resolution, parent: parent))
    var own: [Int] = []
    own.reserveCapacity(resolution.steps.count)
    // By number: to copy a step's part is to count its references.
    for index in resolution.steps.indices {
      let step = steps.count
      own.append(step)
      let inner = resolution.steps[index].inner
      steps.append(StepEntry(block: number, index: index, inner: inner == nil ? nil : blocks.count))
      if let inner { add(inner, parent: step) }
    }
    blocks[number].steps = own
  }
}

/// A block of a workflow that is linted.
final class LintBlock: Sendable {
  let resolution: Resolution
  /// The number of the step whose action the block is; `nil` for the file's.
  let parent: Int?
  /// The numbers of the block's steps, the `finally` steps after the others.
  let steps: [Int]
  /// The parts of the outputs, and of the next values of the state.
  let outputs: StepParts
  /// The definitions of the names that these begin with.
  let outputDefinitions: [String: Definition]

  fileprivate init(_ entry: Outline.BlockEntry) {
    resolution = entry.resolution
    parent = entry.parent
    steps = entry.steps
    outputs = StepParts(fields: (resolution.block.outputs ?? []) + resolution.block.next)
    outputDefinitions = Dictionary(
      resolution.endUses.compactMap { use in use.definition.map { (use.name, $0) } },
      uniquingKeysWith: { first, _ in first })
  }

  /// The number of steps before the `finally` steps.
  var mainCount: Int { resolution.block.steps.count }
}

/// A step of a workflow that is linted.
final class LintStep: Sendable {
  let step: Step
  /// The number of the step among all.
  let number: Int
  /// The reads of the step.
  let uses: [ResolvedUse]
  let parts: StepParts
  /// The number of the block that contains the step.
  let block: Int
  /// The number of the step in its block.
  let index: Int
  /// The number of the block that the step runs.
  let inner: Int?
  /// The request, if that is what the step does.
  let request: Request?
  /// The request and its look-up (`settle`), each with the object that it is written in.
  var requests: [(request: Request, node: JSONNode)] {
    guard let request else { return [] }
    return [(request, step.node)] + (request.settle.map { [($0.request, $0.step.node)] } ?? [])
  }

  /// Whether each member of the step, and of the objects in it, could be read.
  let isWhole: Bool

  /// The values of one pass, if they depend on no other step.
  let ownRow: ValueShape?

  /// The definitions of the names that the step reads, if they are many.
  private let definitions: [String: Definition]

  fileprivate init(_ outline: Outline, number: Int, _ incomplete: Set<Int>) {
    let entry = outline.steps[number]
    let part = outline.blocks[entry.block].resolution.steps[entry.index]
    step = part.step
    self.number = number
    if case .request(let request) = step.action {
      self.request = request
    } else {
      request = nil
    }
    uses = part.uses
    block = entry.block
    index = entry.index
    inner = entry.inner
    parts = StepParts(step)
    isWhole = incomplete.isEmpty || Self.isWhole(step.node, incomplete)
    ownRow = LintContext.ownRow(of: step, incomplete)
    definitions =
      uses.count <= Self.fewUses
      ? [:]
      : Dictionary(
        uses.compactMap { use in use.definition.map { (use.name, $0) } },
        uniquingKeysWith: { first, _ in first })
  }

  private static func isWhole(_ node: JSONNode, _ incomplete: Set<Int>) -> Bool {
    !incomplete.contains(node.index)
      && node.members.allSatisfy { member in
        !incomplete.contains(member.value.index)
          && member.value.members.allSatisfy { !incomplete.contains($0.value.index) }
      }
  }

  /// Searching this number takes less time than making a table.
  private static let fewUses = 12

  /// What `name` stands for in the step; `nil` if the step reads no such thing.
  func definition(of name: String) -> Definition? {
    if uses.count > Self.fewUses { return definitions[name] }
    for use in uses where use.name == name {
      if let definition = use.definition { return definition }
    }
    return nil
  }
}

/// The known facts about a step before any run.
struct StepShape {
  /// The value under the step's id.
  var value = ValueShape.unknown
  /// The reads of the step's own expectations: the values of one pass, never skipped.
  var row = ValueShape.unknown
  /// The loop name; of rounds an object of what they carry.
  var item = ValueShape.unknown
  /// The number of passes that found more carried values than the one before.
  var growth = 0
  /// Whether the step may be skipped or have failed while others go on.
  var mayBeMissing = false
  /// Whether values of it may be absent because it, or a step inside it, was skipped or failed:
  /// whatever needs them is skipped then.
  var mayLackValues = false
}
