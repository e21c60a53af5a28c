internal import Synchronization

/// The last of what a run wrote.
final class RunText: Stream {
  private let bytes = Mutex<[UInt8]>([])
  private static let limit = 1 << 20

  var terminal: TerminalSize? { nil }
  var failure: String? { nil }

  func write(_ new: [UInt8]) {
    bytes.withLock { bytes in
      bytes += new
      if bytes.count > Self.limit { bytes.removeFirst(bytes.count - Self.limit) }
    }
  }

  var text: String { bytes.withLock { String(decoding: $0, as: UTF8.self) } }
}
