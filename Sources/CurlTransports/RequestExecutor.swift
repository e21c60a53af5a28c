import Dispatch

/// Runs tasks that send requests.
///
/// What makes one request after another fast is to stay on one thread: the response arrives on it,
/// the task goes on on it, and so leaves the next request. What makes many requests at once fast is
/// to share the tasks' work with other threads. The executor does the one or the other, by how many
/// requests there are.
final class RequestExecutor: TaskExecutor {
  private let workers: [Worker]

  /// Up to so many requests in flight, tasks go on on the worker's own thread.
  private static let fewRequests = 2
  /// So many tasks are handed to another thread at a time.
  private static let chunk = 16

  init(_ workers: [Worker]) {
    self.workers = workers
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    if let worker = workers.first(where: { $0.isCurrent }), let reactor = worker.reactor {
      reactor.enqueue(job, self)
    } else {
      handOver([job][...])
    }
  }

  /// Runs `jobs`, here or elsewhere. Called on a worker's thread.
  func run(_ jobs: [UnownedJob]) {
    guard workers.reduce(0, { $0 + $1.load }) > RequestExecutor.fewRequests else {
      for job in jobs { job.runSynchronously(on: asUnownedTaskExecutor()) }
      return
    }
    var rest = jobs[...]
    while !rest.isEmpty {
      handOver(rest.prefix(RequestExecutor.chunk))
      rest = rest.dropFirst(RequestExecutor.chunk)
    }
  }

  private func handOver(_ jobs: ArraySlice<UnownedJob>) {
    DispatchQueue.global().async {
      for job in jobs { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
  }
}
