#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The thread that the event loop runs on.
struct LoopThread: Sendable {
  /// The input of the new thread: only values and Sendable references. The loop itself is made on
  /// the thread and never leaves it, so its state needs no lock.
  final class Launch: Sendable {
    let listeners: [Listener]
    let mailbox: Mailbox
    let counters: ConnectionCounters
    let settings: LoopSettings
    let makeHandler: @Sendable () -> HTTPServer.Handler

    init(
      listeners: [Listener], mailbox: Mailbox, counters: ConnectionCounters,
      settings: LoopSettings, makeHandler: @escaping @Sendable () -> HTTPServer.Handler
    ) {
      self.listeners = listeners
      self.mailbox = mailbox
      self.counters = counters
      self.settings = settings
      self.makeHandler = makeHandler
    }
  }

  /// The system's handle as bits: on Apple platforms it is a pointer, which is not Sendable. It is
  /// only ever joined, and only once (`HTTPServer.stop()` takes it out of its Mutex).
  private let handle: UInt

  static func start(_ launch: Launch) throws(ServerError) -> LoopThread {
    let poller = try Poller()
    let passed = Unmanaged.passRetained(Start(launch: launch, poller: poller))
    #if canImport(Darwin)
      var thread: pthread_t?
    #else
      var thread = pthread_t()
    #endif
    let code = pthread_create(
      &thread, nil,
      { argument in
        let argument: UnsafeMutableRawPointer? = argument
        if let argument {
          LoopThread.run(Unmanaged<Start>.fromOpaque(argument).takeRetainedValue())
        }
        return nil
      }, passed.toOpaque())
    guard code == 0 else {
      passed.release()
      poller.close()
      throw .system(call: "pthread_create", code: code)
    }
    #if canImport(Darwin)
      return LoopThread(handle: thread.map { UInt(bitPattern: $0) } ?? 0)
    #else
      return LoopThread(handle: UInt(thread))
    #endif
  }

  /// Returns when the thread has ended.
  func join() {
    #if canImport(Darwin)
      if let thread = pthread_t(bitPattern: handle) { pthread_join(thread, nil) }
    #else
      pthread_join(pthread_t(handle), nil)
    #endif
  }

  private final class Start: Sendable {
    let launch: Launch
    let poller: Poller

    init(launch: Launch, poller: Poller) {
      self.launch = launch
      self.poller = poller
    }
  }

  private static func run(_ start: Start) {
    // Signals are the command's: they must interrupt its threads, not this one.
    var signals = sigset_t()
    sigfillset(&signals)
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    EventLoop(start.launch, poller: start.poller).run()
  }
}
