internal import CPipelineSockets

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Readiness of descriptors: epoll or kqueue. Its owner closes it.
struct Poller: Sendable {
  struct Interest: OptionSet {
    let rawValue: Int32
    static let readable = Interest(rawValue: Int32(CSOCKETS_READABLE))
    static let writable = Interest(rawValue: Int32(CSOCKETS_WRITABLE))
    static let failed = Interest(rawValue: Int32(CSOCKETS_FAILED))
  }

  private let descriptor: Int32

  init() throws(ServerError) {
    descriptor = csockets_poller()
    guard descriptor >= 0 else { throw .system(call: "epoll_create1", code: errno) }
  }

  func close() { Socket.close(descriptor) }

  /// False if the system refuses because it lacks memory.
  func add(_ descriptor: Int32, token: UInt64, _ interest: Interest) -> Bool {
    csockets_watch(self.descriptor, descriptor, token, -1, interest.rawValue) == 0
  }

  func change(
    _ descriptor: Int32, token: UInt64, from known: Interest, to interest: Interest
  ) {
    _ = csockets_watch(self.descriptor, descriptor, token, known.rawValue, interest.rawValue)
  }

  /// Waits for at most `nanoseconds`. Returns how many of `events` are filled in.
  func wait(nanoseconds: UInt64, into events: inout [csockets_event]) -> Int {
    let count = csockets_wait(
      descriptor, &events, Int32(events.count), Int64(clamping: nanoseconds))
    return Int(max(0, count))
  }
}
