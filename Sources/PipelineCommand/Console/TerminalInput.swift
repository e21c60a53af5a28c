internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// A person at a terminal, who types lines.
package struct TerminalInput: Sendable {
  /// A line without its end; `nil` if there is none left, or if the task was cancelled. A secret
  /// one is not shown while it is typed.
  package var line: @Sendable (_ isSecret: Bool) async -> String?

  package init(line: @escaping @Sendable (_ isSecret: Bool) async -> String?) {
    self.line = line
  }

  /// The terminal of the process; `nil` if it has none that a person could be asked at.
  static func process() -> TerminalInput? {
    guard isatty(STDIN_FILENO) == 1, isatty(STDERR_FILENO) == 1 else { return nil }
    return TerminalInput { isSecret in
      let isOver = Flag()
      return await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
          startThread { continuation.resume(returning: Self.read(isSecret, until: isOver)) }
        }
      } onCancel: {
        isOver.raise()
      }
    }
  }

  private final class Flag: Sendable {
    private let value = Atomic(false)
    func raise() { value.store(true, ordering: .relaxed) }
    var isRaised: Bool { value.load(ordering: .relaxed) }
  }

  private static let longestLine = 64 << 10

  private static func read(_ isSecret: Bool, until isOver: Flag) -> String? {
    var settings = termios()
    let hidesText = isSecret && tcgetattr(STDIN_FILENO, &settings) == 0
    if hidesText {
      var hidden = settings
      hidden.c_lflag &= ~tcflag_t(ECHO)
      tcsetattr(STDIN_FILENO, TCSANOW, &hidden)
    }
    defer { if hidesText { tcsetattr(STDIN_FILENO, TCSANOW, &settings) } }
    var bytes: [UInt8] = []
    while !isOver.isRaised {
      var descriptor = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
      guard poll(&descriptor, 1, 100) > 0 else { continue }
      var byte: UInt8 = 0
      let count = withUnsafeMutableBytes(of: &byte) { buffer in
        buffer.baseAddress.map { readByte($0) } ?? -1
      }
      if count < 0, errno == EINTR { continue }
      guard count == 1 else { return bytes.isEmpty ? nil : text(bytes) }
      if byte == UInt8(ascii: "\n") { return text(bytes) }
      if bytes.count < longestLine { bytes.append(byte) }
    }
    return nil
  }

  private static func readByte(_ buffer: UnsafeMutableRawPointer) -> Int {
    #if canImport(Glibc)
      Glibc.read(STDIN_FILENO, buffer, 1)
    #else
      Darwin.read(STDIN_FILENO, buffer, 1)
    #endif
  }

  private static func text(_ bytes: [UInt8]) -> String {
    let end = bytes.last == UInt8(ascii: "\r") ? 1 : 0
    return String(decoding: bytes.dropLast(end), as: UTF8.self)
  }
}
