/// The child tasks of a run, and what they bring to their parent.
///
/// A task that has carried out a unit waits for the next one in the same place: to make a task for each
/// unit costs more than to hand it over, and its memory would be given back by another thread than the one that
/// took it.
struct TaskPool {
  /// What a task waits for: its next unit, or the end.
  typealias Idle = UnsafeContinuation<Unit?, Never>

  /// What a task brings.
  enum News: Sendable {
    case done(unit: Int, UnitOutcome, Idle)
    case control(RunControls.Command)
    case deadline
    case timer
    case finallyLimit
    case nothing
  }

  private let context: RunContext
  private let mailbox = Mailbox<News>()
  /// What has come, the latest first.
  private var arrived: [News] = []
  /// How many tasks have something to bring.
  private var awaited = 0
  /// The tasks without a unit, each in the place that its units have.
  private var idle: [Idle?] = []

  init(_ context: RunContext) {
    self.context = context
  }

  /// Has a unit carried out by the task of its place.
  mutating func start(_ unit: Unit, in group: inout DiscardingTaskGroup) {
    awaited += 1
    if unit.id < idle.count, let task = idle[unit.id].take() { return task.resume(returning: unit) }
    group.addTask(executorPreference: context.transport.preferredExecutor(for: unit.id)) {
      [context, mailbox] in
      var next: Unit? = unit
      while let unit = next {
        let outcome = await unit.run(in: context)
        next = await withUnsafeContinuation { idle in
          if !mailbox.post(.done(unit: unit.id, outcome, idle)) { idle.resume(returning: nil) }
        }
      }
    }
  }

  /// Adds a task that brings one thing.
  mutating func add(
    to group: inout DiscardingTaskGroup, _ work: @escaping @Sendable () async -> News
  ) {
    awaited += 1
    group.addTask { [mailbox] in
      _ = mailbox.post(await work())
    }
  }

  /// What a task brings next; `nil`: none has anything to bring.
  mutating func next() async -> News? {
    guard awaited > 0 else { return nil }
    if arrived.isEmpty {
      await mailbox.receive(into: &arrived)
      arrived.reverse()
    }
    awaited -= 1
    let news = arrived.removeLast()
    if case .done(let unit, _, let task) = news {
      while idle.count <= unit { idle.append(nil) }
      idle[unit] = task
    }
    return news
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
