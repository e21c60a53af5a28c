#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// An error number of the operating system, in clearer words than the system's for some numbers.
package struct SystemError: Error, Sendable, Hashable {
  package let number: Int32

  package init(_ number: Int32) {
    self.number = number
  }

  /// The error that the last system call left.
  package static var last: SystemError { SystemError(errno) }

  /// The error of a path that leads to a pipe, a device or a socket, where only a file will do.
  package static let notAFile = SystemError(-1)

  /// A phrase in lower case: "no such file or folder".
  package var message: String {
    switch number {
    case Self.notAFile.number: "it is a pipe or a device, not a file"
    case ENOENT: "no such file or folder"
    case EACCES, EPERM: "permission denied"
    case EISDIR: "it is a folder"
    case ENOTDIR: "a part of the path is not a folder"
    case ENOSPC: "no space left on the device"
    case EROFS: "the file system is read-only"
    case ELOOP: "too many symbolic links"
    case ENAMETOOLONG: "the name is too long"
    case EMFILE, ENFILE: "too many open files"
    case EFBIG: "the file is too large"
    case EBADF: "it is closed"
    case EIO: "input/output error"
    default: strerror(number).map { String(cString: $0) } ?? "error \(number)"
    }
  }
}

/// Writes all of `bytes`, and gives the error number, or 0.
package func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Int32 {
  bytes.withUnsafeBytes { buffer in
    var rest = buffer[...]
    while !rest.isEmpty {
      let count = systemWrite(descriptor, UnsafeRawBufferPointer(rebasing: rest))
      if count >= 0 {
        rest = rest.dropFirst(count)
      } else if errno == EAGAIN {
        // A terminal that another program set to non-blocking: wait until it takes more.
        var poll = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = systemPoll(&poll)
      } else if errno != EINTR {
        return errno
      }
    }
    return 0
  }
}

private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
  write(descriptor, bytes.baseAddress, bytes.count)
}

private func systemPoll(_ descriptor: inout pollfd) -> Int32 {
  poll(&descriptor, 1, -1)
}
