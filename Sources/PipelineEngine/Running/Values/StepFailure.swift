public import PipelineSourceText

/// A failure and whose it is.
public struct StepFailure: Error, Sendable {
  /// The facts that the failures of a step share.
  private final class Origin: Sendable {
    let step: String
    let stepRange: Range<Int>
    let source: SourceFile
    let isOfFile: Bool

    init(step: String, stepRange: Range<Int>, source: SourceFile, isOfFile: Bool = false) {
      self.isOfFile = isOfFile
      self.step = step
      self.stepRange = stepRange
      self.source = source
    }

    func isLike(_ other: Origin) -> Bool {
      step == other.step && isOfFile == other.isOfFile && stepRange == other.stepRange
        && source.name == other.source.name
        && source.bytes == other.source.bytes
    }
  }

  private let origin: Origin
  /// The positions of the items of the blocks around, outermost first.
  public let path: [Int]
  /// The kind of failure.
  public let failure: FailureReason
  /// `item`; -1: none. There may be very many failures, and an optional takes twice the room.
  private let position: Int

  /// The item's number, from 0, if the step runs over a collection.
  public var item: Int? { position < 0 ? nil : position }
  /// The step's id. Inside blocks it follows the ids of these, joined with dots.
  public var step: String { origin.step }
  /// The whole step in its file, for a failure without a more exact place.
  public var stepRange: Range<Int> { origin.stepRange }
  /// The file that contains the step.
  public var source: SourceFile { origin.source }

  /// A failure of a step of `source`.
  public init(
    step: String, path: [Int], item: Int?, failure: FailureReason, stepRange: Range<Int>,
    source: SourceFile
  ) {
    origin = Origin(step: step, stepRange: stepRange, source: source)
    self.path = path
    self.failure = failure
    position = item ?? -1
  }

  /// A failure of a part of the file that belongs to no step: its `outputs`, `state` or `contracts`.
  init(of key: String, _ failure: FailureReason, at range: Range<Int>, in source: SourceFile) {
    origin = Origin(step: key, stepRange: range, source: source, isOfFile: true)
    path = []
    self.failure = failure
    position = -1
  }

  /// What has failed, for a message: `step 'list'`, or `outputs`.
  package var subject: String { origin.isOfFile ? step : "step '\(step)'" }

  private init(_ origin: Origin, _ failed: StepFailure, _ failure: FailureReason) {
    self.origin = origin
    self.failure = failure
    path = failed.path
    position = failed.position
  }

  /// The same step's failure in other words.
  func saying(_ failure: FailureReason) -> StepFailure { StepFailure(origin, self, failure) }

  /// The failure, with all that it has in common with another one held once, and the bytes of the
  /// texts that it has for itself.
  func sharing(with other: StepFailure?) -> (StepFailure, textSize: Int) {
    let (failure, textSize) = failure.sharing(with: other?.failure)
    guard let other, origin.isLike(other.origin) else { return (saying(failure), textSize) }
    return (StepFailure(other.origin, self, failure), textSize)
  }
}

extension StepFailure: CustomStringConvertible {
  /// The step, the item and the problem, as one phrase.
  public var description: String {
    subject + (item.map { " item \($0)" } ?? "") + " \(failure.message)"
  }
}
