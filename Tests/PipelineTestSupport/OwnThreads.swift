import Dispatch

/// Threads for tests that wait for other programs or talk to servers.
///
/// The runtime has a thread for each processor, so a few tests that block would hold up all others,
/// until their time limits are over.
public final class OwnThreads: TaskExecutor {
  /// Those of all tests.
  public static let shared = OwnThreads()

  private let queue = DispatchQueue(label: "tests that block", attributes: .concurrent)

  /// Runs a job on a thread that nothing else needs.
  public func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
