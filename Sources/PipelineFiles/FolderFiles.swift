internal import PipelineByteText

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// The files that a workflow may name: files below the folder of the file that is run, and below
/// folders that the user allows. Symbolic links are followed first. Saved files go below the output
/// folder, whole or not at all, and never replace a file (language.md §11).
public struct FolderFiles: FileAccess {
  /// The folder of the file that is run, without links.
  let root: String
  /// Further folders that may be read, without links.
  let allowed: [String]
  /// Further files that may be read, without links.
  private var files: [String] = []
  /// The folder of saved results, as given. It is opened, or made, for the first one.
  let output: String
  /// Where relative paths begin: the folder of the file that names them.
  private(set) var folder: String
  /// An addition to the message about a file that may not be read.
  let hint: String
  /// The kind of file that paths are read for.
  private let owner: String

  /// The most bytes that are read of one file.
  private static let sizeLimit = 256 << 20

  /// - Parameters:
  ///   - workflow: The path of the file that is run.
  ///   - allowed: Further folders that may be read.
  ///   - output: The folder that results are saved in.
  ///   - hint: An addition to messages about files elsewhere, such as how to allow a folder.
  /// - Throws: `FileError` if one of the folders to be read is not a folder.
  public init(
    workflow: String, allowing allowed: [String] = [], output: String = ".", hint: String = ""
  ) throws(FileError) {
    try self.init(
      file: workflow, owner: "workflow", allowing: allowed, output: output, hint: hint)
  }

  /// The files that a test file may name: those below its folder.
  package init(test: String) throws(FileError) {
    try self.init(file: test, owner: "test file", allowing: [], output: ".", hint: "")
  }

  private init(
    file workflow: String, owner: String, allowing allowed: [String], output: String, hint: String
  ) throws(FileError) {
    self.hint = hint
    self.owner = owner
    root = try Self.realPath(PathText.folder(of: workflow))
    folder = root
    self.output = output
    var folders: [String] = []
    for path in allowed {
      let folder = try Self.realPath(path)
      var status = stat()
      guard stat(folder, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
        throw FileError("'\(path)' cannot be read: it is not a folder")
      }
      folders.append(folder)
    }
    self.allowed = folders
  }

  /// The files as a called workflow names them: relative to its own folder.
  public func relative(to workflow: String) -> any FileAccess {
    var files = self
    files.folder = (try? Self.realPath(PathText.folder(of: workflow))) ?? folder
    return files
  }

  /// The same files and one more, wherever it is.
  ///
  /// - Parameter path: As the user names it.
  /// - Throws: `FileError` if there is none.
  package func reading(alsoFile path: String) throws(FileError) -> FolderFiles {
    var files = self
    files.files.append(try Self.realPath(path))
    return files
  }

  // MARK: Reading

  /// The content of a file below one of the folders.
  ///
  /// - Parameter path: A path as the workflow writes it.
  /// - Returns: The bytes of the file.
  /// - Throws: `FileError` if the file cannot be read, or is outside the folders.
  public func read(_ path: String) throws(FileError) -> [UInt8] {
    try reading(path) { (descriptor, size) throws(FileError) in
      guard size <= Self.sizeLimit else { throw Self.tooLarge(path) }
      return try Self.bytes(of: descriptor, path)
    }
  }

  /// A part of a file below one of the folders.
  ///
  /// - Parameters:
  ///   - path: A path as the workflow writes it.
  ///   - start: The first byte, from 0.
  ///   - count: The maximum number of bytes.
  /// - Returns: The bytes, and the size of the file.
  /// - Throws: `FileError` if the file cannot be read, or is outside the folders.
  public func read(
    _ path: String, from start: Int, upTo count: Int
  ) throws(FileError) -> (bytes: [UInt8], size: Int) {
    try reading(path) { (descriptor, size) throws(FileError) in
      let wanted = max(0, min(count, size - start))
      guard wanted <= Self.sizeLimit else { throw Self.tooLarge(path) }
      guard lseek(descriptor, off_t(start), SEEK_SET) >= 0 else {
        throw Self.unreadable(path, SystemError.last.message)
      }
      // It may have become shorter, or longer, in between.
      let bytes = wanted == 0 ? [] : try Self.bytes(of: descriptor, path, upTo: wanted)
      return (bytes, size)
    }
  }

  /// Opens a file below one of the folders, and closes it in the end.
  private func reading<Result>(
    _ path: String, _ read: (_ descriptor: Int32, _ size: Int) throws(FileError) -> Result
  ) throws(FileError) -> Result {
    let place = try resolve(path)
    // A pipe that takes the file's place in between is not waited for either.
    let descriptor = open(place, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw Self.unreadable(path, SystemError.last.message) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else {
      throw Self.unreadable(path, SystemError.last.message)
    }
    try Self.requireFile(status, path)
    return try read(descriptor, Int(status.st_size))
  }

  /// The path of a file below one of the folders, with links followed.
  ///
  /// - Parameter path: A path as the workflow writes it.
  /// - Returns: The path of a regular file.
  /// - Throws: `FileError` if there is no such file, or if it is outside the folders.
  public func resolve(_ path: String) throws(FileError) -> String {
    let place = try place(
      ofFileNamed: path.hasPrefix(bytes: "/") ? path : folder + "/" + path, path)
    var status = stat()
    guard stat(place, &status) == 0 else { throw Self.unreadable(path, SystemError.last.message) }
    try Self.requireFile(status, path)
    return place
  }

  /// Refuses folders, and pipes and devices, which may never end.
  private static func requireFile(_ status: stat, _ path: String) throws(FileError) {
    switch status.st_mode & S_IFMT {
    case S_IFREG: return
    case S_IFDIR: throw unreadable(path, "it is a folder")
    default: throw unreadable(path, "it is a pipe or a device, not a file")
    }
  }

  /// Where the file is that has this name for the process, links followed.
  ///
  /// - Throws: `FileError` if it is outside the folders that may be read.
  package func place(ofFileNamed name: String) throws(FileError) -> String {
    try place(ofFileNamed: name, name)
  }

  private func place(ofFileNamed name: String, _ path: String) throws(FileError) -> String {
    let place = try Self.realPath(name, path)
    guard ([root] + allowed).contains(where: { place.isBelow($0) }) || files.contains(bytes: place)
    else {
      throw Self.unreadable(path, "it is outside the \(owner)'s folder" + hint)
    }
    return place
  }

  private static func bytes(
    of descriptor: Int32, _ path: String, upTo most: Int = .max
  ) throws(FileError) -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count <= sizeLimit {
      var number: Int32 = 0
      let part = [UInt8](unsafeUninitializedCapacity: min(1 << 18, most - bytes.count)) {
        buffer, count in
        let result = Self.readSome(descriptor, buffer)
        if result < 0 { number = errno }
        count = max(result, 0)
      }
      if number == EINTR { continue }
      guard number == 0 else { throw unreadable(path, SystemError(number).message) }
      bytes += part
      if part.isEmpty || bytes.count == most { return bytes }
    }
    throw tooLarge(path)
  }

  private static func readSome(
    _ descriptor: Int32, _ buffer: UnsafeMutableBufferPointer<UInt8>
  ) -> Int {
    #if canImport(Glibc)
      Glibc.read(descriptor, buffer.baseAddress, buffer.count)
    #else
      Darwin.read(descriptor, buffer.baseAddress, buffer.count)
    #endif
  }

  // MARK: Paths

  /// The absolute path without links; `shown` is what messages call it.
  static func realPath(
    _ path: String, _ shown: String? = nil
  ) throws(FileError) -> String {
    guard !path.contains(bytes: "\0") else {
      throw unreadable(shown ?? path, "it contains a null character")
    }
    guard let real = realpath(path, nil) else {
      throw unreadable(shown ?? path, SystemError.last.message)
    }
    defer { free(real) }
    return String(cString: real)
  }

  static func unreadable(_ path: String, _ reason: String) -> FileError {
    FileError("'\(path)' cannot be read: \(reason)")
  }

  private static func tooLarge(_ path: String) -> FileError {
    unreadable(path, "it is larger than \(sizeLimit >> 20) MB")
  }
}

extension String {
  /// Whether this path, without links, is `folder` or below it.
  func isBelow(_ folder: String) -> Bool {
    equals(bytes: folder) || folder == "/" || hasPrefix(bytes: folder + "/")
  }
}
