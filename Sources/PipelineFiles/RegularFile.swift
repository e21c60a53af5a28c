#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// Files that others may have put in their place. A pipe, a device or a socket there is refused: it
/// may never give a byte, and opening a pipe waits for its other end.
package enum RegularFile {
  /// Opens a file as `open` does, without waiting.
  ///
  /// - Returns: A descriptor, which the caller closes.
  package static func open(
    _ path: String, _ flags: Int32, rights: UInt32 = 0o600
  ) throws(SystemError) -> Int32 {
    let descriptor = systemOpen(path, flags | O_CLOEXEC | O_NONBLOCK, mode_t(rights))
    guard descriptor >= 0 else {
      let error = SystemError.last
      // A pipe without a reader, and a socket.
      throw error.number == ENXIO ? .notAFile : error
    }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else {
      let error = SystemError.last
      close(descriptor)
      throw error
    }
    switch status.st_mode & S_IFMT {
    case S_IFREG: return descriptor
    case S_IFDIR:
      close(descriptor)
      throw SystemError(EISDIR)
    default:
      close(descriptor)
      throw .notAFile
    }
  }
}

private func systemOpen(_ path: String, _ flags: Int32, _ rights: mode_t) -> Int32 {
  open(path, flags, rights)
}
