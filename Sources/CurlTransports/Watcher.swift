import CPipelineSockets

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A set of watched sockets, and a signal by which another thread ends a wait.
///
/// Its owner must not use it after `close()`.
struct Watcher: Sendable {
  /// A socket, and the flags (`CSOCKETS_…`) of the events that it is ready for.
  typealias Event = csockets_event

  /// A socket that is not yet watched for all its events.
  static let unwatched: Int32 = -1
  private static let wakeToken = UInt64.max

  private let poller: Int32
  private let wakeReader: Int32
  private let wakeWriter: Int32

  /// `nil` if the process has no descriptors left.
  init?() {
    var ends: [Int32] = [-1, -1]
    poller = csockets_poller()
    guard poller >= 0, csockets_pipe(&ends) == 0 else {
      if poller >= 0 { Watcher.closeDescriptor(poller) }
      return nil
    }
    (wakeReader, wakeWriter) = (ends[0], ends[1])
    _ = csockets_watch(
      poller, wakeReader, Watcher.wakeToken, Watcher.unwatched, Int32(CSOCKETS_READABLE))
  }

  func close() {
    for descriptor in [poller, wakeReader, wakeWriter] { Watcher.closeDescriptor(descriptor) }
  }

  /// Watches a socket for `flags`, having watched it for `known` until now.
  func watch(_ socket: Int32, for flags: Int32, known: Int32) -> Bool {
    csockets_watch(poller, socket, UInt64(UInt32(bitPattern: socket)), known, flags) == 0
  }

  func unwatch(_ socket: Int32, known: Int32) {
    _ = csockets_unwatch(poller, socket, known)
  }

  /// Waits for at most `nanoseconds` (negative: without end) and calls `body` with each ready
  /// socket and its events. Returns the number of these sockets, plus one if it was woken.
  func wait(
    _ nanoseconds: Int64, _ events: inout [Event], _ body: (Int32, _ flags: UInt32) -> Void
  ) -> Int {
    let count = max(0, Int(csockets_wait(poller, &events, Int32(events.count), nanoseconds)))
    for index in 0..<count {
      if events[index].token == Watcher.wakeToken {
        drain()
      } else {
        body(Int32(truncatingIfNeeded: events[index].token), events[index].flags)
      }
    }
    return count
  }

  /// Ends the current or the next wait. May be called from any thread.
  func wake() {
    var byte: UInt8 = 0
    // A full pipe holds a wake-up already.
    _ = write(wakeWriter, &byte, 1)
  }

  private func drain() {
    var bytes: UInt64 = 0
    while read(wakeReader, &bytes, MemoryLayout.size(ofValue: bytes)) > 0 {}
  }

  private static func closeDescriptor(_ descriptor: Int32) {
    #if canImport(Glibc)
      _ = Glibc.close(descriptor)
    #else
      _ = Darwin.close(descriptor)
    #endif
  }
}
