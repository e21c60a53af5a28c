internal import PipelineKit

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// A lock that one process at a time holds, on a file that exists only while it is held.
///
/// The operating system releases the lock whenever the process ends, in whatever way.
final class FileLock: Sendable {
  private let path: String
  private let descriptor: Int32

  /// Takes the lock, or throws the reason why it cannot.
  init(path: String) throws(Refusal) {
    self.path = path
    while true {
      let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
      guard descriptor >= 0 else { throw .failed(SystemError.last) }
      // On a file system without locks, the holder finds other changes when it writes.
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

  /// Waits until no other process has the lock.
  ///
  /// - Parameter limit: How long; a process that keeps it for longer has been stopped.
  static func waiting(
    for path: String, within limit: Duration
  ) throws(Refusal) -> FileLock {
    let last = ContinuousClock.now + limit
    while true {
      do throws(Refusal) {
        return try FileLock(path: path)
      } catch {
        guard case .held = error, ContinuousClock.now < last else { throw error }
      }
      // flock(2) waits forever or not at all, so the lock is tried again.
      usleep(2_000)
    }
  }

  /// The same for a lock that may be held for as long as a server takes. No thread waits.
  ///
  /// - Throws: `Refusal`, or `CancellationError` if the task is cancelled.
  static func awaiting(_ path: String, within limit: Duration) async throws -> FileLock {
    let last = ContinuousClock.now + limit
    while true {
      do throws(Refusal) {
        return try FileLock(path: path)
      } catch {
        guard case .held = error, ContinuousClock.now < last else { throw error }
      }
      try await Task.sleep(for: .milliseconds(20))
    }
  }

  deinit {
    // While the lock is held, so that no other process's file is removed.
    unlink(path)
    close(descriptor)
  }
}
