internal import PipelineByteText
internal import Synchronization

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Files in memory, by the paths that a workflow names: bodies that an app has as `Data`, and files
/// that a run saves.
///
/// ```swift
/// let files = MemoryFiles(["photo.jpg": photo])
/// pipeline.options.files = files  // "body": {"file": "photo.jpg"}
/// ```
public final class MemoryFiles: FileAccess {
  private let files: Mutex<[ExactText: [UInt8]]>

  /// Files with these contents.
  public init(_ files: [String: Data] = [:]) {
    self.files = Mutex(
      Dictionary(
        files.map { (ExactText($0.key), Array($0.value)) }, uniquingKeysWith: { first, _ in first })
    )
  }

  /// The content of a file; `nil`: there is none.
  public subscript(_ path: String) -> Data? {
    get { files.withLock { $0[ExactText(path)] }.map { Data($0) } }
    set { files.withLock { $0[ExactText(path)] = newValue.map { Array($0) } } }
  }

  /// The paths of all files, sorted by their bytes.
  public var paths: [String] {
    files.withLock { $0.keys.map(\.text) }.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// Keeps what a sequence gives as a file: a body must be there as a whole, since it may be sent
  /// again.
  public func add(
    _ path: String, contentsOf pieces: some AsyncSequence<Data, any Error>
  ) async throws {
    var bytes: [UInt8] = []
    for try await piece in pieces { bytes += piece }
    files.withLock { $0[ExactText(path)] = bytes }
  }

  /// The content of a file.
  public func read(_ path: String) throws(FileError) -> [UInt8] {
    guard let bytes = files.withLock({ $0[ExactText(path)] }) else {
      throw FileError("'\(path)' cannot be read: no such file in memory")
    }
    return bytes
  }

  /// The paths that a pattern names, in which `*` stands for any bytes but `/`.
  public func list(_ pattern: String) throws(FileError) -> [String] {
    let wanted = pattern.split(ascii: "/", omittingEmptySubsequences: false).map(String.init)
    return paths.filter { path in
      let parts = path.split(ascii: "/", omittingEmptySubsequences: false).map(String.init)
      return parts.count == wanted.count
        && zip(parts, wanted).allSatisfy { ScriptedTransport.matches($0, pattern: $1) }
    }
  }

  /// Always throws: what is in memory has no path.
  public func resolve(_ path: String) throws(FileError) -> String {
    throw FileError("'\(path)' cannot be opened: it is in memory")
  }

  /// The bytes of a file.
  public func body(_ path: String) throws(FileError) -> TransportBody { .bytes(try read(path)) }

  /// Keeps a new file.
  public func save(_ bytes: [UInt8], to path: String) throws(FileError) {
    let isNew = files.withLock { files in
      guard files[ExactText(path)] == nil else { return false }
      files[ExactText(path)] = bytes
      return true
    }
    guard isNew else {
      throw FileError("'\(path)' cannot be saved: the file exists, and no file is overwritten")
    }
  }

  /// Whether there is a file at a path.
  public func exists(_ path: String) -> Bool { files.withLock { $0[ExactText(path)] != nil } }

  /// Keeps a file in place of another.
  public func replace(_ path: String, with bytes: [UInt8]) throws(FileError) {
    files.withLock { $0[ExactText(path)] = bytes }
  }
}
