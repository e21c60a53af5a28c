internal import PipelineFiles
internal import PipelineJournals

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// The files of a journal as the file system has them: made durable once, and still at their paths.
///
/// It begins before SQLite opens the journal, and ends after SQLite has closed it. SQLite's locks
/// belong to the process, and end with the first descriptor of the file that the process closes.
final class JournalPlace {
  /// The path of the journal.
  private let path: String
  /// Files beside the journal that survive with it.
  private let companions: [String]
  /// The number of folders, from the journal's own outwards, that may be new.
  private let folderCount: Int
  private let file: Int32
  private let identity: FileIdentity?
  /// SQLite makes the log when it opens the journal, and keeps it until the end.
  private var logIdentity: FileIdentity?
  private var isDurable = false

  init(path: String, companions: [String], folderCount: Int) throws(JournalError) {
    self.path = path
    self.companions = companions
    self.folderCount = folderCount
    file = PrivateFile.opened(path)
    identity = file < 0 ? nil : FileIdentity(of: file)
    // SQLite says better what is wrong with other files, except with those that it would wait for.
    guard identity?.isSpecial != true else {
      throw JournalError("the journal '\(path)' cannot be used: it is not a file")
    }
  }

  deinit { if file >= 0 { close(file) } }

  /// SQLite has opened the journal.
  func noteLog() { logIdentity = FileIdentity(at: path + "-wal") }

  /// Makes the journal, its folders and the files beside it survive a loss of power. SQLite does
  /// this for the log, at each commit that waits for the disk.
  ///
  /// SQLite makes a journal durable when it first moves the log into it. Until then a file system
  /// may keep the log, and lose the file without which SQLite deletes the log.
  func makeDurable() throws(JournalError) {
    guard !isDurable else { return }
    try synchronize(file)
    for path in companions {
      let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
      guard file >= 0 else { continue }
      defer { close(file) }
      try synchronize(file)
    }
    var folder = path
    for _ in 0..<folderCount {
      guard folder != "/", folder != "." else { break }
      folder = PathText.folder(of: folder)
      let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
      // A folder that only others may list was not made here.
      guard descriptor >= 0 else { continue }
      defer { close(descriptor) }
      try synchronize(descriptor, isFolder: true)
    }
    isDurable = true
  }

  private func synchronize(_ descriptor: Int32, isFolder: Bool = false) throws(JournalError) {
    #if canImport(Darwin)
      if fcntl(descriptor, F_FULLFSYNC) == 0 { return }
    #endif
    if fsync(descriptor) == 0 { return }
    let error = SystemError.last
    // Some file systems cannot do it for folders.
    if isFolder, [EINVAL, ENOTSUP, EBADF].contains(error.number) { return }
    throw JournalError("the journal '\(path)' cannot be written to the disk: \(error.message)")
  }

  /// - Throws: An error if the journal, or its log, is not the file at its path any more: what is
  ///   written into it then is lost.
  func check() throws(JournalError) {
    guard FileIdentity(at: path) == identity, FileIdentity(at: path + "-wal") == logIdentity else {
      throw JournalError("the journal '\(path)' was removed or replaced during the run")
    }
  }
}

/// The identity of a file, whatever its path is.
private struct FileIdentity: Equatable {
  private let device: UInt64
  private let number: UInt64
  /// Whether it is neither a file nor a folder, such as a pipe or a device.
  let isSpecial: Bool

  init?(at path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  init?(of descriptor: Int32) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return nil }
    self.init(status)
  }

  private init(_ status: stat) {
    device = UInt64(truncatingIfNeeded: status.st_dev)
    number = UInt64(truncatingIfNeeded: status.st_ino)
    let kind = status.st_mode & S_IFMT
    isSpecial = kind != S_IFREG && kind != S_IFDIR
  }
}
