internal import PipelineKit

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// A file that could not be read or written, and why.
package struct PathProblem: Error, Sendable, Hashable {
  /// As the user gave it.
  package var path: String
  /// A phrase: "no such file or folder".
  package var reason: String

  package init(path: String, reason: String) {
    self.path = path
    self.reason = reason
  }
}

/// The files that commands read. All paths are as the user gives them, relative to the process's
/// current folder.
package struct FileSystem: Sendable {
  package enum Kind: Sendable {
    case file, folder, other
  }

  /// The kind of file at a path, links followed.
  package var kind: @Sendable (_ path: String) throws(PathProblem) -> Kind
  /// Whether a symbolic link is at a path.
  package var isLink: @Sendable (_ path: String) -> Bool
  /// The bytes of a file or pipe that the user names, up to a limit.
  package var read: @Sendable (_ path: String, _ limit: Int) throws(PathProblem) -> [UInt8]
  /// The bytes of a file, up to a limit. A pipe, which may never end, is refused.
  package var readFile: @Sendable (_ path: String, _ limit: Int) throws(PathProblem) -> [UInt8]
  /// The names in a folder, sorted.
  package var names: @Sendable (_ path: String) throws(PathProblem) -> [String]
  /// All of stdin, up to a limit.
  package var readInput: @Sendable (_ limit: Int) throws(PathProblem) -> [UInt8]

  package init(
    kind: @escaping @Sendable (String) throws(PathProblem) -> Kind,
    isLink: @escaping @Sendable (String) -> Bool,
    read: @escaping @Sendable (String, Int) throws(PathProblem) -> [UInt8],
    readFile: @escaping @Sendable (String, Int) throws(PathProblem) -> [UInt8],
    names: @escaping @Sendable (String) throws(PathProblem) -> [String],
    readInput: @escaping @Sendable (Int) throws(PathProblem) -> [UInt8]
  ) {
    self.kind = kind
    self.isLink = isLink
    self.read = read
    self.readFile = readFile
    self.names = names
    self.readInput = readInput
  }

  /// The operating system's.
  package static let system = FileSystem(
    kind: systemKind, isLink: systemIsLink, read: systemRead, readFile: systemReadFile,
    names: systemNames,
    readInput: { limit throws(PathProblem) in
      try readAll(STDIN_FILENO, path: "-", limit: limit, expected: 0)
    })
}

private func systemKind(_ path: String) throws(PathProblem) -> FileSystem.Kind {
  var status = stat()
  guard stat(path, &status) == 0 else {
    throw PathProblem(path: path, reason: SystemError.last.message)
  }
  return kind(of: status)
}

private func systemIsLink(_ path: String) -> Bool {
  var status = stat()
  return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
}

private func kind(of status: stat) -> FileSystem.Kind {
  switch status.st_mode & S_IFMT {
  case S_IFREG: .file
  case S_IFDIR: .folder
  default: .other
  }
}

private func systemRead(_ path: String, limit: Int) throws(PathProblem) -> [UInt8] {
  let descriptor = open(path, O_RDONLY | O_CLOEXEC)
  guard descriptor >= 0 else { throw PathProblem(path: path, reason: SystemError.last.message) }
  defer { close(descriptor) }
  var status = stat()
  guard fstat(descriptor, &status) == 0 else {
    throw PathProblem(path: path, reason: SystemError.last.message)
  }
  let kind = kind(of: status)
  if kind == .folder { throw PathProblem(path: path, reason: "it is a folder") }
  // The user may name a pipe, as in `<(…)`, but a device may never end.
  if kind == .other, status.st_mode & S_IFMT != S_IFIFO, status.st_mode & S_IFMT != S_IFSOCK {
    throw PathProblem(path: path, reason: "it is a device, not a file")
  }
  // The size is known before anything is read.
  if kind == .file, Int(status.st_size) > limit { throw tooLarge(path, limit) }
  return try readAll(descriptor, path: path, limit: limit, expected: Int(status.st_size))
}

private func systemReadFile(_ path: String, limit: Int) throws(PathProblem) -> [UInt8] {
  let descriptor: Int32
  do throws(SystemError) {
    descriptor = try RegularFile.open(path, O_RDONLY)
  } catch {
    throw PathProblem(path: path, reason: error.message)
  }
  defer { close(descriptor) }
  var status = stat()
  guard fstat(descriptor, &status) == 0 else {
    throw PathProblem(path: path, reason: SystemError.last.message)
  }
  let size = Int(status.st_size)
  if size > limit { throw tooLarge(path, limit) }
  return try readAll(descriptor, path: path, limit: limit, expected: size)
}

private func systemNames(_ path: String) throws(PathProblem) -> [String] {
  let names: [String]
  do { names = try folderEntries(path) } catch {
    throw PathProblem(path: path, reason: error.message)
  }
  return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
}

private func readAll(
  _ descriptor: Int32, path: String, limit: Int, expected: Int
) throws(PathProblem) -> [UInt8] {
  var bytes: [UInt8] = []
  bytes.reserveCapacity(min(expected, limit) + 1)
  var errorNumber: Int32 = 0
  let chunk = max(1 << 16, min(expected, limit) + 1)
  while bytes.count <= limit {
    let start = bytes.count
    let part = [UInt8](unsafeUninitializedCapacity: chunk) { buffer, count in
      let result = read(descriptor, buffer.baseAddress, chunk)
      if result < 0 { errorNumber = errno }
      count = max(result, 0)
    }
    if errorNumber == EINTR {
      errorNumber = 0
      continue
    }
    if errorNumber != 0 {
      throw PathProblem(path: path, reason: SystemError(errorNumber).message)
    }
    if part.isEmpty { return bytes }
    if start == 0 { bytes = part } else { bytes += part }
  }
  throw tooLarge(path, limit)
}

private func tooLarge(_ path: String, _ limit: Int) -> PathProblem {
  PathProblem(path: path, reason: "it is larger than \(limit >> 20) MB")
}
