public import PipelineTransports

/// The files that a run may read and write. Paths are as the author wrote them.
public protocol FileAccess: Sendable {
  /// The content of a file that the workflow names.
  func read(_ path: String) throws(FileError) -> [UInt8]
  /// A part of a file that the workflow names, and how many bytes all of it has.
  ///
  /// - Parameters:
  ///   - path: The path as the workflow names it, relative to the workflow's file.
  ///   - start: The first byte, from 0. Behind the end of the file the part is empty.
  ///   - count: The most bytes.
  func read(
    _ path: String, from start: Int, upTo count: Int
  ) throws(FileError) -> (bytes: [UInt8], size: Int)
  /// The paths of the files that a pattern names, sorted by their bytes: `*` stands for any bytes
  /// but `/`, and `?` for one character.
  func list(_ pattern: String) throws(FileError) -> [String]
  /// A path that can be opened as it is, to stream a file.
  func resolve(_ path: String) throws(FileError) -> String
  /// The form in which a file is sent as a request's body.
  func body(_ path: String) throws(FileError) -> TransportBody
  /// Returns when a file that `body` named is whole. Called for each file of a body before the body
  /// is sent, and again for each request that sends it.
  ///
  /// - Parameters:
  ///   - path: The path in the `TransportBody`.
  ///   - executor: Where the app's own code runs, as handlers do.
  func prepare(_ path: String, on executor: any TaskExecutor) async throws(FileError)
  /// Writes a file below the output directory. An existing one is never replaced.
  func save(_ bytes: [UInt8], to path: String) throws(FileError)
  /// Whether there is a file, or anything else, at a path below the output directory.
  func exists(_ path: String) -> Bool
  /// Writes a file below the output directory in place of one that the run itself has written
  /// before.
  func replace(_ path: String, with bytes: [UInt8]) throws(FileError)
  /// The same files as another file names them: a called workflow, by its name as lint shows it.
  func relative(to workflow: String) -> any FileAccess
}

extension FileAccess {
  /// The same files, whichever file names them.
  ///
  /// - Parameter workflow: The path of the file that names the paths.
  public func relative(to workflow: String) -> any FileAccess { self }

  /// A part of what `read` gives.
  public func read(
    _ path: String, from start: Int, upTo count: Int
  ) throws(FileError) -> (bytes: [UInt8], size: Int) {
    let bytes = try read(path)
    return (Array(bytes.dropFirst(start).prefix(count)), bytes.count)
  }

  /// None can be listed.
  public func list(_ pattern: String) throws(FileError) -> [String] {
    throw FileError("'\(pattern)' cannot be listed: this run cannot list files")
  }

  /// The file that `resolve` names, streamed.
  public func body(_ path: String) throws(FileError) -> TransportBody { .file(try resolve(path)) }

  /// Returns at once: files are whole.
  public func prepare(_ path: String, on executor: any TaskExecutor) async throws(FileError) {}

  /// `false`. Then `save` finds out.
  public func exists(_ path: String) -> Bool { false }

  /// As `save`.
  public func replace(_ path: String, with bytes: [UInt8]) throws(FileError) {
    try save(bytes, to: path)
  }
}

/// Why a file cannot be read or written.
public struct FileError: Error, Sendable, Hashable, CustomStringConvertible {
  /// One phrase that names the file and its problem.
  public let message: String

  /// An error with this message.
  public init(_ message: String) {
    self.message = message
  }

  /// The message.
  public var description: String { message }
}

/// Refuses every file: what a run has that is given no files.
public struct NoFileAccess: FileAccess {
  /// Files that are always refused.
  public init() {}

  /// Always throws.
  public func read(_ path: String) throws(FileError) -> [UInt8] {
    throw FileError("'\(path)' cannot be read: this run was given no access to files")
  }

  /// Always throws.
  public func resolve(_ path: String) throws(FileError) -> String {
    throw FileError("'\(path)' cannot be read: this run was given no access to files")
  }

  /// Always throws.
  public func save(_ bytes: [UInt8], to path: String) throws(FileError) {
    throw FileError("'\(path)' cannot be written: this run was given no access to files")
  }
}
