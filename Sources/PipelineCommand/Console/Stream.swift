internal import PipelineKit
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// Where the program writes to: stdout, stderr, or what a test collects.
package protocol Stream: Sendable {
  /// The size of the terminal that shows the stream; `nil` if none does.
  var terminal: TerminalSize? { get }

  /// Why an earlier write failed; `nil` if none did, or the reader went away.
  var failure: String? { get }

  /// Writes all of `bytes`. After a failure it does nothing.
  func write(_ bytes: [UInt8])
}

extension Stream {
  package func write(_ text: String) {
    if !text.isEmpty { write(Array(text.utf8)) }
  }
}

/// The columns and lines of a terminal.
package struct TerminalSize: Sendable, Hashable {
  package var width: Int
  package var height: Int

  package init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }
}

/// An open file descriptor, not owned.
///
/// A reader that went away (`| head -1`) is not a failure. Further output is dropped.
package final class DescriptorStream: Stream {
  private let descriptor: Int32
  private let errorNumber = Mutex<Int32>(0)

  package init(_ descriptor: Int32) {
    self.descriptor = descriptor
  }

  package static let output = DescriptorStream(STDOUT_FILENO)
  package static let error = DescriptorStream(STDERR_FILENO)

  /// Asked again each time, since a window can be resized.
  package var terminal: TerminalSize? {
    guard isatty(descriptor) == 1 else { return nil }
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
      return TerminalSize(width: 80, height: 24)
    }
    return TerminalSize(width: Int(size.ws_col), height: max(Int(size.ws_row), 1))
  }

  package var failure: String? {
    let number = errorNumber.withLock { $0 }
    return number == 0 || number == EPIPE ? nil : SystemError(number).message
  }

  package func write(_ bytes: [UInt8]) {
    errorNumber.withLock { number in
      guard number == 0 else { return }
      number = writeAll(bytes, to: descriptor)
    }
  }
}
