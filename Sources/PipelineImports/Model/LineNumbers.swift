internal import PipelineByteText

/// The lines of a file by offset.
struct LineNumbers: Sendable {
  private var ends: [Int] = []

  init(_ bytes: [UInt8]) {
    for (offset, byte) in bytes.enumerated() where byte == UInt8(ascii: "\n") {
      ends.append(offset)
    }
  }

  /// The line of a byte, from 1.
  ///
  /// - Complexity: O(log *n*) in the number of lines.
  func line(of offset: Int) -> Int { ends.partitioningIndex { $0 >= offset } + 1 }
}
