internal import PipelineLanguage
internal import PipelinePlanning

/// The right to have a request in flight, and the steps that wait for their turn to start something.
struct Slots {
  /// How many requests may be in flight.
  let limit: Int
  private(set) var taken = 0
  /// Units that gave their slot back for a while.
  private var parkedCount = 0
  /// Ready steps whose work takes a slot.
  private var readyRequests = Heap<ReadyStep>()
  /// Ready steps whose work takes none.
  private var readyOthers = Heap<ReadyStep>()
  /// Ready steps of the same kind that wait while very many passes are under way.
  private var readyInner = Heap<InnerStep>()
  /// Items, or single actions of steps, started so far.
  private var startCount = 0
  /// Whether nothing further starts, until the run is resumed.
  var isPaused = false

  /// The maximum number of units that give back their slots while they wait. Each of them is a task
  /// with its request.
  private static let mostParked = 1_000

  init(limit: Int) {
    self.limit = max(1, limit)
  }

  // MARK: Slots

  mutating func take(_ slot: UnitTable.Running.Slot) { change(slot, by: 1) }

  mutating func giveBack(_ slot: UnitTable.Running.Slot) { change(slot, by: -1) }

  private mutating func change(_ slot: UnitTable.Running.Slot, by count: Int) {
    switch slot {
    case .taken: taken += count
    case .parked: parkedCount += count
    case .none: break
    }
  }

  /// Whether one more unit may wait without its slot.
  var mayPark: Bool { parkedCount < Self.mostParked }

  // MARK: Ready steps

  /// - Parameter isCrowded: Whether enough passes are under way that the latest come first.
  mutating func enqueue(_ ready: ReadyStep, isCrowded: Bool) {
    if ready.place.plan.request != nil {
      readyRequests.insert(ready)
    } else if isCrowded {
      readyInner.insert(InnerStep(ready: ready))
    } else {
      readyOthers.insert(ready)
    }
  }

  /// Whether `next` gives a step.
  var hasReady: Bool {
    if isPaused { return false }
    return !readyOthers.isEmpty || !readyInner.isEmpty || taken < limit && !readyRequests.isEmpty
  }

  /// The step that starts something next, taken out of its queue, and that queue.
  mutating func next(isCrowded: Bool) -> (step: ReadyStep, queue: Queue)? {
    if !readyInner.isEmpty, isCrowded || readyOthers.isEmpty {
      return readyInner.removeFirst().map { ($0.ready, .inner) }
    }
    if let ready = readyOthers.removeFirst() { return (ready, .others) }
    return readyRequests.removeFirst().map { ($0, .requests) }
  }

  enum Queue {
    case requests, others, inner
  }

  /// Puts a step back that has more to start.
  mutating func putBack(_ ready: ReadyStep, in queue: Queue) {
    switch queue {
    case .requests: readyRequests.insert(ready)
    case .others: readyOthers.insert(ready)
    case .inner: readyInner.insert(InnerStep(ready: ready))
    }
  }

  /// Counts a start. Returns how many there are.
  mutating func countStart() -> Int {
    startCount += 1
    return startCount
  }
}
