internal import PipelineByteText
internal import PipelineKit

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// A file that is written whole or not at all: readers of its path see the old content or the new,
/// never a part.
struct AtomicFile: Sendable {
  /// As the user gave it, for messages.
  let path: String
  /// Where the content goes in the end: links followed, so that a link stays one.
  let target: String
  /// A device or a pipe has no content to keep: it is written directly. So is the file that stdout
  /// or stderr goes to, which others may be writing.
  let isSpecial: Bool
  /// The descriptor that is open on the file already, if one is.
  private let standard: Int32?
  /// Whether only this user may read it, whatever the rights of the old file.
  private var isPrivate = false

  /// Finds out whether `path` can be written, and writes nothing yet.
  init(path: String) throws(PathProblem) {
    self.path = path
    var status = stat()
    let exists = stat(path, &status) == 0
    if exists, status.st_mode & S_IFMT == S_IFDIR {
      throw PathProblem(path: path, reason: "it is a folder")
    }
    if !exists, errno == ELOOP { throw PathProblem(path: path, reason: SystemError.last.message) }
    standard = standardDescriptor(writing: status, if: exists)
    isSpecial = exists && status.st_mode & S_IFMT != S_IFREG || standard != nil
    target = exists ? realPath(of: path) ?? path : linkTarget(of: path)
    let place = isSpecial ? target : PathText.folder(of: target)
    guard access(place, W_OK) == 0 else {
      let reason = SystemError.last
      throw PathProblem(
        path: path,
        reason: reason.number == ENOENT ? "no such folder '\(place)'" : reason.message)
    }
  }

  /// A file that only this user may read.
  init(privateAt path: String) throws(PathProblem) {
    try self.init(path: path)
    isPrivate = true
  }

  /// Whether there is something at the path now.
  var exists: Bool { access(target, F_OK) == 0 }

  /// Removes the file, if it can be removed.
  func remove() { unlink(target) }

  /// Finds out by trying whether a file can be made there. Leaves nothing behind.
  func prove() throws(PathProblem) {
    // A cancelled file is written and not renamed.
    try write(unless: { true }, { sink in sink([]) })
  }

  /// Replaces the content by `bytes`, which are on the disk when this returns.
  func write(_ bytes: [UInt8]) throws(PathProblem) {
    try write { sink in sink(bytes) }
  }

  /// Replaces the content by all that `content` gives to its sink, one part after the other, which
  /// is on the disk when this returns.
  ///
  /// - Parameter isCancelled: Asked when all is written: if so, the old content stays.
  func write(
    unless isCancelled: () -> Bool = { false },
    _ content: (_ sink: ([UInt8]) -> Void) -> Void
  ) throws(PathProblem) {
    if isSpecial { return try writeDirectly(content) }
    let folder = PathText.folder(of: target)
    let temporary = "\(folder)/.\(name).\(getpid()).tmp"
    unlink(temporary)
    let descriptor = open(
      temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, isPrivate ? 0o600 : 0o666)
    guard descriptor >= 0 else { throw failure(errno) }
    var status = stat()
    if !isPrivate, stat(target, &status) == 0 { fchmod(descriptor, status.st_mode & 0o777) }
    var number = write(content, to: descriptor)
    if number == 0, fsync(descriptor) != 0 { number = errno }
    if close(descriptor) != 0, number == 0 { number = errno }
    if isCancelled() {
      unlink(temporary)
      return
    }
    if number == 0, rename(temporary, target) != 0 { number = errno }
    guard number == 0 else {
      unlink(temporary)
      throw failure(number)
    }
    Self.synchronize(folder: folder)
  }

  /// Creates a folder and its missing parents, accessible by this user alone.
  static func makeFolders(_ path: String) throws(PathProblem) {
    var made = path.hasPrefix(bytes: "/") ? "" : "."
    for part in path.split(ascii: "/", omittingEmptySubsequences: true) {
      made += "/" + part
      if mkdir(made, 0o700) == 0 {
        // The state in it is to be there after a loss of power.
        synchronize(folder: PathText.folder(of: made))
        continue
      }
      guard errno != EEXIST else { continue }
      let error = SystemError.last
      // A parent may exist and be read-only.
      var status = stat()
      if stat(made, &status) == 0 { continue }
      throw PathProblem(path: made, reason: error.message)
    }
  }

  /// Removes what killed processes left of their writing. No other process may be writing.
  func removeTemporaries() {
    let folder = PathText.folder(of: target)
    for name in (try? folderEntries(folder)) ?? []
    where name.hasPrefix(bytes: ".\(self.name).") && name.hasSuffix(bytes: ".tmp") {
      unlink(folder + "/" + name)
    }
  }

  private var name: String { target.split(ascii: "/").last.map(String.init) ?? target }

  /// Makes the names in a folder survive a loss of power.
  static func synchronize(folder path: String) {
    let folder = open(path, O_RDONLY | O_CLOEXEC)
    guard folder >= 0 else { return }
    fsync(folder)
    close(folder)
  }

  private func writeDirectly(_ content: (([UInt8]) -> Void) -> Void) throws(PathProblem) {
    let descriptor = standard.map { dup($0) } ?? open(target, O_WRONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure(errno) }
    defer { close(descriptor) }
    let number = write(content, to: descriptor)
    if number != 0 { throw failure(number) }
  }

  /// The number of the first error; 0: all is written.
  private func write(_ content: (([UInt8]) -> Void) -> Void, to descriptor: Int32) -> Int32 {
    var number: Int32 = 0
    content { bytes in
      if number == 0 { number = writeAll(bytes, to: descriptor) }
    }
    return number
  }

  private func failure(_ number: Int32) -> PathProblem {
    PathProblem(path: path, reason: SystemError(number).message)
  }
}

/// The descriptor among stdout and stderr that writes to the same file; `nil` if neither does.
func standardDescriptor(writing file: stat, if exists: Bool = true) -> Int32? {
  guard exists, file.st_mode & S_IFMT == S_IFREG else { return nil }
  return [STDOUT_FILENO, STDERR_FILENO].first { descriptor in
    var other = stat()
    return fstat(descriptor, &other) == 0 && other.st_dev == file.st_dev
      && other.st_ino == file.st_ino
  }
}
