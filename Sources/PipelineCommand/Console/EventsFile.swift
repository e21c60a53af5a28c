internal import JSONText
internal import PipelineKit

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// A file that events are written to while they happen, one JSON object a line.
actor EventsFile {
  nonisolated let path: String
  private let descriptor: Int32
  private var writer = JSONWriter()
  private var buffer: [UInt8] = []
  private var errorNumber: Int32 = 0

  private static let bufferSize = 1 << 16

  /// Makes the file, or empties it.
  init(path: String) throws(PathProblem) {
    self.path = path
    descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw PathProblem(path: path, reason: SystemError.last.message) }
  }

  deinit {
    close(descriptor)
  }

  func write(_ event: RunEvent) {
    writer.reset()
    event.write(to: &writer)
    buffer += writer.bytes
    buffer.append(0x0A)
    if buffer.count >= Self.bufferSize { flush() }
  }

  /// Hands on what is buffered, so that a reader sees it soon.
  func flush() {
    guard !buffer.isEmpty else { return }
    if errorNumber == 0 { errorNumber = writeAll(buffer, to: descriptor) }
    buffer.removeAll(keepingCapacity: true)
  }

  /// Writes the rest, and gives why not all could be written.
  func finish() -> PathProblem? {
    flush()
    return errorNumber == 0
      ? nil : PathProblem(path: path, reason: SystemError(errorNumber).message)
  }
}
