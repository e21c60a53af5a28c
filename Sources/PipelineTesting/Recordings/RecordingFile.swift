internal import PipelineKit
public import PipelineRecordings
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// A recording in a file, read piece by piece.
public final class RecordingFile: RecordingSource {
  private let descriptor: Int32
  /// The size of the file in bytes.
  public let size: Int

  /// Opens a file for reading.
  public init(path: String) throws(RecordingProblem) {
    do throws(SystemError) {
      descriptor = try RegularFile.open(path, O_RDONLY)
    } catch {
      throw RecordingProblem("cannot be read: \(error.message)")
    }
    let end = lseek(descriptor, 0, SEEK_END)
    guard end >= 0 else {
      close(descriptor)
      throw RecordingProblem("cannot be read: it is not a file")
    }
    size = Int(end)
  }

  deinit { close(descriptor) }

  /// Some bytes of the file.
  public func read(_ range: Range<Int>) throws(RecordingProblem) -> [UInt8] {
    try descriptor.read(range)
  }
}

/// Entries in a file that has no name and ends with the program. It holds no secrets.
public final class FileSpool: RecordingSpool {
  private let descriptor: Int32
  private let size = Mutex(0)

  /// - Parameter folder: Where the file is made.
  public init(folder: String) throws(RecordingProblem) {
    // The file has no name from the start, so that nothing remains however the process ends.
    var path = Array((folder + "/.pipeline-recording-XXXXXX").utf8CString)
    descriptor = mkstemp(&path)
    guard descriptor >= 0 else {
      throw RecordingProblem("cannot be written: \(SystemError.last.message)")
    }
    unlink(path)
  }

  deinit { close(descriptor) }

  /// Appends a text, and says if it is.
  public func append(_ text: [UInt8]) throws(RecordingProblem) -> Range<Int> {
    let start = size.withLock { size in
      defer { size += text.count }
      return size
    }
    var written = 0
    while written < text.count {
      let count = text[written...].withUnsafeBytes {
        pwrite(descriptor, $0.baseAddress, $0.count, off_t(start + written))
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else {
        throw RecordingProblem("cannot be written: \(SystemError.last.message)")
      }
      written += count
    }
    return start..<start + text.count
  }

  /// Some bytes of the appended text.
  public func read(_ range: Range<Int>) throws(RecordingProblem) -> [UInt8] {
    try descriptor.read(range)
  }
}

extension Int32 {
  /// The bytes of a range of the file, or fewer at its end.
  fileprivate func read(_ range: Range<Int>) throws(RecordingProblem) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: range.count)
    var done = 0
    while done < bytes.count {
      let count = bytes[done...].withUnsafeMutableBytes {
        pread(self, $0.baseAddress, $0.count, off_t(range.lowerBound + done))
      }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else {
        throw RecordingProblem("cannot be read: \(SystemError.last.message)")
      }
      if count == 0 { break }
      done += count
    }
    return Array(bytes[..<done])
  }
}
