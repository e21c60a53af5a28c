internal import PipelineJSONText
internal import PipelineLanguage
internal import PipelinePlanning

/// One pass through the steps of a block: the file's own, a called file's, or an item's.
///
/// Its states, and the functions on the edges between them:
///
/// ```
///                    stop
///   running(main) ─────────► stopping(main)
///      │      │                │      │
///      │      │  beginFinally  │      │   The phase has no step left
///      │      └───────┬────────┘      │   (`hasEndedPhase`).
///      │              ▼               │
///      │       running(finally) ───► stopping(finally)
///      │              │        stop   │
///      └──────────┐   │   ┌───────────┘   A block without `finally` steps
///        conclude ▼   ▼   ▼ conclude      concludes from its main phase.
///                 concluded
/// ```
///
/// `RunState.conclude` takes the edges down, once for each phase that has ended. Those who stop
/// a frame are a failed step, `Frame.cancel` of a frame around it, and the stop of the run, which
/// leaves a frame alone that cleans up (`isCleanUp`). A frame of an item is removed instead of
/// concluded, because its step has the outcome.
struct Frame {
  enum Phase {
    case main
    /// The main steps have ended, and the `finally` steps run.
    case finally
  }

  enum State {
    /// A step of the phase starts as soon as the steps that it follows have ended.
    case running(Phase)
    /// Something failed or was stopped. No further step of the phase starts, and steps at work are
    /// cancelled. The next phase may still follow.
    case stopping(Phase)
    /// The last phase has ended, and the step around has the outcome.
    case concluded
  }

  /// The result of the pass so far.
  enum Verdict {
    case good
    /// Something outside stopped the pass, and nothing in it failed.
    case cancelled
    /// These failures make the whole pass fail. They come before a cancellation.
    case failed([StepFailure])

    var failures: [StepFailure] { if case .failed(let failures) = self { failures } else { [] } }
    var isGood: Bool { if case .good = self { true } else { false } }
  }

  let id: FrameID
  let context: FrameContext
  /// The step that this pass is for; `nil` for the run itself.
  let parent: StepPlace?
  /// The item's position in the parent's collection.
  let item: Int
  /// Whether the pass is part of the clean-up of a frame around it.
  private let isInsideCleanUp: Bool
  private(set) var state = State.running(.main)
  private(set) var verdict = Verdict.good
  /// How far each step has come.
  private(set) var steps: [StepStatus]
  /// Steps of this phase that have not ended.
  private(set) var left: Int
  /// The values of ended steps that others may read.
  var values: ValueTable
  /// Its gaps.
  private var gaps: [Int: Gaps] = [:]
  /// Steps that became ready and were not looked at since.
  var freed: FreedSteps
  /// `run` as the steps of this pass see it; `nil` if it is that of the steps around.
  var runValue: ScopeValue?
  /// The bytes of the values that its steps have given.
  var held = 0
  /// What items inside the pass leave to the next run if the pass ends well.
  var leftState: [LeftState] = []
  /// The branch of a choice that is carried out.
  var chosen: Int?
  /// Whether this process, and no earlier one, carried out a unit of the pass or of one inside.
  var hasActed = false
  /// The number of the attempt, from 1.
  let attempt: Int
  /// Whether its steps wait until a pause is over.
  var isWaiting = false
  /// How long it may take after that.
  var deadline: Duration?
  /// Whether something that a later process would take was recorded of the pass.
  var hasRecords = false
  /// Whether a rehearsal left out a unit of the pass.
  var isUnknown = false
  /// The path of a step of the pass whose request must not be sent twice and was carried out, or may
  /// have been.
  var carriedOut: String?

  init(
    _ context: FrameContext, id: FrameID, parent: StepPlace?, item: Int, isInsideCleanUp: Bool,
    attempt: Int = 1
  ) {
    self.attempt = attempt
    self.context = context
    self.id = id
    self.parent = parent
    self.item = item
    self.isInsideCleanUp = isInsideCleanUp
    let block = context.block
    steps = Array(repeating: .open, count: block.steps.count)
    values = ValueTable(stepCount: block.steps.count, keptCount: block.values.keptCount)
    freed = FreedSteps(block.dependencyCounts)
    left = block.mainCount
  }

  /// No pass: it keeps nothing but a context that others keep, too.
  init(vacantWith context: FrameContext) {
    self.context = context
    attempt = 0
    id = FrameID(slot: -1, number: -1)
    parent = nil
    item = 0
    isInsideCleanUp = false
    state = .concluded
    steps = []
    values = ValueTable()
    freed = FreedSteps([])
    left = 0
  }

  /// About what a pass through a block takes, in bytes.
  static func size(of block: BlockPlan) -> Int { 1_024 + 512 * block.steps.count }

  // MARK: The pass

  var phase: Phase {
    switch state {
    case .running(let phase), .stopping(let phase): phase
    case .concluded: .finally
    }
  }

  var isStopping: Bool { if case .stopping = state { true } else { false } }

  /// Whether the phase has no step left, and nothing has followed from that yet.
  var hasEndedPhase: Bool { if case .concluded = state { false } else { left == 0 } }

  /// Whether the pass cleans up, itself or around its step. A stop of the run leaves it alone.
  var isCleanUp: Bool { isInsideCleanUp || phase == .finally }

  /// The numbers of this phase's steps.
  var phaseSteps: Range<Int> {
    let block = context.block
    return phase == .main ? 0..<block.mainCount : block.mainCount..<block.steps.count
  }

  /// No further step of the phase starts.
  mutating func stop() { state = .stopping(phase) }

  /// The main steps have ended, and the `finally` steps begin.
  mutating func beginFinally() {
    state = .running(.finally)
    left = phaseSteps.count
  }

  mutating func conclude() { state = .concluded }

  /// Something outside stops the pass.
  mutating func cancel() {
    if case .good = verdict { verdict = .cancelled }
  }

  /// The pass fails, with these failures too.
  mutating func fail(with more: [StepFailure]) {
    guard !more.isEmpty else { return }
    var failures = verdict.failures
    // A collection may have very many: the first list is taken over, and the list grows in place.
    verdict = .good
    if failures.isEmpty { failures = more } else { failures += more }
    verdict = .failed(failures)
  }

  // MARK: Steps

  func place(of step: Int) -> StepPlace { StepPlace(frame: id, context: context, step: step) }

  /// Marks a step as running, or as no longer running.
  mutating func setActivation(_ number: Int?, of step: Int) {
    steps[step] = number.map { .atWork(Int32(clamping: $0)) } ?? .open
  }

  /// Records the end of a step, and the values that others may read.
  mutating func end(_ step: Int, _ kind: StepEnding.Kind, _ value: ScopeValue?, _ gaps: Gaps) {
    let isReadable = value != nil
    steps[step] = .ended(
      StepEnding(kind: kind, isReadable: isReadable, isWhole: isReadable && gaps.isNone))
    left -= 1
    values.set(step, to: value)
    if !gaps.isNone { self.gaps[step] = gaps }
  }

  /// Records that a step succeeded, with values that our own writer made.
  mutating func end(_ step: Int, joining text: [UInt8]) {
    steps[step] = .ended(StepEnding(kind: .succeeded, isReadable: true, isWhole: true))
    left -= 1
    values.append(text, of: step)
  }

  /// The gaps of a step's value.
  func gaps(of step: Int) -> Gaps {
    guard let ending = steps[step].ending else { return .none }
    if ending.isReadable { return ending.isWhole ? .none : gaps[step] ?? .none }
    let id = context.block.steps[step].step.id.value
    return .everywhere("step '\(id)' " + (ending.kind == .skipped ? "was skipped" : "failed"))
  }
}
