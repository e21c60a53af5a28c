internal import PipelineByteText
internal import PipelineKit
internal import PipelineReports
internal import SQLiteJournals
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// The log of a run, for the process that carries the run out.
final class TraceFile: Sendable {
  private let descriptor: Int32
  /// The bytes of all whole frames; `nil` if one could not be written, so none follows.
  private let size: Mutex<Int?>

  /// Goes on after the last whole frame of earlier processes.
  ///
  /// - Returns: `nil` if the file cannot be written. Then reports of the run lack what it does.
  init?(path: String) {
    guard let descriptor = try? RegularFile.open(path, O_RDWR | O_CREAT) else { return nil }
    let size = Self.wholeFrames(of: descriptor)
    guard ftruncate(descriptor, off_t(size)) == 0, lseek(descriptor, off_t(size), SEEK_SET) >= 0
    else {
      close(descriptor)
      return nil
    }
    self.descriptor = descriptor
    self.size = Mutex(size)
  }

  deinit { close(descriptor) }

  /// Appends a frame. Without room for it the log ends.
  func append(_ frame: [UInt8]) {
    size.withLock { size in
      guard let before = size else { return }
      if writeAll(frame, to: descriptor) == 0 {
        size = before + frame.count
      } else {
        _ = ftruncate(descriptor, off_t(before))
        size = nil
      }
    }
  }

  /// The size of all frames that are whole.
  private static func wholeFrames(of descriptor: Int32) -> Int {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return 0 }
    let end = Int(status.st_size)
    var position = 0
    var head = [UInt8](repeating: 0, count: 4)
    while pread(descriptor, &head, head.count, off_t(position)) == head.count,
      let size = TraceLogReader.size(head[...]), position + head.count + size <= end
    {
      position += head.count + size
    }
    return position
  }
}

/// Reads the log of a run, as far as it has come.
struct TraceReading {
  private var reader: TraceLogReader
  private let path: String
  private var position = 0

  init(of run: String, in store: RunStore) {
    // A version before logs kept a trace itself.
    let earlier = store.trace(of: run).flatMap { try? RunTrace(json: $0) }
    reader = TraceLogReader(after: earlier)
    path = store.traceLogPath(of: run)
  }

  /// The trace of all that has come so far; `nil` if nothing has.
  ///
  /// - Parameter wallTime: The time of day, if a process carries the run out now.
  mutating func trace(at wallTime: Double?) -> RunTrace? {
    readOn()
    guard reader.count > 0 else { return reader.earlier }
    return reader.trace(at: wallTime)
  }

  private mutating func readOn() {
    guard let descriptor = try? RegularFile.open(path, O_RDONLY) else { return }
    defer { close(descriptor) }
    var buffer = [UInt8](repeating: 0, count: 1 << 18)
    while true {
      let count = pread(descriptor, &buffer, buffer.count, off_t(position))
      if count > 0 {
        reader.read(buffer[..<count])
        position += count
      } else if count == 0 || errno != EINTR {
        return
      }
    }
  }
}

extension RunStore {
  /// What a run did, for its reports; `nil` if nothing was kept.
  ///
  /// - Parameter wallTime: The time of day, if a process carries the run out now.
  func runTrace(of run: String, at wallTime: Double? = nil) -> RunTrace? {
    var reading = TraceReading(of: run, in: self)
    return reading.trace(at: wallTime)
  }
}
