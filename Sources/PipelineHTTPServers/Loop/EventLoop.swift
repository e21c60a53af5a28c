internal import CPipelineSockets

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Serves every connection of a server on the thread that calls `run()`.
///
/// It decides nothing about content: requests come from `RequestParser`, answers from the
/// handler.
final class EventLoop {
  private static let mailboxToken = UInt64.max
  /// The token of the first listener; the next ones follow.
  private static let listenerTokens = UInt64.max - 8

  let settings: LoopSettings
  let counters: ConnectionCounters
  let handler: HTTPServer.Handler
  let mailbox: Mailbox
  private let listeners: [Listener]
  private let poller: Poller
  var timers = Timers()
  /// Indexed by descriptor.
  private var connections: [Connection?] = []
  private var openCount = 0
  private var accepted = 0
  /// Requests so far, the one under way included.
  var exchanges: UInt64 = 0
  /// False while no descriptor is left for a new connection.
  private var listens = true
  private var stops = false
  var moment = ServerMoment()
  private let startedAt: UInt64
  private var nextSweep: UInt64
  var date = DateField()
  let readBuffer = UnsafeMutableRawBufferPointer.allocate(
    byteCount: 64 << 10, alignment: 16)

  init(_ launch: LoopThread.Launch, poller: Poller) {
    settings = launch.settings
    counters = launch.counters
    mailbox = launch.mailbox
    listeners = launch.listeners
    handler = launch.makeHandler()
    self.poller = poller
    startedAt = Self.monotonicNow()
    nextSweep = launch.settings.sweep.nanoseconds
  }

  deinit { readBuffer.deallocate() }

  /// Returns after the wake pipe has been signalled, with every descriptor closed.
  func run() {
    stops = !poller.add(mailbox.reader, token: Self.mailboxToken, .readable)
    for (index, listener) in listeners.enumerated()
    where !poller.add(listener.descriptor, token: Self.token(ofListener: index), .readable) {
      stops = true
    }
    var events = [csockets_event](repeating: csockets_event(), count: 256)
    readClock()
    while !stops {
      let deadline = min(timers.nextDeadline ?? nextSweep, nextSweep)
      let now = moment.sinceStart
      let count = poller.wait(nanoseconds: deadline > now ? deadline - now : 0, into: &events)
      readClock()
      for event in events.prefix(count) {
        handle(event.token, Poller.Interest(rawValue: Int32(event.flags)))
      }
      readClock()
      while let timer = timers.take(due: moment.sinceStart) { fire(timer) }
      if moment.sinceStart >= nextSweep { sweep() }
    }
    for case let connection? in connections { close(connection) }
    for listener in listeners { listener.close() }
    poller.close()
  }

  private static func token(ofListener index: Int) -> UInt64 { listenerTokens + UInt64(index) }

  private func handle(_ token: UInt64, _ ready: Poller.Interest) {
    switch token {
    case Self.mailboxToken: readMail()
    case Self.listenerTokens...: accept(listeners[Int(token - Self.listenerTokens)])
    default:
      guard let connection = connection(token) else { return }
      if ready.contains(.readable) {
        read(connection)
      } else if ready.contains(.failed) {
        drop(connection)
      } else if ready.contains(.writable) {
        pump(connection)
      }
    }
  }

  private func readMail() {
    for message in mailbox.take() {
      if case .stop = message { stops = true } else { deliver(message) }
    }
  }

  // MARK: Clock

  private static func monotonicNow() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }

  private func readClock() {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    moment = ServerMoment(
      sinceStart: Self.monotonicNow() - startedAt, unixSeconds: Int(time.tv_sec),
      nanoseconds: Int(time.tv_nsec))
    date.update(moment.unixSeconds)
  }

  // MARK: Connections

  func connection(_ token: UInt64) -> Connection? {
    let index = Int(token & 0xFFFF_FFFF)
    guard index < connections.count, let connection = connections[index],
      connection.token == token
    else { return nil }
    return connection
  }

  private func accept(_ listener: Listener) {
    while true {
      let descriptor = csockets_accept(listener.descriptor)
      guard descriptor >= 0 else {
        // ECONNABORTED and EINTR concern one connection. The next event comes by itself.
        if errno == EMFILE || errno == ENFILE { listen(false) }
        return
      }
      Socket.sendAtOnce(descriptor)
      accepted += 1
      let token = UInt64(accepted & 0x7FFF_FFFF) << 32 | UInt64(UInt32(bitPattern: descriptor))
      guard poller.add(descriptor, token: token, .readable) else {
        Socket.close(descriptor)
        return
      }
      let index = Int(descriptor)
      while connections.count <= index { connections.append(nil) }
      connections[index] = Connection(
        descriptor: descriptor, token: token, ordinal: accepted, limits: settings.limits,
        now: moment.sinceStart)
      openCount += 1
      counters.countOpened()
    }
  }

  /// Without descriptors a listener would be ready for ever: it is left alone until one is free.
  private func listen(_ listens: Bool) {
    guard listens != self.listens else { return }
    self.listens = listens
    for (index, listener) in listeners.enumerated() {
      poller.change(
        listener.descriptor, token: Self.token(ofListener: index),
        from: listens ? [] : .readable, to: listens ? .readable : [])
    }
  }

  enum Ending { case orderly, reset }

  func close(_ connection: Connection, _ ending: Ending = .orderly) {
    let index = Int(connection.descriptor)
    guard connections[index] === connection else { return }
    connections[index] = nil
    openCount -= 1
    if case .waiting = connection.phase { counters.countEnded() }
    connection.departure?()
    switch ending {
    case .orderly: Socket.close(connection.descriptor)
    case .reset: Socket.reset(connection.descriptor)
    }
    counters.countClosed()
    listen(true)
  }

  /// The client has gone.
  func drop(_ connection: Connection) {
    switch connection.phase {
    case .reading where !connection.hasOutput, .draining: break
    default: counters.countAbandoned()
    }
    close(connection)
  }

  private func sweep() {
    let now = moment.sinceStart
    for case let connection? in connections {
      var limit = settings.idle.nanoseconds
      switch connection.phase {
      case .waiting, .pushing: continue  // a timer fires
      case .awaiting: continue  // another thread ends it
      case .holding: limit = settings.hold.nanoseconds
      default: break
      }
      if now - min(now, connection.lastMoved) >= limit { close(connection) }
    }
    listen(true)
    nextSweep = now + settings.sweep.nanoseconds
  }

  func watch(_ connection: Connection, _ interest: Poller.Interest) {
    guard interest != connection.interest else { return }
    poller.change(
      connection.descriptor, token: connection.token, from: connection.interest, to: interest)
    connection.interest = interest
  }

  /// While a response waits, reading continues up to a limit, to see the client leave.
  func watchForEnd(_ connection: Connection) {
    let isFull = connection.parser.buffered > settings.highWater
    watch(connection, isFull ? [] : .readable)
  }
}
