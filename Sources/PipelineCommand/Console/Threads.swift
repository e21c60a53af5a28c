internal import PipelineKit

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// The threads that a run needs. Swift's runtime waits for ever for one that cannot be started.
enum Threads {
  /// The threads of two tasks at a time, of the transport and of the sandbox.
  private static let needed = 4

  /// Why not enough of them can be started at a time; `nil` if they can.
  static var problem: String? {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    #if canImport(Darwin)
      var threads: [pthread_t?] = []
      var thread: pthread_t?
    #else
      var threads: [pthread_t] = []
      var thread = pthread_t()
    #endif
    var code: Int32 = 0
    let end = UnsafeMutableRawPointer(bitPattern: Int(ends[0]) + 1)
    while threads.count < needed, code == 0 {
      code = pthread_create(&thread, nil, { waitForEnd($0) }, end)
      if code == 0 { threads.append(thread) }
    }
    // All of them wait for this, so that all were there at a time.
    close(ends[1])
    for thread in threads {
      #if canImport(Darwin)
        if let thread { pthread_join(thread, nil) }
      #else
        pthread_join(thread, nil)
      #endif
    }
    close(ends[0])
    guard code != 0 else { return nil }
    return "cannot start \(needed) threads: \(SystemError(code).message); raise the limit of "
      + "processes ('ulimit -u') or of memory ('ulimit -v')"
  }
}

/// Returns when the other end of a pipe is closed. `end` is one more than the descriptor.
private func waitForEnd(_ end: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  var byte: UInt8 = 0
  while read(Int32(Int(bitPattern: end) - 1), &byte, 1) < 0, errno == EINTR {}
  return nil
}
