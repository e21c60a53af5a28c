internal import Synchronization

/// Rows that are written during the run, one line each.
final class RowLines: Sendable {
  private let stream: JSONStream
  private let buffer = Mutex<[UInt8]>([])

  private static let bufferSize = 1 << 16

  init(_ stream: JSONStream) {
    self.stream = stream
  }

  func write(_ row: [UInt8]) {
    buffer.withLock { buffer in
      buffer += row
      buffer.append(0x0A)
      if buffer.count >= Self.bufferSize { flush(&buffer) }
    }
  }

  /// Flushes the buffer, so that a reader sees it soon.
  func flush() {
    buffer.withLock { flush(&$0) }
  }

  private func flush(_ buffer: inout [UInt8]) {
    if !buffer.isEmpty { stream.write(buffer) }
    buffer.removeAll(keepingCapacity: true)
  }
}
