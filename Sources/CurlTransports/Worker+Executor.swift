import Dispatch

// What makes one request after another fast is to stay on one thread: the response arrives on it,
// the task goes on on it, and so leaves the next request. What makes many requests at once fast is
// to share the tasks' work with other threads. The executor does the one or the other, by how many
// requests there are.
extension Worker: TaskExecutor {
  /// Up to so many requests in flight, tasks go on on the worker's own thread.
  private static let fewRequests = 2
  /// So many tasks are handed to another thread at a time.
  private static let chunk = 16

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    if isCurrent, let reactor {
      reactor.jobs.append(job)
    } else {
      handOver([job][...])
    }
  }

  /// Runs `jobs`, here or elsewhere. Called on the worker's thread.
  func run(_ jobs: [UnownedJob]) {
    guard load > Worker.fewRequests else {
      for job in jobs { job.runSynchronously(on: asUnownedTaskExecutor()) }
      return
    }
    var rest = jobs[...]
    while !rest.isEmpty {
      handOver(rest.prefix(Worker.chunk))
      rest = rest.dropFirst(Worker.chunk)
    }
  }

  private func handOver(_ jobs: ArraySlice<UnownedJob>) {
    DispatchQueue.global().async {
      for job in jobs { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
  }
}
