internal import PipelineByteText

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

// Files of results, which are whole or not there, and lead out of the output folder by no link.

extension FolderFiles {
  /// Writes a new file below the output folder.
  ///
  /// - Parameters:
  ///   - bytes: The content.
  ///   - path: A path below the output folder.
  /// - Throws: `FileError` if the file exists or cannot be written.
  public func save(_ bytes: [UInt8], to path: String) throws(FileError) {
    try write(bytes, to: path, replacing: false)
  }

  /// Writes a file below the output folder, even if it exists.
  ///
  /// - Parameters:
  ///   - path: A path below the output folder.
  ///   - bytes: The content.
  /// - Throws: `FileError` if the file cannot be written.
  public func replace(_ path: String, with bytes: [UInt8]) throws(FileError) {
    try write(bytes, to: path, replacing: true)
  }

  /// Whether there is a file of this path below the output folder.
  public func exists(_ path: String) -> Bool {
    let descriptor = open(output, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var status = stat()
    return fstatat(descriptor, path, &status, AT_SYMLINK_NOFOLLOW) == 0
  }

  private func write(
    _ bytes: [UInt8], to path: String, replacing isReplaced: Bool
  ) throws(FileError) {
    let parts = path.split(ascii: "/", omittingEmptySubsequences: false).map(String.init)
    guard let name = parts.last,
      !parts.contains(where: { ["", ".", ".."].contains(bytes: $0) || $0.contains(bytes: "\0") })
    else { throw FileError("'\(path)' cannot be saved: it is not a path below the output folder") }
    let output = try openOutput(path)
    defer { close(output) }
    var folder = openat(output, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard folder >= 0 else {
      throw FileError("'\(path)' cannot be saved: \(SystemError.last.message)")
    }
    defer { close(folder) }
    for part in parts.dropLast() {
      mkdirat(folder, part, 0o777)
      // No link is followed: it could lead out of the output folder.
      let inner = openat(folder, part, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
      guard inner >= 0 else {
        let isLink = errno == ELOOP || errno == ENOTDIR
        throw FileError(
          "'\(path)' cannot be saved: "
            + (isLink ? "'\(part)' is a link or not a folder" : SystemError.last.message))
      }
      close(folder)
      folder = inner
    }
    guard Self.isBelow(folder, output, depth: parts.count - 1) else {
      throw FileError("'\(path)' cannot be saved: its folder is not below the output folder")
    }
    try Self.write(bytes, to: name, in: folder, replacing: isReplaced, path)
  }

  /// Whether the open folder `inner` is really `depth` levels below the open folder `outer`,
  /// whatever its path says and even if it was moved.
  private static func isBelow(_ inner: Int32, _ outer: Int32, depth: Int) -> Bool {
    var place = stat()
    var wanted = stat()
    let up = depth == 0 ? "." : Array(repeating: "..", count: depth).joined(separator: "/")
    return fstatat(inner, up, &place, 0) == 0 && fstat(outer, &wanted) == 0
      && place.st_ino == wanted.st_ino && place.st_dev == wanted.st_dev
  }

  private func openOutput(_ path: String) throws(FileError) -> Int32 {
    var descriptor = open(output, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    if descriptor < 0, errno == ENOENT {
      for folder in Self.ancestors(of: output).reversed() { mkdir(folder, 0o777) }
      descriptor = open(output, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    }
    guard descriptor >= 0 else {
      throw FileError("'\(path)' cannot be saved in '\(output)': \(SystemError.last.message)")
    }
    return descriptor
  }

  /// Throws an error if no file can be saved: the output folder, or the first folder around it that
  /// exists, is none, or may not be written.
  package func checkOutput() throws(FileError) {
    for folder in Self.ancestors(of: output) {
      var status = stat()
      guard stat(folder, &status) == 0 else {
        if errno == ENOENT || errno == ENOTDIR { continue }
        throw FileError("'\(output)' cannot be used: \(SystemError.last.message)")
      }
      guard status.st_mode & S_IFMT == S_IFDIR else {
        throw FileError("'\(output)' cannot be used: '\(folder)' is not a folder")
      }
      guard access(folder, W_OK | X_OK) == 0 else {
        throw FileError(
          "'\(output)' cannot be used: '\(folder)' may not be written: \(SystemError.last.message)")
      }
      return
    }
  }

  /// A folder, and those around it as its path has them.
  private static func ancestors(of path: String) -> [String] {
    var folders = [path]
    while let last = folders.last, let slash = last.trimmedSlashes.lastIndex(ascii: "/") {
      let around = String(last.trimmedSlashes[..<slash])
      folders.append(around.isEmpty ? "/" : around)
      if around.isEmpty { return folders }
    }
    return path.hasPrefix(bytes: "/") ? folders : folders + ["."]
  }

  /// Writes a file under a temporary name, then gives it the right one, which fails if a file has
  /// it. So a reader sees all of the file or none of it.
  private static func write(
    _ bytes: [UInt8], to name: String, in folder: Int32, replacing isReplaced: Bool,
    _ path: String
  ) throws(FileError) {
    let temporary = ".\(UInt64.random(in: 0 ... .max)).tmp"
    let descriptor = openat(folder, temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else {
      throw FileError("'\(path)' cannot be saved: \(SystemError.last.message)")
    }
    defer { unlinkat(folder, temporary, 0) }
    var number = writeAll(bytes, to: descriptor)
    if close(descriptor) != 0, number == 0 { number = errno }
    if number == 0 {
      let result =
        isReplaced
        ? renameat(folder, temporary, folder, name)
        : linkat(folder, temporary, folder, name, 0)
      if result != 0 { number = errno }
    }
    if !isReplaced, number == EPERM || number == ENOTSUP || number == EOPNOTSUPP {
      number = moveWithoutLinks(temporary, to: name, in: folder)
    }
    guard number == 0 else {
      let reason =
        number == EEXIST
        ? "the file exists, and no file is overwritten" : SystemError(number).message
      throw FileError("'\(path)' cannot be saved: \(reason)")
    }
  }

  /// For file systems without hard links: the name is taken by an empty file first.
  private static func moveWithoutLinks(
    _ temporary: String, to name: String, in folder: Int32
  ) -> Int32 {
    let descriptor = openat(folder, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { return errno }
    close(descriptor)
    return renameat(folder, temporary, folder, name) == 0 ? 0 : errno
  }
}

extension String {
  /// Without slashes at its end.
  fileprivate var trimmedSlashes: String {
    var bytes = Array(utf8)
    while bytes.count > 1, bytes.last == 0x2F { bytes.removeLast() }
    return String(decoding: bytes, as: UTF8.self)
  }
}
