internal import PipelineByteText
internal import PipelineKit

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// A file of a run's folder, opened for reading. Other users may write into the folder, so what is
/// there may be no file at all.
struct PartFile: ~Copyable {
  let descriptor: Int32
  let status: stat

  /// - Throws: A problem if there is no regular file at the path. A pipe is refused at once.
  init(path: String) throws(PathProblem) {
    // Opening a pipe without O_NONBLOCK waits for a writer.
    let file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard file >= 0 else { throw PathProblem(path: path, reason: SystemError.last.message) }
    var status = stat()
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(file)
      throw PathProblem(path: path, reason: "it is not a regular file")
    }
    descriptor = file
    self.status = status
  }

  deinit { close(descriptor) }

  /// Up to `count` bytes from `offset` on; fewer at the end of the file.
  func bytes(from offset: Int = 0, count: Int) throws(SystemError) -> [UInt8] {
    var bytes: [UInt8] = []
    var problem: SystemError?
    while bytes.count < count, problem == nil {
      let (start, wanted) = (offset + bytes.count, min(count - bytes.count, 1 << 20))
      let part = [UInt8](unsafeUninitializedCapacity: wanted) { buffer, length in
        let result = pread(descriptor, buffer.baseAddress, wanted, off_t(start))
        if result < 0, errno != EINTR { problem = SystemError.last }
        length = max(result, 0)
      }
      if part.isEmpty, problem == nil { break }
      if bytes.isEmpty { bytes = part } else { bytes += part }
    }
    if let problem { throw problem }
    return bytes
  }

  /// The content of a file, up to `limit` bytes.
  static func read(_ path: String, limit: Int = .max) throws(PathProblem) -> [UInt8] {
    let file = try PartFile(path: path)
    let size = Int(file.status.st_size)
    guard size <= limit else {
      throw PathProblem(path: path, reason: "it is larger than \(limit >> 20) MB")
    }
    do throws(SystemError) {
      return try file.bytes(count: size)
    } catch {
      throw PathProblem(path: path, reason: error.message)
    }
  }
}
