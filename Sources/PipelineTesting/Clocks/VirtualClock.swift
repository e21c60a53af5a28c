public import PipelineKit
internal import Dispatch
internal import Synchronization

/// A clock that jumps to the next moment for which anyone waits, as soon as nothing else is left to
/// do. Hours take no time, and each run of a test is the same.
///
/// Its work runs on its executor, one job after the other.
public final class VirtualClock: RunClock {
  private let clock: ManualClock
  private let serial: SerialExecutor

  /// - Parameter wallTime: The clock's wall time at its start, in seconds since 1970.
  public init(wallTime: Double = 1_767_225_600) {
    let clock = ManualClock(wallTime: wallTime)
    self.clock = clock
    serial = SerialExecutor {
      if let next = clock.nextWake { clock.advance(by: max(next, .zero)) }
    }
  }

  /// Virtual time since the clock was made.
  public var elapsed: Duration { clock.elapsed }
  /// Virtual seconds since 1970-01-01T00:00:00Z.
  public var wallTime: Double { clock.wallTime }
  /// One task at a time, so that equal runs go the same way.
  public var executor: (any TaskExecutor)? { serial }

  /// Returns at that moment of virtual time. Takes no real time.
  public func sleep(for duration: Duration) async throws { try await clock.sleep(for: duration) }

  /// Runs jobs in the order in which they come, and says when there is none left.
  private final class SerialExecutor: TaskExecutor {
    private let queue = DispatchQueue(label: "pipeline.virtual-clock")
    private let count = Atomic<Int>(0)
    private let idle: @Sendable () -> Void

    init(idle: @escaping @Sendable () -> Void) {
      self.idle = idle
    }

    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      count.add(1, ordering: .relaxed)
      queue.async { [self] in
        job.runSynchronously(on: asUnownedTaskExecutor())
        if count.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 { idle() }
      }
    }
  }
}
