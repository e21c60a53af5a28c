internal import ByteText
internal import JSONText
internal import Workflows

/// One pass through the steps of a block: the file's own, a called file's, or an item's.
///
/// A class, since it is changed at every event and reached from its steps; one `RunState` owns it.
final class Frame {
  enum Phase {
    case main
    /// The steps have ended; those of `finally` run.
    case finally
  }

  /// What does not change while the pass goes on, for the tasks that work for it.
  final class Context: Sendable {
    let plan: Plan
    /// What of the file holds secrets, given the inputs it was called with.
    let secrecy: Secrecy
    /// What responses decide of where the file's requests go, given the inputs it was called with.
    let provenance: Provenance
    /// The called files around, outermost first; the run's own file is none of them.
    let callers: [Plan]
    let block: BlockPlan
    /// The run's files, as the file of the block names them.
    let files: any FileAccess
    let inputs: ScopeValue
    /// What the last run left; `nil` in a called file.
    let state: ScopeValue?
    /// The loop names of the step around.
    let loop: Scope.Item?
    /// How events name the step around.
    let label: StepLabel?
    /// Whether this pass can stop while the run goes on.
    let isSelective: Bool
    /// Of the items around, in a run with a journal: units of equal items may stand for each other.
    let lineage: Fingerprint

    init(
      plan: Plan, secrecy: Secrecy, provenance: Provenance, callers: [Plan], block: BlockPlan,
      files: any FileAccess, inputs: ScopeValue, state: ScopeValue?, loop: Scope.Item?,
      label: StepLabel?, isSelective: Bool, lineage: Fingerprint = .none
    ) {
      self.plan = plan
      self.secrecy = secrecy
      self.provenance = provenance
      self.callers = callers
      self.files = files
      self.block = block
      self.inputs = inputs
      self.state = state
      self.loop = loop
      self.label = label
      self.isSelective = isSelective
      self.lineage = lineage
    }

    /// The lineage of a pass for an item of this one.
    func lineage(of item: Scope.Item?) -> Fingerprint {
      guard let item, lineage != .none else { return lineage }
      return SHA256.lineage(of: item.node, in: lineage)
    }

    func label(of step: Int) -> StepLabel {
      let id = block.steps[step].step.id.value
      guard let label else { return StepLabel(id: id, path: []) }
      return StepLabel(id: label.id + "." + id, path: label.path)
    }
  }

  /// In the order in which frames began.
  let number: Int
  let context: Context
  /// The step that this pass is for; `nil`: the run itself.
  let parent: StepPlace?
  /// The item's position in the parent's collection.
  let item: Int
  var phase = Phase.main
  /// How each step ended; `nil`: it has not.
  private(set) var endings: [StepEnding?]
  /// What others may read of the steps that have ended.
  private var values: StepValues
  /// What is missing of it.
  private var gaps: [Int: Gaps] = [:]
  /// What `values` steps read of each other.
  var kept: KeptValues
  /// The steps at work.
  var activations: [Activation?]
  /// Steps that nothing holds up and that nobody has looked at since.
  var freed: FreedSteps
  /// Steps of this phase that have not ended.
  var left: Int
  /// No further step of this phase starts.
  var isStopping = false
  /// Failures that make the whole pass fail.
  var failures: [StepFailure] = []
  /// `run` as the steps of this pass see it; `nil`: as those around see it.
  var runValue: ScopeValue?
  /// The bytes of the values that its steps have given.
  var held = 0
  /// Whether something from outside stopped the pass.
  var isCancelled = false
  /// Whether a unit of the pass, or of one inside, was carried out by this process.
  var hasActed = false
  /// Whether the pass cleans up, itself or around its step: what stops the run leaves it alone.
  var isCleanUp: Bool

  init(_ context: Context, number: Int, parent: StepPlace?, item: Int) {
    self.context = context
    self.number = number
    self.parent = parent
    self.item = item
    isCleanUp = parent?.frame.isCleanUp ?? false
    let count = context.block.steps.count
    kept = KeptValues(count: context.block.values.keptCount)
    endings = Array(repeating: nil, count: count)
    values = StepValues(of: count)
    activations = Array(repeating: nil, count: count)
    freed = FreedSteps(context.block.dependencyCounts)
    left = context.block.mainCount
  }

  /// About what a pass through a block takes, in bytes.
  static func size(of block: BlockPlan) -> Int { 1_024 + 512 * block.steps.count }

  /// The numbers of this phase's steps.
  var steps: Range<Int> {
    let block = context.block
    return phase == .main ? 0..<block.mainCount : block.mainCount..<block.steps.count
  }

  /// The pass fails, with these failures too.
  func fail(with more: [StepFailure]) {
    // A collection's failures may be very many: the first list is taken over, not copied.
    if failures.isEmpty { failures = more } else { failures += more }
  }

  /// Records how a step ended, and what others may read of it.
  func end(_ step: Int, _ kind: StepEnding.Kind, _ value: ScopeValue?, _ gaps: Gaps) {
    endings[step] = StepEnding(
      kind: kind, isReadable: value != nil, isWhole: value != nil && gaps.isNone)
    values.set(step, to: value)
    if !gaps.isNone { self.gaps[step] = gaps }
  }

  /// Records that a step succeeded, with values that our own writer made.
  func end(_ step: Int, joining text: [UInt8]) {
    endings[step] = StepEnding(kind: .succeeded, isReadable: true, isWhole: true)
    values.append(text, of: step)
  }

  /// What others may read of a step that has ended; `nil`: nothing.
  func value(of step: Int) -> ScopeValue? { values.value(of: step) }

  /// What is missing of a step's value.
  func gaps(of step: Int) -> Gaps {
    guard let ending = endings[step] else { return .none }
    if ending.isReadable { return ending.isWhole ? .none : gaps[step] ?? .none }
    let id = context.block.steps[step].step.id.value
    return .everywhere("step '\(id)' " + (ending.kind == .skipped ? "was skipped" : "failed"))
  }

  /// The frame that lies `levels` blocks further out.
  func outer(by levels: Int) -> Frame {
    var frame = self
    for _ in 0..<max(0, levels) {
      guard let parent = frame.parent else { return frame }
      frame = parent.frame
    }
    return frame
  }
}

extension Frame: Comparable {
  static func == (left: Frame, right: Frame) -> Bool { left === right }

  /// Whether `left` began first.
  static func < (left: Frame, right: Frame) -> Bool { left.number < right.number }
}

/// A step of a frame. Places are ordered as their frames began, then as written.
struct StepPlace: Comparable {
  let frame: Frame
  let step: Int

  var context: Frame.Context { frame.context }
  var plan: StepPlan { frame.context.block.steps[step] }
  /// The step's work, while it is under way.
  var activation: Activation? {
    get { frame.activations[step] }
    nonmutating set { frame.activations[step] = newValue }
  }

  static func == (left: StepPlace, right: StepPlace) -> Bool {
    left.frame === right.frame && left.step == right.step
  }

  static func < (left: StepPlace, right: StepPlace) -> Bool {
    left.frame === right.frame ? left.step < right.step : left.frame < right.frame
  }
}

/// How a step ended.
///
/// Three bytes: what very many steps are judged by is at hand.
struct StepEnding: Sendable {
  enum Kind: Sendable {
    case succeeded
    /// Some items failed; others may read the rows all the same.
    case collected
    case recovered
    case skipped
    case failed
    case cancelled
  }

  let kind: Kind
  /// Whether there is something that others may read.
  let isReadable: Bool
  /// Whether there is, and nothing of it is missing.
  let isWhole: Bool
}
