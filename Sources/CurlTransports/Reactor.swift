internal import CPipelineCurl
internal import CPipelineSockets
import PipelineTransports

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The event loop: starts requests, waits for sockets and timers, gives libcurl what is ready, and
/// hands back what has ended.
///
/// It and all that it owns live on one thread: lanes, handles, and every call of libcurl on them.
/// libcurl calls back only from within these calls.
///
/// Invariants, whenever the loop waits:
/// 1. Every exchange that was submitted is in a lane, in `heldBack`, or has been handed back, and is
///    handed back once.
/// 2. A handle is in `idle` or works for one exchange.
/// 3. A descriptor is watched for the events that libcurl wants of it (`SocketTable`).
/// 4. `jobs`, `batch` and `ended` are empty, or the loop does not wait.
final class Reactor {
  private let worker: Worker
  private let watcher: Watcher
  private let share: UnsafeMutableRawPointer?
  // One thread has all of these, and no call on them calls back. So no two accesses can meet, and a
  // check at each, several times a request, would find nothing.
  @exclusivity(unchecked) private var lanes: [Lane] = []
  @exclusivity(unchecked) private var idle: [EasyHandle] = []
  @exclusivity(unchecked) private var ended: [Exchange] = []
  /// The exchanges whose next round waits for its turn.
  @exclusivity(unchecked) private var heldBack: [Exchange] = []
  @exclusivity(unchecked) private var sockets: SocketTable
  /// Tasks to go on with.
  @exclusivity(unchecked) private var jobs: [Worker.Job] = []
  /// The jobs that are being run.
  @exclusivity(unchecked) private var batch: [Worker.Job] = []
  @exclusivity(unchecked) private var silence = SilenceWatch()
  /// Whether a task that is resumed now has much to do.
  private var resumesLarge = false
  /// Whether more sockets may be ready than were served.
  private var hasMore = false
  /// Sockets served since the last time that all, or enough, were served, and the nanoseconds that
  /// jobs took since then.
  private var servedCount = 0
  private var jobTime: UInt64 = 0
  /// Whether what was waited for last came about as soon as from a server on this machine.
  private var isNearby = false
  /// The sockets that are served before their tasks run. They are so few that the data of a
  /// transfer and its task is still in the processor's cache. They are reported in turns, so none
  /// is passed over.
  private var events = [Watcher.Event](repeating: Watcher.Event(), count: 16)

  /// libcurl 7.88 finds an idle connection by walking all connections to the host, so a multi
  /// handle slows down as their number grows.
  private static let laneCapacity = 64
  private static let manyLanes = 64
  private static let idleHandles = 256
  private static let jobRounds = 8
  /// Nanoseconds.
  private static let longTask: UInt64 = 100_000_000
  /// The nanoseconds that jobs may take before later ones wait for the ready sockets, and for how
  /// many of them they wait.
  private static let enoughTime: UInt64 = 10_000_000
  private static let enoughSockets = 256
  /// The nanoseconds in which a server on this machine answers. Falling asleep and being woken
  /// takes as long.
  private static let nearby: Int64 = 100_000
  private static let hasSeveralProcessors = sysconf(Int32(_SC_NPROCESSORS_ONLN)) > 1
  /// Bytes of a body from which on other threads read it.
  private static let largeBody = 1 << 16

  init(_ worker: Worker, _ watcher: Watcher) {
    self.worker = worker
    self.watcher = watcher
    sockets = SocketTable(watcher)
    share = ccurl_share_init()
  }

  deinit {
    if let share { ccurl_share_cleanup(share) }
  }

  /// Serves until the worker is shut down. Requests that are then in flight end as cancelled.
  func run() {
    var arrived = Worker.Inbox()
    while worker.receive(&arrived, mayWait: jobs.isEmpty) {
      let isIdle = arrived.isEmpty && jobs.isEmpty
      for exchange in arrived.submitted { start(exchange) }
      for exchange in arrived.cancelled { cancel(exchange) }
      jobs += arrived.jobs
      arrived.clear()
      if !isIdle { runTimers() }
      wait(isIdle ? nanosecondsToNextTimer : 0)
      serveWhatJobsKeptWaiting()
      endSilentTransfers()
      deliver()
      runJobs()
      runTimers()
      deliver()
    }
    for exchange in arrived.submitted { end(exchange, .failure(.shutDown)) }
    jobs += arrived.jobs
    close()
    while !jobs.isEmpty { runJobs() }
  }

  /// Runs the jobs that are there, and some of those that they add. A chain takes a few jobs from a
  /// response to the next request. The others wait for the next time.
  private func runJobs() {
    guard !jobs.isEmpty else { return }
    let start = Reactor.now()
    var rounds = 0
    while !jobs.isEmpty, rounds < Reactor.jobRounds {
      swap(&batch, &jobs)
      for job in batch { job.run() }
      batch.removeAll(keepingCapacity: true)
      rounds += 1
    }
    jobTime += Reactor.now() - start
    if jobTime > Reactor.longTask { worker.noteLongTask() }
  }

  /// Keeps a job until the reactor has handed back what has ended; `false`: it is too long for this
  /// thread. Called on the worker's thread.
  func takes(_ job: Worker.Job) -> Bool {
    if resumesLarge { return false }
    jobs.append(job)
    return true
  }

  func start(_ exchange: Exchange) {
    if let easy = exchange.easy { return goOn(exchange, easy) }
    let easy = idle.popLast() ?? EasyHandle(worker.configuration, share: share, reactor: self)
    guard let easy else {
      return end(exchange, .failure(TransportError(.other, "no memory is left for a request")))
    }
    do throws(TransportError) {
      try easy.prepare(exchange)
    } catch {
      return end(exchange, .failure(error))
    }
    guard let lane = lane(for: exchange.request.connection), lane.add(easy) else {
      easy.clear()
      return end(exchange, .failure(TransportError(.other, "libcurl cannot take a request")))
    }
    exchange.easy = easy
    silence.add(easy.progress.limit)
  }

  /// Starts the next round of a request whose turn has come.
  private func goOn(_ exchange: Exchange, _ easy: EasyHandle) {
    heldBack.removeAll { $0 === exchange }
    do throws(TransportError) {
      try easy.prepareNextRound()
    } catch {
      easy.clear()
      return end(exchange, .failure(error))
    }
    guard let lane = lane(for: exchange.request.connection), lane.add(easy) else {
      easy.clear()
      return end(exchange, .failure(TransportError(.other, "libcurl cannot take a request")))
    }
    silence.add(easy.progress.limit)
  }

  /// Hands back a request whose next round waits for its turn. It keeps its handle.
  private func holdBack(_ exchange: Exchange, _ easy: EasyHandle) {
    easy.holdBack()
    exchange.isHeldBack = true
    heldBack.append(exchange)
    ended.append(exchange)
  }

  /// The first lane with room, so that few requests share few connections.
  private func lane(for settings: ConnectionSettings) -> Lane? {
    let key = settings.isOrdinary ? Lane.Key.ordinary : Lane.Key(settings)
    if let lane = lanes.first(where: { $0.active.count < Reactor.laneCapacity && $0.key == key }) {
      return lane
    }
    // Where there are many, one whose requests have ended gives way, and closes its connections.
    if lanes.count >= Reactor.manyLanes, let index = lanes.firstIndex(where: \.active.isEmpty),
      let lane = Lane(index, key, reactor: self)
    {
      lanes[index].close()
      lanes[index] = lane
      return lane
    }
    guard let lane = Lane(lanes.count, key, reactor: self) else {
      return lanes.first { $0.key == key }
    }
    lanes.append(lane)
    return lane
  }

  private func cancel(_ exchange: Exchange) {
    guard let easy = exchange.easy else { return }
    if let index = heldBack.firstIndex(where: { $0 === exchange }) {
      heldBack.remove(at: index)
      exchange.easy = nil
      return easy.clear()
    }
    // Removing the handle aborts its transfer: the connection is closed, or its stream reset.
    abandon(easy)
    end(exchange, .failure(.cancelled))
  }

  /// Takes `easy` out of its lane in the middle of a transfer. It is not used again.
  private func abandon(_ easy: EasyHandle) {
    easy.lane?.remove(easy)
    easy.clear()
  }

  private func end(_ exchange: Exchange, _ outcome: Exchange.Outcome) {
    exchange.easy = nil
    exchange.outcome = outcome
    ended.append(exchange)
  }

  /// Hands back what has ended.
  private func deliver() {
    guard !ended.isEmpty else { return }
    worker.served(ended.count)
    for exchange in ended {
      // The task is handed to `takes` from within.
      resumesLarge = exchange.bodySize >= Reactor.largeBody
      exchange.resume()
    }
    resumesLarge = false
    ended.removeAll(keepingCapacity: true)
  }

  private func collect(_ lane: Lane) {
    while let (easy, code) = lane.nextEnded() {
      lane.remove(easy)
      guard let exchange = easy.exchange else { continue }
      if easy.isHeldBack {
        holdBack(exchange, easy)
        continue
      }
      end(exchange, easy.outcome(code))
      easy.clear()
      if exchange.hasSucceeded, idle.count < Reactor.idleHandles { idle.append(easy) }
    }
  }

  private func close() {
    for lane in lanes {
      for easy in lane.active {
        let exchange = easy.exchange
        abandon(easy)
        if let exchange { end(exchange, .failure(.shutDown)) }
      }
    }
    deliver()
    for exchange in heldBack {
      exchange.easy?.clear()
      exchange.easy = nil
    }
    heldBack = []
    idle = []
    for lane in lanes { lane.close() }
    lanes = []
  }
}

// MARK: - Timers

extension Reactor {
  private func runTimers() {
    guard lanes.contains(where: { $0.deadline != .max }) else { return }
    let now = Reactor.now()
    for lane in lanes where lane.deadline <= now {
      lane.deadline = .max
      lane.act(CCURL_SOCKET_TIMEOUT, events: 0)
      collect(lane)
    }
  }

  /// -1: none is set.
  private var nanosecondsToNextTimer: Int64 {
    var nearest = silence.nextLook
    for lane in lanes { nearest = min(nearest, lane.deadline) }
    guard nearest != .max else { return -1 }
    let now = Reactor.now()
    return nearest > now ? Int64(clamping: nearest - now) : 0
  }

  /// Ends the transfers that have made no progress for as long as they may.
  private func endSilentTransfers() {
    guard silence.nextLook != .max else { return }
    let now = Reactor.now()
    let look = silence.begin(now)
    guard look.isDue else { return }
    for lane in lanes {
      for easy in lane.active {
        silence.add(easy.progress.limit)
        // Until the request leaves, `connectTimeout` counts.
        guard easy.sentCount > 0,
          easy.progress.isSilent(progress(of: easy), now, isLate: look.isLate),
          let exchange = easy.exchange
        else { continue }
        let error = easy.silence
        abandon(easy)
        end(exchange, .failure(error))
      }
    }
  }

  /// A number that changes with each byte of a transfer.
  private func progress(of easy: EasyHandle) -> UInt64 {
    let bytes = UInt64(truncatingIfNeeded: ccurl_get_progress(easy.handle))
    // Over TLS a connection may carry several requests, and bytes of none.
    guard !easy.isSecure, let socket = socket(of: easy) else { return bytes }
    return bytes &+ sockets.activity(socket)
  }

  private func socket(of easy: EasyHandle) -> Int32? {
    if easy.progress.descriptor < 0, easy.progress.localPort > 0 {
      easy.progress.descriptor = sockets.socket(localPort: easy.progress.localPort) ?? -1
    }
    return easy.progress.descriptor < 0 ? nil : easy.progress.descriptor
  }

  /// Nanoseconds of a clock that never goes back.
  static func now() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }
}

// MARK: - Sockets

extension Reactor {
  /// Waits for at most `nanoseconds`; negative: without end.
  private func wait(_ nanoseconds: Int64) {
    guard nanoseconds < 0 || nanoseconds > Reactor.nearby else {
      _ = serve(within: nanoseconds)
      return
    }
    let start = Reactor.now()
    var left = nanoseconds
    // One request after the other, each soon answered: its thread stays awake for the next answer.
    if isNearby, worker.load == 1, Reactor.hasSeveralProcessors {
      let end = start + UInt64(Reactor.nearby)
      repeat { if serve(within: 0) { return } } while Reactor.now() < end
      if left > 0 { left -= Reactor.nearby }
    }
    _ = serve(within: left)
    isNearby = Reactor.now() - start < 2 * UInt64(Reactor.nearby)
  }

  /// Gives libcurl what becomes ready. Returns `false` if nothing did.
  private func serve(within nanoseconds: Int64) -> Bool {
    let count = watcher.wait(nanoseconds, &events) { descriptor, flags in
      guard let number = sockets.noteEvent(descriptor) else { return }
      var action = Int32(flags & UInt32(CSOCKETS_READABLE | CSOCKETS_WRITABLE))
      if flags & UInt32(CSOCKETS_FAILED) != 0 {
        // Reading shows what happened.
        action |= Int32(CCURL_SELECT_IN | CCURL_SELECT_ERROR)
      }
      let lane = lanes[number]
      lane.act(Int(descriptor), events: action)
      collect(lane)
    }
    servedCount += count
    hasMore = count == events.count
    return count > 0
  }

  /// After jobs have taken long, what has arrived does not wait for more of them: libcurl would call
  /// it late.
  private func serveWhatJobsKeptWaiting() {
    while hasMore, jobTime > Reactor.enoughTime, servedCount < Reactor.enoughSockets {
      _ = serve(within: 0)
    }
    if !hasMore || servedCount >= Reactor.enoughSockets { (servedCount, jobTime) = (0, 0) }
  }

  func want(_ descriptor: Int32, _ events: Int32, lane: Int) {
    sockets.want(descriptor, events, lane: lane)
  }

  func didOpen(_ descriptor: Int32) { sockets.didOpen(descriptor) }

  func willClose(_ descriptor: Int32) { sockets.willClose(descriptor) }

  /// Whether the server has ended the connection that has the port `localPort` on this side.
  func hasEnded(localPort: Int32) -> Bool {
    sockets.socket(localPort: localPort) { csockets_has_ended($0) != 0 } != nil
  }
}

extension TransportError {
  static var shutDown: TransportError {
    TransportError(.cancelled, "the transport was shut down")
  }
}
