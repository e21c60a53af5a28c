#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// A signal that asks the program to end.
package enum Interrupt: Sendable {
  /// Ctrl-C.
  case interrupt
  /// SIGTERM, or the terminal was closed.
  case terminate

  /// The signals that arrive from now on. The second one ends the process at once, whatever it does.
  ///
  /// To be called once: it takes over `SIGINT`, `SIGTERM` and `SIGHUP` for the rest of the process,
  /// the last one unless it is ignored, as under nohup.
  static func all() -> AsyncStream<Interrupt> {
    let (stream, continuation) = AsyncStream.makeStream(of: Interrupt.self)
    // A handler may do almost nothing, so it only writes a byte into a pipe (the self-pipe trick).
    // sigwait in a thread would not work, because libdispatch unblocks all signals on the main
    // thread.
    guard SignalPipe.shared.isOpen else { return stream }
    for number in [SIGINT, SIGTERM, SIGHUP] where number != SIGHUP || !isIgnored(number) {
      var action = sigaction()
      #if canImport(Darwin)
        action.__sigaction_u.__sa_handler = passOn
      #else
        action.__sigaction_handler.sa_handler = passOn
      #endif
      action.sa_flags = SA_RESTART
      sigaction(number, &action, nil)
    }
    startThread {
      var count = 0
      var isHungUp = false
      while let number = SignalPipe.shared.next() {
        // Both the shell and the kernel may tell that the terminal was closed.
        if number == UInt8(SIGHUP), isHungUp { continue }
        isHungUp = isHungUp || number == UInt8(SIGHUP)
        count += 1
        if count > 1 { _exit(ExitStatus.interrupted.rawValue) }
        continuation.yield(number == UInt8(SIGINT) ? .interrupt : .terminate)
      }
    }
    return stream
  }

  private static func isIgnored(_ number: Int32) -> Bool {
    var action = sigaction()
    sigaction(number, nil, &action)
    return action.isHandled(by: SIG_IGN)
  }
}

/// The pipe between the signal handler and the thread that waits for signals.
private struct SignalPipe: Sendable {
  /// Made before any handler is set, so that a handler finds it made.
  static let shared = SignalPipe()

  private let readEnd: Int32
  let writeEnd: Int32

  private init() {
    var ends: [Int32] = [-1, -1]
    _ = pipe(&ends)
    for end in ends where end >= 0 { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    (readEnd, writeEnd) = (ends[0], ends[1])
  }

  var isOpen: Bool { writeEnd >= 0 }

  /// The next signal's number; blocks.
  func next() -> UInt8? {
    var byte: UInt8 = 0
    while true {
      let count = read(readEnd, &byte, 1)
      if count == 1 { return byte }
      if count == 0 || errno != EINTR { return nil }
    }
  }
}

/// The signal handler: async-signal-safe, as it only calls write(2) and keeps errno.
private func passOn(_ number: Int32) {
  let before = errno
  var byte = UInt8(truncatingIfNeeded: number)
  _ = write(SignalPipe.shared.writeEnd, &byte, 1)
  errno = before
}
