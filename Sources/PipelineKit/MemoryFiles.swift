internal import PipelineByteText
internal import Synchronization

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Files in memory, by the paths that a workflow names: bodies that an app has as `Data` or as an
/// `AsyncSequence`, and files that a run saves.
///
/// ```swift
/// let files = MemoryFiles(["photo.jpg": photo])
/// files.add("film.mp4", contentsOf: pieces)
/// pipeline.options.files = files  // "body": {"file": "photo.jpg"}
/// ```
public final class MemoryFiles: FileAccess {
  private enum Content {
    case bytes([UInt8])
    case spool(BodySpool)
  }

  private struct State {
    var contents: [ExactText: Content]
    /// The parts of `contents` that sequences give, by the paths of their temporary files.
    var spools: [ExactText: BodySpool] = [:]

    /// - Returns: What the path had, which removes its temporary file when it is released.
    mutating func set(_ path: String, _ content: Content?) -> Content? {
      let old = contents[ExactText(path)]
      contents[ExactText(path)] = content
      if case .spool(let spool)? = old { spools[ExactText(spool.path)] = nil }
      if case .spool(let spool)? = content { spools[ExactText(spool.path)] = spool }
      return old
    }
  }

  private let state: Mutex<State>
  private let temporaryFolder: String

  /// Files with these contents.
  ///
  /// - Parameters:
  ///   - files: The contents by path.
  ///   - temporaryFolder: The folder for what sequences give; `nil` for the platform's.
  public init(_ files: [String: Data] = [:], temporaryFolder: URL? = nil) {
    state = Mutex(
      State(
        contents: Dictionary(
          files.map { (ExactText($0.key), .bytes(Array($0.value))) },
          uniquingKeysWith: { first, _ in first })))
    self.temporaryFolder = (temporaryFolder ?? FileManager.default.temporaryDirectory).path
  }

  /// The content of a file in memory; `nil` if there is none, or a sequence gives it.
  ///
  /// - Parameter path: The path as workflows write it.
  public subscript(_ path: String) -> Data? {
    get {
      guard case .bytes(let bytes)? = content(path) else { return nil }
      return Data(bytes)
    }
    set { set(path, newValue.map { .bytes(Array($0)) }) }
  }

  private func content(_ path: String) -> Content? {
    state.withLock { $0.contents[ExactText(path)] }
  }

  private func set(_ path: String, _ content: Content?) {
    // A spool removes its file, which must not happen under the lock.
    _ = state.withLock { $0.set(path, content) }
  }

  /// The paths of all files, sorted by their bytes.
  public var paths: [String] {
    state.withLock { $0.contents.keys.map(\.text) }
      .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// Sends what a sequence gives, in pieces: `"body": {"file": "film.mp4"}` or a part of a form.
  ///
  /// The sequence is read once, when a request first needs it, into a temporary file. Memory stays
  /// flat, and each retry and redirect sends the same bytes. If the sequence throws, the request
  /// fails with the kind `file` before anything is sent. The run's `cancel()` ends the reading; a
  /// step's `timeout` does not, because it begins with the request. The file is removed with the
  /// path (`files[path] = nil`), with its replacement, and with these files.
  ///
  /// A body like this can only be sent: `$file`, which reads a file as a value, is refused.
  ///
  /// - Parameters:
  ///   - path: The path as workflows write it.
  ///   - pieces: The content, piece by piece.
  public func add<Pieces: AsyncSequence & Sendable>(
    _ path: String, contentsOf pieces: Pieces
  ) where Pieces.Element == Data {
    add(path) { write in
      for try await piece in pieces { try write(Array(piece)) }
    }
  }

  /// Sends the bytes that a sequence gives, as `add(_:contentsOf:)` of `Data` does.
  ///
  /// - Parameters:
  ///   - path: The path as workflows write it.
  ///   - bytes: The content, byte by byte.
  public func add<Bytes: AsyncSequence & Sendable>(
    _ path: String, contentsOf bytes: Bytes
  ) where Bytes.Element == UInt8 {
    add(path) { write in
      var piece: [UInt8] = []
      for try await byte in bytes {
        piece.append(byte)
        guard piece.count == Self.pieceSize else { continue }
        try write(piece)
        piece.removeAll(keepingCapacity: true)
      }
      try write(piece)
    }
  }

  private static let pieceSize = 1 << 16

  private func add(_ path: String, _ source: @escaping BodySpool.Source) {
    set(path, .spool(BodySpool(path, in: temporaryFolder, source)))
  }

  /// The content of a file in memory.
  public func read(_ path: String) throws(FileError) -> [UInt8] {
    switch content(path) {
    case .bytes(let bytes)?: return bytes
    case .spool?:
      throw FileError(
        "'\(path)' cannot be read as a value: a sequence gives it, and it is only sent")
    case nil: throw FileError("'\(path)' cannot be read: there is no such file in memory")
    }
  }

  /// The paths that a pattern names, in which `*` stands for any bytes but `/`.
  public func list(_ pattern: String) throws(FileError) -> [String] {
    let wanted = pattern.split(ascii: "/", omittingEmptySubsequences: false).map(String.init)
    return paths.filter { path in
      let parts = path.split(ascii: "/", omittingEmptySubsequences: false).map(String.init)
      return parts.count == wanted.count
        && zip(parts, wanted).allSatisfy { $0.matches(pattern: $1) }
    }
  }

  /// Always throws: what is in memory has no path.
  public func resolve(_ path: String) throws(FileError) -> String {
    throw FileError("'\(path)' cannot be opened: it is in memory")
  }

  /// The bytes of a file, or the temporary file that a sequence fills.
  public func body(_ path: String) throws(FileError) -> TransportBody {
    if case .spool(let spool)? = content(path) { return .file(spool.path) }
    return .bytes(try read(path))
  }

  /// Returns when the temporary file that a sequence fills is whole.
  public func prepare(_ path: String, on executor: any TaskExecutor) async throws(FileError) {
    let spool = state.withLock { $0.spools[ExactText(path)] }
    try await spool?.fill(on: executor)
  }

  /// Keeps a new file.
  public func save(_ bytes: [UInt8], to path: String) throws(FileError) {
    let isNew = state.withLock { state in
      guard state.contents[ExactText(path)] == nil else { return false }
      _ = state.set(path, .bytes(bytes))
      return true
    }
    guard isNew else {
      throw FileError("'\(path)' cannot be saved: the file exists, and no file is overwritten")
    }
  }

  /// Whether there is a file at a path.
  public func exists(_ path: String) -> Bool { content(path) != nil }

  /// Keeps a file in place of another.
  public func replace(_ path: String, with bytes: [UInt8]) throws(FileError) {
    set(path, .bytes(bytes))
  }
}
