internal import PipelineJSONText
internal import PipelineLanguage

/// A step at work: all of its items, or its single action.
///
/// Its states, and the functions on the edges between them:
///
/// ```
///            enterQueue
///      ┌──────────────────► ready     An item may begin, and the step is in a queue of `Slots`.
///   busy ◄──────────────────  │
///      │      leaveQueue      │
///      │ stop                 │ stop
///      └────────► stopping ◄──┘       Nothing further begins.
/// ```
///
/// It begins as `busy`. `beginNext` and `endItem` count what runs, and leave the state as it is.
/// When `isDone`, `RunState.concludeStep` removes it, whatever the state.
struct Activation {
  enum State {
    /// It has items to start, and is in a queue of ready work.
    case ready
    /// All items have begun, or as many as may run at once. The next end may make it ready.
    case busy
    /// It failed or was stopped. Nothing further begins, and running units are cancelled.
    case stopping
  }

  /// The part that only a step with items has.
  struct Collection {
    var items: Items
    /// Items that have not begun, once something has asked for them.
    private var remaining: RemainingItems?
    /// The items that this process looks at.
    let shard: RunPart.Shard
    /// The gaps of the rows that the items are.
    let itemGaps: ItemGaps?
    /// Whether each item is itself a secret: a number between secret bounds.
    let hidesItems: Bool
    /// The destination of the rows.
    let rowUse: RowUse
    var rows: RowStore
    var failed = PositionSet()
    var skipped = PositionSet()
    /// What the last round left, for the values of the next one.
    var carry: Scope?
    /// Whether this process carried out something of the last round.
    var hasActed = false
    /// Whether a rehearsal does not know what the last round left.
    var isUnknown = false
    /// How many bytes the values of the round under way take.
    var carriedSize = 0

    init(
      _ items: Items, in shard: RunPart.Shard, gaps: ItemGaps?, hidesItems: Bool, rowUse: RowUse
    ) {
      self.items = items
      self.shard = shard
      itemGaps = gaps
      self.hidesItems = hidesItems
      self.rowUse = rowUse
      rows = RowStore(rowUse, in: shard)
    }

    /// How many items with each fingerprint have not begun.
    mutating func remainingItems(_ fingerprint: (JSONNode) -> Fingerprint) -> [Fingerprint: Int] {
      if remaining == nil { remaining = RemainingItems(of: items, fingerprint) }
      remaining?.advance(to: items)
      return remaining?.counts ?? [:]
    }

    /// All rows as a value of the scope, which leaves none here; `nil` if they were handed on.
    mutating func takeValue(error: CollectedError?) -> ScopeValue? {
      if rowUse == .handedOn { return nil }
      var all = RowStore()
      swap(&all, &rows)
      return ScopeValue(rows: all.finish(count: items.count), count: items.count, error: error)
    }

    /// The gaps of the rows.
    func gaps(of step: Step) -> Gaps {
      failed.isEmpty && skipped.isEmpty
        ? .none
        : .rows(RowGaps(step: step, failed: failed, skipped: skipped, count: items.count))
    }
  }

  let label: StepLabel
  let shared: Scope.Shared
  let begun: Duration
  /// How many items may run at once.
  private let concurrency: Int
  private(set) var state = State.busy
  /// `nil` if the step does one thing.
  var collection: Collection?
  /// What becomes of the collection's rows.
  let rowUse: RowUse?
  /// The passes through the block or the file that the step stands for, by item.
  var frames: [Int: FrameID] = [:]
  /// The position of the next item, or of the single action.
  private var position: Int
  private(set) var running = 0
  private(set) var done = 0
  /// When it last started something, as a count of all that was started.
  private(set) var lastStart = 0
  /// The number of the news with which it last entered a queue.
  private(set) var queuedWith = 0
  /// The item whose end let it do so; `nil` if the step had begun.
  private(set) var queuedAfter: Int?
  /// Failures in items whose work is done.
  var failed: FailedItems
  /// Whether the `otherwise` of an item failed: the step cannot recover.
  var hasFailedOtherwise = false
  /// The bytes of the rows, or of the values, and of the failures that it keeps.
  var held = 0
  /// What its items leave to the next run.
  var leftState: [LeftState] = []
  /// The values of a step that is not a collection.
  var values: [UInt8]?
  /// The gaps of these.
  var gaps = Gaps.none
  /// Why the single action was skipped.
  private(set) var skipReason: String?

  init(
    label: StepLabel, shared: Scope.Shared, begun: Duration, concurrency: Int,
    collection: Collection? = nil
  ) {
    self.label = label
    self.shared = shared
    self.begun = begun
    self.concurrency = concurrency
    self.collection = collection
    position = collection?.shard.first ?? 0
    rowUse = collection?.rowUse
    failed = FailedItems(depth: label.path.count)
  }

  /// No step at work.
  static let vacant = Activation(
    label: StepLabel(id: "", path: []), shared: Scope.Shared(reads: [], values: []), begun: .zero,
    concurrency: 1)

  var isStopping: Bool { state == .stopping }
  var isCollection: Bool { collection != nil }
  /// The number of items, also those that other processes look at.
  private var total: Int { collection?.items.count ?? 1 }
  /// How many items it has.
  var ownTotal: Int { collection.map { $0.shard.count(of: $0.items.count) } ?? 1 }
  /// The number of items that have begun, if this process looks at all items of the collection.
  var begunCount: Int { position }
  var hasMore: Bool { position < total && !isStopping }
  /// Whether everything that has begun is done and nothing further begins.
  var isDone: Bool { running == 0 && !hasMore }
  /// Whether it must be put in a queue to go on.
  var mustBeQueued: Bool { state == .busy && hasMore && running < concurrency }

  mutating func enterQueue(with news: Int, after item: Int?) {
    queuedWith = news
    queuedAfter = item
    if state == .busy { state = .ready }
  }

  mutating func leaveQueue() { if state == .ready { state = .busy } }

  mutating func stop() { state = .stopping }

  /// There are no further items.
  mutating func endEarly() { collection?.items.end(after: position) }

  /// The next item, or the single action, begins. Returns its position.
  ///
  /// - Parameter start: The number of starts, with this one.
  mutating func beginNext(_ start: Int) -> Int {
    defer { position += collection?.shard.count ?? 1 }
    lastStart = start
    running += 1
    return position
  }

  /// Whether the activation stays in its queue after an item has begun.
  var staysQueued: Bool { hasMore && running < concurrency }

  /// The next item of a collection.
  ///
  /// - Parameters:
  ///   - others: Receives the items before it that other processes carry out; `nil` if they are not
  ///     needed.
  ///   - hide: Is called with an item that is a secret.
  mutating func nextItem(
    _ names: (item: String, index: String?), at position: Int, after others: inout [Scope.Item]?,
    hide: (JSONNode) -> Void
  ) -> Scope.Item? {
    guard let shard = collection?.shard else { return nil }
    let foreign = position == shard.first ? shard.first : shard.count - 1
    if others == nil {
      collection?.items.skip(foreign)
    } else {
      for number in position - foreign..<position {
        guard let node = collection?.items.next() else { return nil }
        others?.append(item(names, node, at: number))
      }
    }
    guard let node = collection?.items.next() else { return nil }
    if collection?.hidesItems == true { hide(node) }
    return item(names, node, at: position)
  }

  private func item(
    _ names: (item: String, index: String?), _ node: JSONNode, at position: Int
  ) -> Scope.Item {
    Scope.Item(
      name: names.item, indexName: names.index, index: position, node: node,
      gaps: collection?.itemGaps?.gaps(of: node, at: position) ?? .none)
  }

  /// Why its next item could not be read; `nil` if it could.
  var itemProblem: FileError? { collection?.items.problem }

  /// An item is no longer running.
  mutating func endItem() { running -= 1 }

  /// An item that was not cancelled is done.
  mutating func countDone() { done += 1 }

  mutating func skip(_ position: Int, _ reason: String) {
    skipReason = reason
    collection?.skipped.insert(position)
  }
}

/// The outcome of one item.
enum ItemOutcome: Sendable {
  case values([UInt8])
  case skipped(String)
  case failed([StepFailure])
  case cancelled
}
