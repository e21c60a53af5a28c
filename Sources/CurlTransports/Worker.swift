internal import CPipelineCurl
import Dispatch
import PipelineTransports
import Synchronization

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A thread that serves requests, and the inbox through which other threads reach it.
///
/// It also runs the tasks that prefer it: what a response leads to, and the next request, need no other
/// thread then. Only what follows a large response is left to others, so that no connection waits for it.
///
/// `@unchecked Sendable`: `inbox`, `load` and `home` are synchronised. `watcher` is written in
/// `init` only. `reactor` is read and written only on the worker's own thread, which `isCurrent`
/// checks. `thread` is read and written with the inbox locked.
final class Worker: @unchecked Sendable {
  struct Inbox: Sendable {
    var submitted: [Exchange] = []
    var cancelled: [Exchange] = []
    var jobs: [Job] = []
    /// Whether the thread was begun: with the first arrival. While libcurl is being loaded on another
    /// thread, the system lets no new one begin.
    var isBegun = false
    var isClosed = false
    /// Whether it is closed because no thread could be started.
    var lacksThread = false
    /// The thread is waiting, or about to, without having seen what arrives from now on.
    var isWaiting = false

    var isEmpty: Bool { submitted.isEmpty && cancelled.isEmpty && jobs.isEmpty }

    /// Empties the lists, keeping their room.
    mutating func clear() {
      submitted.removeAll(keepingCapacity: true)
      cancelled.removeAll(keepingCapacity: true)
      jobs.removeAll(keepingCapacity: true)
    }

    /// What the thread needs in order to see what has arrived. The caller does it.
    mutating func takeNeed() -> Need {
      if !isBegun {
        isBegun = true
        return .thread
      }
      defer { isWaiting = false }
      return isWaiting ? .waking : .nothing
    }
  }

  enum Need { case thread, waking, nothing }

  /// A piece of a task, and the executor that the task prefers.
  struct Job: Sendable {
    let job: UnownedJob
    let executor: UnownedTaskExecutor

    func run() { job.runSynchronously(on: executor) }

    /// Runs it on a thread that serves no requests.
    func runElsewhere() {
      DispatchQueue.global().async { self.run() }
    }
  }

  let configuration: CurlTransport.Configuration
  private let inbox = Lock(Inbox())
  private let watcher: Watcher?
  private var thread: pthread_t?
  private(set) var reactor: Reactor?
  /// The worker's thread as `currentThread` names it; 0 before it runs.
  private let home = Atomic<UInt>(0)
  private let count = Atomic(0)
  private let longTasks = Atomic(false)

  init(_ configuration: CurlTransport.Configuration) {
    self.configuration = configuration
    watcher = Watcher()
    if watcher == nil { inbox.withLock { $0.isClosed = true } }
  }

  deinit {
    // Not earlier: a caller that wakes the thread holds a reference.
    watcher?.close()
  }

  /// Requests that wait or are served.
  var load: Int { count.load(ordering: .relaxed) }

  /// Whether a task kept the thread from its requests for long.
  var hasLongTasks: Bool { longTasks.load(ordering: .relaxed) }

  func noteLongTask() { longTasks.store(true, ordering: .relaxed) }

  /// Whether the caller runs on the worker's thread.
  var isCurrent: Bool { home.load(ordering: .relaxed) == currentThread }

  func submit(
    _ exchange: Exchange, _ continuation: UnsafeContinuation<Void, Never>
  ) {
    enum Answer { case start, arrived(Need), cancelled, closed }
    exchange.continuation = continuation
    let isCurrent = isCurrent
    let answer: Answer = inbox.withLock { inbox in
      if exchange.isCancelled { return .cancelled }
      if inbox.isClosed { return .closed }
      exchange.isSubmitted = true
      // Counted before the thread can serve it.
      count.add(1, ordering: .relaxed)
      if isCurrent { return .start }
      inbox.submitted.append(exchange)
      return .arrived(inbox.takeNeed())
    }
    switch answer {
    case .start: reactor?.start(exchange)
    case .arrived(let need): meet(need)
    case .cancelled: exchange.resume()
    case .closed:
      exchange.outcome = .failure(closedError)
      exchange.resume()
    }
  }

  func cancel(_ exchange: Exchange) {
    let need: Need = inbox.withLock { inbox in
      exchange.isCancelled = true
      guard exchange.isSubmitted, !inbox.isClosed else { return .nothing }
      inbox.cancelled.append(exchange)
      return inbox.takeNeed()
    }
    meet(need)
  }

  /// Ends the thread and waits for it, unless it is the thread that calls.
  func shutdown() {
    let thread = inbox.withLock { inbox in
      inbox.isClosed = true
      defer { self.thread = nil }
      return self.thread
    }
    guard let thread else { return }
    wake()
    if isCurrent { pthread_detach(thread) } else { pthread_join(thread, nil) }
  }

  // MARK: - What the thread calls

  /// Takes what arrived since the last call; `false`: the inbox is closed. Where nothing did, and
  /// `mayWait`, the thread counts as waiting from here on.
  func receive(_ arrived: inout Inbox, mayWait: Bool) -> Bool {
    inbox.withLock { inbox in
      swap(&arrived.submitted, &inbox.submitted)
      swap(&arrived.cancelled, &inbox.cancelled)
      swap(&arrived.jobs, &inbox.jobs)
      inbox.isWaiting = mayWait && arrived.isEmpty
      return !inbox.isClosed
    }
  }

  func served(_ number: Int) {
    count.subtract(number, ordering: .relaxed)
  }

  private var closedError: TransportError {
    if let problem = LibCurl.problem { return TransportError(.unusable, problem) }
    if inbox.withLock({ $0.lacksThread }) {
      return TransportError(
        .other, "the system gives no thread to send requests with; see 'ulimit -u' and 'ulimit -v'")
    }
    return watcher == nil
      ? TransportError(.other, "no file descriptor is left to wait for the network with")
      : TransportError(.cancelled, "the transport was shut down")
  }

  private func wake() {
    watcher?.wake()
  }

  private func meet(_ need: Need) {
    switch need {
    case .thread: begin()
    case .waking: wake()
    case .nothing: break
    }
  }

  /// Begins the thread. Without one, all that has arrived ends.
  private func begin() {
    // The thread owns one reference, taken here and released at its end.
    let context = Unmanaged.passRetained(self).toOpaque()
    #if canImport(Glibc)
      var thread = pthread_t()
    #else
      var thread: pthread_t?
    #endif
    guard pthread_create(&thread, nil, { Worker.main($0) }, context) == 0 else {
      Unmanaged<Worker>.fromOpaque(context).release()
      inbox.withLock { $0.lacksThread = true }
      return refuse()
    }
    let begun: pthread_t? = thread
    let isClosed = inbox.withLock { inbox in
      if !inbox.isClosed { self.thread = begun }
      return inbox.isClosed
    }
    guard isClosed, let begun else { return }
    // Its end is not awaited. Who closed the inbox could not wake it yet.
    pthread_detach(begun)
    wake()
  }

  private static func main(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let context else { return nil }
    let worker = Unmanaged<Worker>.fromOpaque(context).takeRetainedValue()
    worker.home.store(currentThread, ordering: .relaxed)
    // Signals belong to the program's own threads, and a write to a closed socket is an error
    // to report, not a SIGPIPE.
    var signals = sigset_t()
    sigfillset(&signals)
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    // On this thread: it takes as long as everything else before a run's first request.
    if !LibCurl.load(keepingMemory: worker.configuration.keepsMemory) {
      worker.refuse()
    } else if let watcher = worker.watcher {
      let reactor = Reactor(worker, watcher)
      worker.reactor = reactor
      reactor.run()
      worker.reactor = nil
    }
    worker.home.store(0, ordering: .relaxed)
    return nil
  }

  /// Ends all that has arrived, and will arrive, because nothing can serve it.
  private func refuse() {
    var arrived = Inbox()
    inbox.withLock { $0.isClosed = true }
    _ = receive(&arrived, mayWait: false)
    served(arrived.submitted.count)
    for exchange in arrived.submitted {
      exchange.outcome = .failure(closedError)
      exchange.resume()
    }
    for job in arrived.jobs { job.runElsewhere() }
  }
}

extension Worker: TaskExecutor {
  func enqueue(_ job: consuming ExecutorJob) {
    take(Job(job: UnownedJob(job), executor: asUnownedTaskExecutor()))
  }

  /// Runs a job on the worker's thread, once what has ended is handed back.
  func take(_ job: Job) {
    if isCurrent, let reactor {
      if !reactor.takes(job) { job.runElsewhere() }
      return
    }
    // The thread may end the task before this returns, and with it the last other reference.
    let own = Unmanaged.passRetained(self)
    defer { own.release() }
    let need: Need? = inbox.withLock { inbox in
      if inbox.isClosed { return nil }
      inbox.jobs.append(job)
      return inbox.takeNeed()
    }
    if let need { meet(need) } else { job.runElsewhere() }
  }
}

extension [Worker] {
  /// The worker on whose thread the caller runs.
  var current: Worker? { first { $0.isCurrent } }
}

/// The calling thread.
private var currentThread: UInt {
  #if canImport(Glibc)
    UInt(pthread_self())
  #else
    UInt(bitPattern: pthread_self())
  #endif
}

extension TransportError {
  static var cancelled: TransportError { TransportError(.cancelled, "cancelled") }
}

/// libcurl's process-wide state.
enum LibCurl {
  private static let keepsMemory = Atomic(false)

  /// Loads libcurl and sets it up, unless it is. Returns whether it can be used.
  ///
  /// - Parameter keepsMemory: Whether libcurl keeps the memory that it frees. Only the first call
  ///   in a process decides.
  static func load(keepingMemory keepsMemory: Bool) -> Bool {
    if keepsMemory { self.keepsMemory.store(true, ordering: .relaxed) }
    return problem == nil
  }

  /// Why it cannot be used; `nil` if it can. Loaded and set up once, and kept for the life of the
  /// process.
  static let problem: String? = {
    if let reason = ccurl_load() {
      return
        "libcurl cannot be loaded: \(String(cString: reason)); install libcurl 4, which is the "
        + "package 'libcurl4' of Debian and Ubuntu and 'libcurl' elsewhere"
    }
    let code = ccurl_global_init(keepsMemory.load(ordering: .relaxed) ? 1 : 0)
    guard code != Int32(CCURL_OK.rawValue) else { return nil }
    return "libcurl cannot be started: \(String(cString: ccurl_code_text(code)))"
  }()
}
