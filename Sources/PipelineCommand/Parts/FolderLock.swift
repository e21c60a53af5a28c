internal import PipelineByteText
internal import PipelineKit

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// A lock that one process has at a time: on all machines, if the file system hands locks on.
struct FolderLock: ~Copyable {
  private let descriptor: Int32

  /// Waits until no other process has the lock.
  ///
  /// - Throws: A problem if the file cannot be made, or if its file system has no locks.
  init(path: String) throws(PartFolder.Problem) {
    let file = open(path, O_RDWR | O_CREAT | O_NONBLOCK | O_CLOEXEC, 0o666)
    guard file >= 0 else {
      throw PartFolder.Problem(
        description: "'\(path)' cannot be written: \(SystemError.last.message)")
    }
    while flock(file, LOCK_EX) != 0 {
      if errno == EINTR { continue }
      let problem = Self.missing(path, SystemError.last)
      close(file)
      throw problem
    }
    descriptor = file
  }

  deinit { close(descriptor) }

  /// Whether another process holds a lock on the file.
  ///
  /// - Throws: A problem if its file system has no locks.
  static func isHeld(on descriptor: Int32, of path: String) throws(PartFolder.Problem) -> Bool {
    while flock(descriptor, LOCK_SH | LOCK_NB) != 0 {
      switch errno {
      case EINTR: continue
      case EWOULDBLOCK: return true
      default: throw missing(path, SystemError.last)
      }
    }
    flock(descriptor, LOCK_UN)
    return false
  }

  static func missing(_ path: String, _ error: SystemError) -> PartFolder.Problem {
    PartFolder.Problem(
      description: "'\(path)' cannot be locked: \(error.message); parts need a file system whose"
        + " locks hold between machines", isFinal: true)
  }

  // MARK: What can be tested

  /// Finds out whether the locks of a folder's file system mean something.
  ///
  /// - Returns: What the mount says against locks between machines; `nil` if there is nothing.
  static func test(in folder: String) throws(PartFolder.Problem) -> String? {
    let path = "\(folder)/.locks-\(Run.randomID())"
    let (first, second) = (
      open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600), open(path, O_RDWR | O_CLOEXEC)
    )
    defer {
      close(first)
      close(second)
      unlink(path)
    }
    guard first >= 0, second >= 0 else {
      throw PartFolder.Problem(
        description: "'\(folder)' cannot be written: \(SystemError.last.message)", isFinal: true)
    }
    guard flock(first, LOCK_EX | LOCK_NB) == 0 else { throw missing(folder, SystemError.last) }
    guard try isHeld(on: second, of: folder) else {
      throw PartFolder.Problem(
        description: "the file system of '\(folder)' grants a lock to two processes at once; parts"
          + " need a file system whose locks hold between machines", isFinal: true)
    }
    flock(first, LOCK_UN)
    var range = flock()
    range.l_type = Int16(F_WRLCK)
    range.l_whence = Int16(SEEK_SET)
    // SQLite locks the journals of the parts in this way.
    guard fcntl(first, F_SETLK, &range) == 0 else { throw missing(folder, SystemError.last) }
    return mountNote(of: folder)
  }

  /// Options of a mount with which locks stay on their own machine.
  private static let localOptions = [
    "nolock", "local_lock=all", "local_lock=flock", "local_lock=posix", "localflock",
  ]

  private static func mountNote(of folder: String) -> String? {
    guard let real = realPath(of: folder) else { return nil }
    // A file of the system is a regular file that has no size.
    guard let file = try? PartFile(path: "/proc/self/mountinfo"),
      let text = try? file.bytes(count: 1 << 20)
    else { return nil }
    return mountNote(of: real, String(decoding: text, as: UTF8.self))
  }

  /// - Parameter mounts: As proc(5) describes `mountinfo`.
  static func mountNote(of path: String, _ mounts: String) -> String? {
    var found: (point: String, words: [Substring])?
    for line in mounts.split(ascii: "\n") {
      let words = line.split(ascii: " ")
      guard words.count > 6 else { continue }
      let point = String(words[4])
      let isAround =
        point.equals(bytes: "/") || path.equals(bytes: point) || path.hasPrefix(bytes: point + "/")
      // A later mount lies over an earlier one.
      if isAround, point.utf8.count >= found?.point.utf8.count ?? 0 { found = (point, words) }
    }
    guard let found, let options = found.words.last?.split(ascii: ",") else { return nil }
    guard
      let option = localOptions.first(where: { name in
        options.contains { $0.equals(bytes: name) }
      })
    else { return nil }
    return "'\(found.point)' is mounted with '\(option)', so locks do not reach other machines;"
      + " run all parts on this machine, or mount it without that option"
  }
}
