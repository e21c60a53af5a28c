internal import PipelineJSONText
internal import PipelinePlanning
internal import Synchronization

/// A piece of work that needs a task: one request, or one wait, of one item.
///
/// A class, since it goes through many hands.
final class Unit: Sendable {
  /// Free for another unit as soon as this one is done.
  let id: Int
  /// A number that no other unit has.
  let serial: Int
  /// The pass that the step belongs to.
  let frame: FrameContext
  let step: Int
  /// The step's id after the ids of the blocks around it.
  let label: StepLabel
  let item: Int?
  let scope: Scope
  /// The scope that cancels the unit while the run continues; `nil` if nothing does.
  let token: CancellationToken?
  /// Whether the unit belongs to clean-up, which continues while the run stops.
  let isCleanUp: Bool
  /// The look-up that takes the place of the step; `nil` if the step itself is carried out.
  private let lookUp: StepPlan?
  private let hasActedFlag = Atomic<Bool>(false)

  /// Whether a request of it that must not be sent twice was carried out, or may have been.
  var mayHaveActed: Bool { hasActedFlag.load(ordering: .relaxed) }

  /// The positions of the items around it, outermost first, and its own.
  var place: [Int] {
    var place = label.path
    if let item { place.append(item) }
    return place
  }

  /// As people name it: `create[3]`.
  var name: String { UnitKey(step: label.id, place: place, digest: nil).name }

  func noteActed(_ hasActed: Bool) { hasActedFlag.store(hasActed, ordering: .relaxed) }

  init(
    id: Int, serial: Int, frame: FrameContext, step: Int, label: StepLabel, item: Int?,
    scope: Scope, isSelective: Bool, isCleanUp: Bool = false, lookUp: StepPlan? = nil
  ) {
    self.lookUp = lookUp
    self.id = id
    self.isCleanUp = isCleanUp
    self.serial = serial
    self.frame = frame
    self.step = step
    self.label = label
    self.item = item
    self.scope = scope
    token = isSelective ? CancellationToken() : nil
  }

  private init(_ unit: Unit, reading scope: Scope) {
    lookUp = unit.lookUp
    id = unit.id
    isCleanUp = unit.isCleanUp
    serial = unit.serial
    frame = unit.frame
    step = unit.step
    label = unit.label
    item = unit.item
    self.scope = scope
    token = unit.token
  }

  /// The same piece of work with other values.
  func reading(_ scope: Scope) -> Unit { Unit(self, reading: scope) }

  /// Whether the step is one of the run's own file, outside of blocks, and no collection.
  var isOnlyOne: Bool { frame.label == nil && frame.callers.isEmpty && item == nil }
  var stepPlan: StepPlan { lookUp ?? frame.block.steps[step] }
  /// Whether it looks up what became of an earlier request of the step.
  var isLookUp: Bool { lookUp != nil }
  /// The called files around, outermost first.
  var callers: [Plan] { frame.callers }
  /// The run's files, as the file of the step names them.
  var files: any FileAccess { frame.files }
  /// Where the step reads a secret; `nil` if nothing in its file is secret.
  var secretRanges: Set<Range<Int>>? { frame.secrecy.ranges(of: step, in: frame.block) }
  /// The influence of responses on the request's URL.
  var foreign: Provenance.Foreign { frame.provenance.foreign(step, in: frame.block) }
}

/// A unit that gives its slot back while it waits.
struct Parking: Sendable {
  let unit: Int
  let serial: Int

  init(_ unit: Unit) {
    self.unit = unit.id
    serial = unit.serial
  }
}

/// The outcome of a piece of work.
enum UnitOutcome: Sendable {
  /// The step's values: the text of a JSON object.
  case values([UInt8])
  case failed(FailureReason)
  case skipped(String)
  case cancelled
  /// No person is there to answer. The unit has not ended: the run waits.
  case waiting(RunQuestion)
}
