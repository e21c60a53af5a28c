internal import PipelineByteText
internal import PipelineKit

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// A small text that several processes change, one at a time.
struct SharedFile: Sendable {
  let path: String

  private static let limit = 1 << 20

  /// Replaces the text by what `change` makes of it, unless another process does so at this moment.
  ///
  /// - Returns: `nil` if another process has the file.
  func change<Result>(
    _ change: (inout String) throws -> Result
  ) throws(FailureReason) -> Result? {
    // It is opened each time: it may have been removed, and NFS reads it again only then.
    let file = open(path, O_RDWR | O_CREAT | O_NONBLOCK | O_CLOEXEC, 0o666)
    guard file >= 0 else { throw problem }
    defer { close(file) }
    guard flock(file, LOCK_EX | LOCK_NB) == 0 else {
      if errno == EWOULDBLOCK || errno == EINTR { return nil }
      throw problem
    }
    var status = stat()
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw FailureReason(.file, "'\(path)' is not a regular file, so no limit can be kept in it")
    }
    let size = min(Int(status.st_size), Self.limit)
    let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      count = max(0, pread(file, buffer.baseAddress, size, 0))
    }
    var text = String(decoding: bytes, as: UTF8.self)
    let result: Result
    do {
      result = try change(&text)
    } catch {
      throw FailureReason(.file, "\(error)")
    }
    let written = Array(text.utf8)
    let count = written.withUnsafeBytes { pwrite(file, $0.baseAddress, $0.count, 0) }
    guard count == written.count, ftruncate(file, off_t(count)) == 0 else { throw problem }
    return result
  }

  private var problem: FailureReason {
    FailureReason(.file, "'\(path)' cannot be written: \(SystemError.last.message)")
  }
}
