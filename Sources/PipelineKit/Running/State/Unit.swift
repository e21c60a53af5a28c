internal import JSONText
internal import Workflows

/// A piece of work that needs a task: one request, or one wait, of one item.
///
/// A class, since it goes through many hands.
final class Unit: Sendable {
  /// Free for another unit as soon as this one is done.
  let id: Int
  /// Of this unit alone.
  let serial: Int
  /// The pass that the step belongs to.
  let frame: Frame.Context
  let step: Int
  /// The step's id with those of the blocks around it.
  let label: StepLabel
  let item: Int?
  let scope: Scope
  /// What cancels the unit while the run goes on; `nil`: nothing does.
  let token: CancellationToken?
  /// Whether the unit belongs to clean-up, which goes on while the run stops.
  let isCleanUp: Bool

  init(
    id: Int, serial: Int, frame: Frame.Context, step: Int, label: StepLabel, item: Int?,
    scope: Scope, isSelective: Bool, isCleanUp: Bool = false
  ) {
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

  var stepPlan: StepPlan { frame.block.steps[step] }
  /// The called files around, outermost first.
  var callers: [Plan] { frame.callers }
  /// The run's files, as the file of the step names them.
  var files: any FileAccess { frame.files }
  /// Where the step reads a secret; `nil` where nothing in its file is secret.
  var secretRanges: Set<Range<Int>>? { frame.secrecy.ranges(of: step, in: frame.block) }
  /// What responses decide of where the request goes.
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

/// A step as events name it.
struct StepLabel: Sendable {
  /// The ids from outside, joined with dots.
  let id: String
  /// The positions of the items around, outermost first.
  let path: [Int]

  /// The label inside of an item.
  func item(_ position: Int?) -> StepLabel {
    guard let position else { return self }
    return StepLabel(id: id, path: path + [position])
  }
}

/// What a piece of work came to.
enum UnitOutcome: Sendable {
  /// The step's values: the text of a JSON object.
  case values([UInt8])
  case failed(Failure)
  case skipped(String)
  case cancelled
}

/// What a run does next.
enum Action: Sendable {
  case start(Unit)
  /// Stop these units; their outcomes still come in.
  case cancel([Unit])
  /// Stop all units started so far; units started later are not meant.
  case cancelAll
  case emit(RunEvent.Kind)
  /// Hand on this row of the run's one output.
  case row([UInt8])
  /// Say when the time of a frame, by its number, is over: a called file's, or that of a block's
  /// `finally` steps. It takes the place of the one that the frame has.
  case startTimer(frame: Int, Duration)
  /// The frame's time no longer matters.
  case stopTimer(frame: Int)
  /// The `finally` steps of the file begin.
  case beginFinally
  case finish(RunReport)

  /// What it says of an end came about so much later.
  mutating func end(later delay: Duration) {
    switch self {
    case .emit(.stepFinished(var event)):
      if case .skipped = event.outcome { return }
      event.duration += delay
      self = .emit(.stepFinished(event))
    case .finish(var report):
      report.duration += delay
      self = .finish(report)
    default: break
    }
  }
}
