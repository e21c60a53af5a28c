/// Runs the task that starts the others: on the worker's thread that brings it news, so that the next
/// request is started where the last one ended, and a chain of requests never leaves its thread. Where
/// tasks were seen to take long, requests in flight are spared from waiting for this one.
final class SchedulerExecutor: TaskExecutor {
  private let workers: [Worker]

  /// - Parameter workers: Of which the first runs the task where none brings it news.
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
