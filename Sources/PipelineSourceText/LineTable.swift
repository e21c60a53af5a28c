import Synchronization

/// The lines of a text, found when they are first asked for: a file without findings needs none.
final class LineTable: Sendable {
  private let bytes: [UInt8]
  private let found = Mutex<Lines?>(nil)

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  var lines: Lines {
    found.withLock { found in
      if let found { return found }
      let lines = Lines(bytes)
      found = lines
      return lines
    }
  }
}

/// Turns byte offsets into lines and columns.
struct Lines: Sendable {
  /// The start of each line. The first is 0.
  let starts: [Int]
  /// The number of columns before every `stride`th byte, counted from the file's start.
  private let columnsBefore: [Int]

  private static let stride = 4096

  /// - Complexity: O(bytes).
  fileprivate init(_ bytes: [UInt8]) {
    var starts = [0]
    var columns = [0]
    columns.reserveCapacity(bytes.count / Self.stride + 1)
    bytes.withUnsafeBufferPointer { bytes in
      var total = 0
      var offset = 0
      while offset < bytes.count {
        let end = min(offset + Self.stride, bytes.count)
        let chunk = UnsafeBufferPointer(rebasing: bytes[offset..<end])
        total += columnCount(chunk)
        for index in chunk.indices where chunk[index] == 0x0A { starts.append(offset + index + 1) }
        columns.append(total)
        offset = end
      }
    }
    self.starts = starts
    columnsBefore = columns
  }

  /// The line of the byte at `offset`, counted from 1: O(log lines).
  func number(at offset: Int) -> Int {
    var low = 0
    var high = starts.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if starts[middle] <= offset { low = middle } else { high = middle }
    }
    return low + 1
  }

  /// The number of columns before the byte at `offset`, counted from the file's start.
  func columns(before offset: Int, in bytes: [UInt8]) -> Int {
    let chunk = offset / Self.stride
    return bytes.withUnsafeBufferPointer { bytes in
      columnsBefore[chunk]
        + columnCount(UnsafeBufferPointer(rebasing: bytes[(chunk * Self.stride)..<offset]))
    }
  }
}

/// The number of `bytes` that are not UTF-8 continuation bytes.
private func columnCount(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
  var count = 0
  for byte in bytes where byte & 0xC0 != 0x80 { count &+= 1 }
  return count
}
