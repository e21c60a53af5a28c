internal import CCurl
import PipelineKit
import Synchronization

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A thread that serves requests, and the inbox through which other threads reach it.
///
/// `@unchecked Sendable`: `inbox` and `load` are synchronised; `watcher` is written in `init` and
/// closed after the thread was joined; `thread` is written in `init` and used by the one call of
/// `shutdown` that finds the inbox open.
final class Worker: @unchecked Sendable {
  struct Inbox {
    var submitted: [Exchange] = []
    var cancelled: [Exchange] = []
    var isClosed = false
    /// The thread is waiting, or about to, without having seen what arrives from now on.
    var isWaiting = false
  }

  let configuration: CurlTransport.Configuration
  private let inbox = Mutex(Inbox())
  private let watcher: ccurl_watcher?
  private var thread: pthread_t?

  init(_ configuration: CurlTransport.Configuration) {
    self.configuration = configuration
    var watcher = ccurl_watcher()
    guard LibCurl.isReady, ccurl_watcher_open(&watcher) == 0 else {
      self.watcher = nil
      inbox.withLock { $0.isClosed = true }
      return
    }
    self.watcher = watcher
    // The thread owns one reference, taken here and released at its end.
    let context = Unmanaged.passRetained(self).toOpaque()
    #if canImport(Glibc)
      var started = pthread_t()
      let code = pthread_create(&started, nil, { Worker.main($0) }, context)
      thread = started
    #else
      let code = pthread_create(&thread, nil, { Worker.main($0) }, context)
    #endif
    if code != 0 {
      Unmanaged<Worker>.fromOpaque(context).release()
      thread = nil
      inbox.withLock { $0.isClosed = true }
    }
  }

  /// Requests that wait or are served.
  var load: Int { count.load(ordering: .relaxed) }
  private let count = Atomic(0)

  func submit(
    _ exchange: Exchange, _ continuation: UnsafeContinuation<Exchange.Outcome, Never>
  ) {
    enum Answer { case wake, wait, cancelled, closed }
    exchange.continuation = continuation
    let answer: Answer = inbox.withLock { inbox in
      if exchange.isCancelled { return .cancelled }
      if inbox.isClosed { return .closed }
      exchange.isSubmitted = true
      inbox.submitted.append(exchange)
      return inbox.takeWaiting() ? .wake : .wait
    }
    switch answer {
    case .wake:
      count.add(1, ordering: .relaxed)
      wake()
    case .wait: count.add(1, ordering: .relaxed)
    case .cancelled: exchange.finish(.failure(.cancelled))
    case .closed: exchange.finish(.failure(closedError))
    }
  }

  func cancel(_ exchange: Exchange) {
    let mustWake = inbox.withLock { inbox in
      exchange.isCancelled = true
      guard exchange.isSubmitted, !inbox.isClosed else { return false }
      inbox.cancelled.append(exchange)
      return inbox.takeWaiting()
    }
    if mustWake { wake() }
  }

  func shutdown() {
    let thread = inbox.withLock { inbox in
      inbox.isClosed = true
      defer { self.thread = nil }
      return self.thread
    }
    guard let thread, let watcher else { return }
    wake()
    pthread_join(thread, nil)
    ccurl_watcher_close(watcher)
  }

  /// What arrived since the last call; `nil`: the inbox is closed. Where nothing did, the thread
  /// counts as waiting from here on.
  func receive(_ submitted: inout [Exchange], _ cancelled: inout [Exchange]) -> Bool {
    inbox.withLock { inbox in
      swap(&submitted, &inbox.submitted)
      swap(&cancelled, &inbox.cancelled)
      inbox.isWaiting = submitted.isEmpty && cancelled.isEmpty
      return !inbox.isClosed
    }
  }

  /// The thread is awake, whatever woke it.
  func served(_ number: Int) {
    count.subtract(number, ordering: .relaxed)
  }

  private var closedError: TransportError {
    watcher == nil
      ? TransportError(.other, "libcurl cannot be started")
      : TransportError(.cancelled, "the transport was shut down")
  }

  private func wake() {
    if let watcher { ccurl_watcher_wake(watcher) }
  }

  private static func main(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let context else { return nil }
    let worker = Unmanaged<Worker>.fromOpaque(context).takeRetainedValue()
    // Signals belong to the program's own threads, and a write to a closed socket is an error
    // to report, not a SIGPIPE.
    var signals = sigset_t()
    sigfillset(&signals)
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    if let watcher = worker.watcher {
      Reactor(worker, watcher).run()
    }
    return nil
  }
}

extension Worker.Inbox {
  /// Whether the thread is waiting; whoever learns so wakes it.
  fileprivate mutating func takeWaiting() -> Bool {
    defer { isWaiting = false }
    return isWaiting
  }
}

extension TransportError {
  static var cancelled: TransportError { TransportError(.cancelled, "cancelled") }
}

/// libcurl's process-wide state.
enum LibCurl {
  /// Set up once, by the first transport, and kept for the life of the process.
  static let isReady = ccurl_global_init() == Int32(CCURL_OK.rawValue)
}
