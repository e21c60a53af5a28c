internal import CPipelineSockets

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Wakes the event loop from another thread. Both ends are closed with the last reference, so that
/// no reused descriptor number is written to.
final class WakePipe: Sendable {
  let reader: Int32
  private let writer: Int32

  init() throws(ServerError) {
    var ends: [Int32] = [-1, -1]
    guard csockets_pipe(&ends) == 0 else { throw .system(call: "pipe", code: errno) }
    (reader, writer) = (ends[0], ends[1])
  }

  deinit {
    Socket.close(reader)
    Socket.close(writer)
  }

  func drain() {
    var bytes = (UInt64(0), UInt64(0), UInt64(0), UInt64(0))
    while read(reader, &bytes, MemoryLayout.size(ofValue: bytes)) > 0 {}
  }

  func signal() {
    var byte: UInt8 = 1
    _ = write(writer, &byte, 1)
  }
}
