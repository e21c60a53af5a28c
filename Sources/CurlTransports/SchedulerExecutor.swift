/// Runs the task that starts the others: on a worker's thread, where a chain of requests never leaves
/// it. Where tasks were seen to take long, requests in flight are spared from waiting for this one.
final class SchedulerExecutor: TaskExecutor {
  private let worker: Worker

  init(_ worker: Worker) {
    self.worker = worker
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = Worker.Job(job: UnownedJob(job), executor: asUnownedTaskExecutor())
    if worker.hasLongTasks, worker.load > 0 {
      job.runElsewhere()
    } else {
      worker.take(job)
    }
  }
}
