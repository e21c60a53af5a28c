public import PipelineRecordings
internal import Synchronization

/// Where a recording's entries wait until the run has ended and they can be sorted.
public protocol RecordingSpool: Sendable {
  /// Adds a text, and says if it is.
  func append(_ text: [UInt8]) throws(RecordingProblem) -> Range<Int>
  /// Some bytes of the appended text.
  func read(_ range: Range<Int>) throws(RecordingProblem) -> [UInt8]
}

/// Entries in memory.
public final class MemorySpool: RecordingSpool {
  private let bytes = Mutex<[UInt8]>([])

  /// An empty spool.
  public init() {}

  /// Appends a text, and says if it is.
  public func append(_ text: [UInt8]) throws(RecordingProblem) -> Range<Int> {
    bytes.withLock { bytes in
      let start = bytes.count
      bytes += text
      return start..<bytes.count
    }
  }

  /// Some bytes of the appended text.
  public func read(_ range: Range<Int>) throws(RecordingProblem) -> [UInt8] {
    bytes.withLock { Array($0[range]) }
  }
}
