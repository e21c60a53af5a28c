#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// The attributes of a file, without reading it. A file with other content has another signature.
struct FileSignature: Sendable, Hashable {
  private let node: UInt64
  private let size: Int
  private let modified: [Int]

  /// The same in one word.
  var text: String {
    ([String(node), String(size)] + modified.map { String($0) }).joined(separator: "-")
  }

  /// - Returns: `nil` if there is nothing at the path.
  init?(of path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    node = UInt64(status.st_ino)
    size = Int(status.st_size)
    #if canImport(Darwin)
      let (written, changed) = (status.st_mtimespec, status.st_ctimespec)
    #else
      let (written, changed) = (status.st_mtim, status.st_ctim)
    #endif
    modified = [written.tv_sec, written.tv_nsec, changed.tv_sec, changed.tv_nsec]
  }
}
