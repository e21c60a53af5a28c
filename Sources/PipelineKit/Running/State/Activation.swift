internal import Workflows

/// A step at work: all of its items, or the one thing that it does.
///
/// A class, since it is changed at every item; its frame owns it.
final class Activation {
  let label: StepLabel
  let shared: Scope.Shared
  let begun: Duration
  /// The most items at once.
  let concurrency: Int
  /// The items of a collection.
  var items: Items?
  /// The passes through the block or the file that the step stands for, by item.
  var frames: [Int: Frame] = [:]
  /// The rows of a collection.
  var rows: RowStore
  /// Items, or the one thing, begun so far.
  var begunCount = 0
  var running = 0
  /// When it last started something, as a count of all that was started.
  var turn = 0
  var done = 0
  /// What failed in items whose work is done.
  var failed: FailedItems
  /// Whether the `otherwise` of an item failed: the step cannot recover.
  var hasFailedOtherwise = false
  /// Nothing further of this step begins.
  var isStopping = false
  /// Whether the step stands in a queue of ready work.
  var isQueued = true
  /// Whether each item is a secret of its own: a number between secret bounds.
  var hidesItems = false
  /// The bytes of the rows, or of the values, and of the failures that it keeps.
  var held = 0
  /// The values of a step that is no collection.
  var values: [UInt8]?
  /// What is missing of these.
  var gaps = Gaps.none
  /// The items that failed.
  var failedItems = PositionSet()
  /// The items that were skipped.
  var skippedItems = PositionSet()
  /// What is missing of the rows that the items are.
  var itemGaps: ItemGaps?
  var skipReason: String?

  init(
    label: StepLabel, shared: Scope.Shared, begun: Duration, items: Items?, concurrency: Int,
    isStreamed: Bool
  ) {
    self.label = label
    self.shared = shared
    self.begun = begun
    self.items = items
    self.concurrency = concurrency
    self.isStreamed = isStreamed
    failed = FailedItems(depth: label.path.count)
    rows = RowStore(keepsRows: !isStreamed)
  }

  /// Whether the rows are handed on one by one, and not kept.
  let isStreamed: Bool

  /// All rows, of which nothing stays behind.
  func takeRows() -> [Rows.Piece] {
    var rows = RowStore()
    swap(&rows, &self.rows)
    return rows.finish(count: total)
  }

  var total: Int { items?.count ?? 1 }
  var hasMore: Bool { begunCount < total && !isStopping }
  var isCollection: Bool { items != nil }
}

/// What one item came to.
enum ItemOutcome: Sendable {
  case values([UInt8])
  case skipped(String)
  case failed([StepFailure])
  case cancelled
}
