internal import PipelineJSONPaths
internal import Synchronization

/// The child tasks of one group of a run, and their reports to the parent.
///
/// A task that has carried out a unit waits for the next one of the same id. Making a task for each
/// unit costs more than handing units over. Another thread than the allocating one would also free
/// its memory.
///
/// Invariants:
/// 1. Each continuation is resumed exactly once. It is in one place: posted and unread in the
///    mailbox, in `arrived`, or in `idle`. A task that the closed mailbox refuses resumes its own.
/// 2. An id is given to another unit only after the outcome of the last one was read. So `idle`
///    holds no continuation for a unit that runs.
/// 3. `awaited` is the number of tasks at work: each posts once, and `takeArrived` counts it off.
/// 4. After `close` nothing waits: `idle` and `arrived` are empty.
struct TaskPool {
  /// A task that waits for its next unit, or the end.
  typealias Idle = UnsafeContinuation<Unit?, Never>

  /// The report of a task.
  enum News: Sendable {
    case done(unit: Int, UnitOutcome, Idle)
    /// There may be commands to read.
    case control
    case timer
    case finallyLimit
    case nothing
  }

  private let context: RunContext
  private let mailbox = Mailbox<News>()
  /// The reports that have come, the latest first.
  private var arrived: [News] = []
  /// How much news is still to be read: each task that was started brings one piece.
  private var awaited = 0
  /// The tasks without a unit, by the ids of their units. As many as there may be requests in
  /// flight. Any more, such as for many waits at once, end with their units.
  private var idle: [Idle?] = []

  init(_ context: RunContext) {
    self.context = context
  }

  /// Has a unit carried out by the task of its id.
  mutating func start(_ unit: Unit, in group: inout DiscardingTaskGroup) {
    awaited += 1
    if unit.id < idle.count, let task = idle[unit.id].take() { return task.resume(returning: unit) }
    let first = FirstUnit(unit)
    group.addTask(executorPreference: context.carrier.executor(for: unit)) {
      [context, mailbox] in
      var next = first.take()
      while let id = next?.id {
        var outcome = await Self.carryOut(next.take(), context)
        next = await withUnsafeContinuation { idle in
          var told = UnitOutcome.cancelled
          swap(&told, &outcome)
          if !mailbox.post(.done(unit: id, told, idle)) { idle.resume(returning: nil) }
        }
      }
    }
  }

  /// Separate, so that a waiting task holds no memory of its last unit.
  @inline(never)
  private static func carryOut(
    _ unit: consuming Unit?, _ context: RunContext
  ) async -> UnitOutcome {
    guard let unit else { return .cancelled }
    if unit.isCleanUp {
      return await Interruption.$source.withValue(nil) { await unit.run(in: context) }
    }
    return await unit.run(in: context)
  }

  /// Adds a task that brings one thing.
  ///
  /// - Parameter executor: The executor of the tasks; `nil` for that of the parent.
  mutating func add(
    to group: inout DiscardingTaskGroup, on executor: (any TaskExecutor)? = nil,
    _ work: @escaping @Sendable () async -> News
  ) {
    awaited += 1
    let executor = context.options.clock.executor ?? executor
    group.addTask(executorPreference: executor) { [mailbox] in
      _ = mailbox.post(await work())
    }
  }

  /// The next report of a task; `nil` if none has any.
  mutating func next() async -> News? {
    guard awaited > 0 else { return nil }
    if arrived.isEmpty {
      await mailbox.receive(into: &arrived)
      arrived.reverse()
    }
    return takeArrived()
  }

  /// A report that a task has posted already; `nil` if there is none.
  mutating func poll() -> News? {
    if arrived.isEmpty {
      guard mailbox.take(&arrived) else { return nil }
      arrived.reverse()
    }
    return takeArrived()
  }

  private mutating func takeArrived() -> News {
    awaited -= 1
    let news = arrived.removeLast()
    if case .done(let unit, _, let task) = news {
      keep(task, of: unit)
    }
    return news
  }

  private mutating func keep(_ task: Idle, of unit: Int) {
    guard unit < context.concurrency else { return task.resume(returning: nil) }
    // An author may allow more than there ever are.
    while idle.count <= unit { idle.append(nil) }
    idle[unit] = task
  }

  /// Ends the tasks that have no unit, and each of the others when its unit is done.
  mutating func close() {
    for news in arrived + mailbox.close() {
      if case .done(_, _, let task) = news { task.resume(returning: nil) }
    }
    arrived = []
    for task in idle { task?.resume(returning: nil) }
    idle = []
  }
}

/// The arguments of a task, which it would otherwise keep to its end.
private final class FirstUnit: Sendable {
  private let unit: Mutex<Unit?>

  init(_ unit: Unit) {
    self.unit = Mutex(unit)
  }

  func take() -> Unit? { unit.withLock { $0.take() } }
}
