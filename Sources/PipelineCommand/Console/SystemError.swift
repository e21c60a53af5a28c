#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// An error number of the operating system, in words of ours where ours are clearer.
struct SystemError: Error, Sendable, Hashable {
  let number: Int32

  init(_ number: Int32) {
    self.number = number
  }

  /// The error that the last system call left.
  static var last: SystemError { SystemError(errno) }

  /// A phrase in lower case: "no such file or folder".
  var message: String {
    switch number {
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
    case EIO: "input/output error"
    default: strerror(number).map { String(cString: $0) } ?? "error \(number)"
    }
  }
}
