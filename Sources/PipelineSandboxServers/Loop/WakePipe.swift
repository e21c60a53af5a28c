#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Wakes the event loop from another thread. Both ends are closed with the last reference, so that
/// no number is used for a descriptor that is another's by then.
final class WakePipe: Sendable {
  let reader: Int32
  private let writer: Int32

  init() throws(SandboxError) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw .system(call: "pipe", code: errno) }
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    (reader, writer) = (ends[0], ends[1])
  }

  deinit {
    Socket.close(reader)
    Socket.close(writer)
  }

  func signal() {
    var byte: UInt8 = 1
    _ = write(writer, &byte, 1)
  }
}
