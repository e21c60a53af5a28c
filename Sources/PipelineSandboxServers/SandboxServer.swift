internal import Synchronization

/// A real HTTP/1.1 server with sample APIs, on 127.0.0.1 only.
///
/// docs/sandbox.md lists what it answers. One thread serves all connections. It owns the APIs'
/// state, which lives as long as the server.
package final class SandboxServer: Sendable {
  /// The port it listens on, never 0.
  package let port: UInt16
  /// Requests received and connections counted, for tests.
  package let records: SandboxRecords

  private let wake: WakePipe
  /// The thread while it runs; `stop()` takes it out to join it once.
  private let thread: Mutex<LoopThread?>

  /// `http://127.0.0.1:PORT`.
  package var origin: String { "http://127.0.0.1:\(port)" }

  /// Listens on `port`, or on a free port if that is 0.
  package static func start(port: UInt16 = 0) throws(SandboxError) -> SandboxServer {
    try start(port: port, settings: LoopSettings())
  }

  static func start(
    port: UInt16, settings: LoopSettings
  ) throws(SandboxError) -> SandboxServer {
    let listener = try Listener(port: port)
    do throws(SandboxError) {
      let wake = try WakePipe()
      let records = SandboxRecords()
      let launch = LoopThread.Launch(
        listener: listener, wake: wake, records: records, settings: settings)
      let thread = try LoopThread.start(launch)
      return SandboxServer(port: listener.port, records: records, wake: wake, thread: thread)
    } catch {
      listener.close()
      throw error
    }
  }

  private init(port: UInt16, records: SandboxRecords, wake: WakePipe, thread: LoopThread) {
    self.port = port
    self.records = records
    self.wake = wake
    self.thread = Mutex(thread)
  }

  deinit { stop() }

  /// Closes every connection and the port, and returns when that is done. Safe to call twice.
  package func stop() {
    let running = thread.withLock { thread in
      defer { thread = nil }
      return thread
    }
    guard let running else { return }
    wake.signal()
    running.join()
  }
}
