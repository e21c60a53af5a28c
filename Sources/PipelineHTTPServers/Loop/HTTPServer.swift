internal import Synchronization

/// A real HTTP/1.1 server on the addresses of this machine's loopback, and on no others.
///
/// One thread serves all connections. The handler is made on it, and called on it alone.
package final class HTTPServer: Sendable {
  /// Answers requests. Belongs to the loop's thread, so it may hold state without a lock.
  package struct Handler {
    let respond: (ServerRequest, ServerReply) -> ServerResponse
    let refuse: (RequestParser.Refusal) -> ServerResponse

    /// - Parameters:
    ///   - respond: Answers a request at once. The reply is for a response that comes later.
    ///   - refuse: Answers bytes that are not a request. The connection ends after it.
    package init(
      respond: @escaping (ServerRequest, ServerReply) -> ServerResponse,
      refuse: @escaping (RequestParser.Refusal) -> ServerResponse = {
        .failure($0.status, $0.message)
      }
    ) {
      self.respond = respond
      self.refuse = refuse
    }
  }

  /// A loopback address to listen on.
  package enum Address: Sendable, Hashable {
    /// 127.0.0.1
    case version4
    /// ::1
    case version6
  }

  /// The port it listens on, never 0.
  package let port: UInt16
  /// The addresses it listens on.
  package let addresses: [Address]
  package let counters: ConnectionCounters

  private let mailbox: Mailbox
  /// The thread while it runs; `stop()` takes it out to join it once.
  private let thread: Mutex<LoopThread?>

  /// Listens on 127.0.0.1.
  ///
  /// - Parameters:
  ///   - port: The port, or 0 for a free one.
  ///   - addsVersion6: Whether it also listens on ::1, on the same port. A machine without that
  ///     address is served on 127.0.0.1 alone.
  ///   - makeHandler: Called once, on the loop's thread, with the port it listens on.
  /// - Throws: `ServerError`, if a port is taken or the system refuses.
  package static func start(
    port: UInt16, addsVersion6: Bool = false, settings: LoopSettings = LoopSettings(),
    makeHandler: @escaping @Sendable (_ port: UInt16) -> Handler
  ) throws(ServerError) -> HTTPServer {
    var listeners = [try Listener(.version4, port: port)]
    do throws(ServerError) {
      if addsVersion6, let second = try other(beside: listeners[0]) { listeners.append(second) }
      let mailbox = try Mailbox()
      let counters = ConnectionCounters()
      let port = listeners[0].port
      let launch = LoopThread.Launch(
        listeners: listeners, mailbox: mailbox, counters: counters, settings: settings,
        makeHandler: { makeHandler(port) })
      let thread = try LoopThread.start(launch)
      return HTTPServer(
        port: port, addresses: listeners.map(\.address), counters: counters,
        mailbox: mailbox, thread: thread)
    } catch {
      for listener in listeners { listener.close() }
      throw error
    }
  }

  /// Another program on ::1 would answer for `localhost`, so a taken port is an error.
  private static func other(beside first: Listener) throws(ServerError) -> Listener? {
    do throws(ServerError) {
      return try Listener(.version6, port: first.port)
    } catch {
      if case .portInUse = error { throw error }
      return nil
    }
  }

  private init(
    port: UInt16, addresses: [Address], counters: ConnectionCounters, mailbox: Mailbox,
    thread: LoopThread
  ) {
    self.port = port
    self.addresses = addresses
    self.counters = counters
    self.mailbox = mailbox
    self.thread = Mutex(thread)
  }

  deinit { stop() }

  /// Closes every connection and the port, and returns when that is done. Safe to call twice.
  ///
  /// It waits for the loop's thread, so a handler must not call it.
  package func stop() {
    let running = thread.withLock { thread in
      defer { thread = nil }
      return thread
    }
    guard let running else { return }
    mailbox.put(.stop)
    running.join()
  }
}
