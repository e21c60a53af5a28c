internal import CPipelineCurl
internal import Dispatch
internal import PipelineByteText
public import PipelineTransports
internal import PipelineURIs

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// HTTP/1.1 and HTTP/2 over libcurl's multi interface.
///
/// Connections are kept and reused, over TLS also shared by many requests at once (HTTP/2). The
/// server's certificate is always verified. `http` and `https` are the only schemes.
///
/// A request is handed to a thread that drives libcurl (`Reactor`). Its response comes back in the
/// same step that resumes the calling task. That is two hand-offs a request, both in batches.
public final class CurlTransport: MeteredTransport {
  /// The configuration that all requests share.
  public struct Configuration: Sendable {
    /// The `User-Agent` of requests that do not bring their own.
    public var userAgent: String
    /// The threads that share the requests if there are many. A few requests stay on one. At first
    /// one for each processor of the machine, but at most four.
    public var threads: Int
    /// Whether libcurl keeps the memory that it frees, and uses it for its next request. This makes
    /// runs with many requests at once faster. It concerns the whole process, in which other code
    /// may use libcurl, too, so the process's first transport decides for all.
    public var keepsMemory: Bool

    /// A configuration; without `threads` there are as many as the machine has processors, up to
    /// four.
    ///
    /// - Parameters:
    ///   - userAgent: The default value of the field `User-Agent`.
    ///   - threads: The number of threads; `nil` for as many as processors, up to four.
    ///   - keepsMemory: Whether memory that libcurl frees is kept for later requests.
    public init(
      userAgent: String = "pipeline", threads: Int? = nil, keepsMemory: Bool = false
    ) {
      self.userAgent = userAgent
      self.keepsMemory = keepsMemory
      self.threads = max(1, threads ?? min(4, sysconf(Int32(_SC_NPROCESSORS_ONLN))))
    }
  }

  private let workers: [Worker]
  private let scheduler: SchedulerExecutor
  private let placement: Placement

  /// A transport with its own connections. The threads of the first one load libcurl.
  ///
  /// - Parameter configuration: Threads, memory and the name of the client.
  public init(_ configuration: Configuration = Configuration()) {
    workers = (0..<configuration.threads).map { _ in Worker(configuration) }
    scheduler = SchedulerExecutor(workers)
    placement = Placement(threadCount: workers.count)
  }

  deinit {
    shutdown()
  }

  /// Sends one request and waits for its response.
  public func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
    try await send(request, FreeMeter())
  }

  package func send(
    _ request: TransportRequest, _ meter: any RequestMeter
  ) async throws(TransportError) -> TransportResponse {
    let exchange = Exchange(request, meter, worker(for: request))
    await exchange.wait()
    while exchange.isHeldBack {
      guard await meter.waitForTurn() else {
        exchange.giveUp()
        throw .cancelled
      }
      exchange.isHeldBack = false
      await exchange.wait()
    }
    return try exchange.response()
  }

  /// Ends what is in flight as cancelled, closes every connection and joins the threads.
  ///
  /// A request that is sent later fails as cancelled.
  public func shutdown() {
    for worker in workers { worker.shutdown() }
  }

  /// Begins to load libcurl on another thread. Loading takes as long as everything else that a
  /// short run does before its first request.
  ///
  /// - Parameters:
  ///   - keepsMemory: `Configuration.keepsMemory` of the transport that follows.
  ///   - first: Loads what is needed sooner. The system loads one library at a time.
  package static func loadAhead(
    keepingMemory keepsMemory: Bool, after first: @escaping @Sendable () -> Void
  ) {
    DispatchQueue.global().async {
      first()
      _ = LibCurl.load(keepingMemory: keepsMemory)
    }
  }

  /// The versions of libcurl and of the libraries that it uses; empty if it cannot be loaded.
  public static var libraryVersion: String {
    LibCurl.problem == nil ? String(cString: ccurl_version()) : ""
  }

  /// `true`: libcurl's threads keep them.
  public var keepsTimeLimits: Bool { true }

  /// Where a task that sends requests runs best: on the thread that receives its response and sends
  /// its next request. The task that starts them all runs on the thread that brings it news.
  public func preferredExecutor(for task: Int?) -> (any TaskExecutor)? {
    guard let task else { return scheduler }
    return workers[placement.thread(ofTask: task)]
  }

  @inline(never)
  private func worker(for request: TransportRequest) -> Worker {
    let thread = placement.thread(
      isSecure: request.origin?.isSecure == true,
      caller: { workers.firstIndex(where: \.isCurrent) },
      load: { workers[$0].load })
    return workers[thread]
  }
}
