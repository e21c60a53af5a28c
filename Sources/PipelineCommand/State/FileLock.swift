internal import PipelineKit

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// A lock that one process at a time holds, on a file that exists only meanwhile.
///
/// The operating system releases the lock whenever the process ends, in whatever way.
final class FileLock: Sendable {
  private let path: String
  private let descriptor: Int32

  /// Takes the lock, or says why that cannot be.
  init(path: String) throws(Refusal) {
    self.path = path
    while true {
      let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
      guard descriptor >= 0 else { throw .failed(SystemError.last) }
      // On a file system without locks, whoever has it finds other changes when it writes.
      if flock(descriptor, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK {
        close(descriptor)
        throw .held
      }
      // The previous holder may have removed the file in between.
      var own = stat()
      var named = stat()
      if fstat(descriptor, &own) == 0, stat(path, &named) == 0, own.st_ino == named.st_ino,
        own.st_dev == named.st_dev
      {
        self.descriptor = descriptor
        return
      }
      close(descriptor)
    }
  }

  /// Why there is no lock.
  enum Refusal: Error {
    case held
    case failed(SystemError)
  }

  deinit {
    // While it is held, so that nobody else's is taken away.
    unlink(path)
    close(descriptor)
  }
}
