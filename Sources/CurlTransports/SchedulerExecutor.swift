/// Runs the task that starts the others. It runs on the worker's thread that brings it news, so the
/// next request starts on the thread where the last one ended. A chain of requests never leaves its
/// thread. Where tasks were seen to take long, requests in flight are spared from waiting for this
/// one.
final class SchedulerExecutor: TaskExecutor {
  private let workers: [Worker]

  /// - Parameter workers: The first runs the task when none of them brings it news.
  init(_ workers: [Worker]) {
    self.workers = workers
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let worker = workers.current ?? workers[0]
    let job = Worker.Job(job: UnownedJob(job), executor: asUnownedTaskExecutor())
    if worker.hasLongTasks, worker.load > 0 {
      job.runElsewhere()
    } else {
      worker.take(job)
    }
  }
}
