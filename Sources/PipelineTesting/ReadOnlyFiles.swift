internal import PipelineByteText
package import PipelineKit
internal import Synchronization

/// Reads what others read, and keeps what is saved in memory.
package final class ReadOnlyFiles: FileAccess {
  private let files: any FileAccess
  private let saved: Saved

  private final class Saved: Sendable {
    let files = Mutex<[ExactText: [UInt8]]>([:])
  }

  package init(_ files: any FileAccess) {
    self.files = files
    saved = Saved()
  }

  private init(_ files: any FileAccess, _ saved: Saved) {
    self.files = files
    self.saved = saved
  }

  /// What was saved, by path.
  var savedFiles: [(path: String, bytes: [UInt8])] {
    saved.files.withLock { $0.map { (path: $0.key.text, bytes: $0.value) } }
      .sorted { $0.path < $1.path }
  }

  package func read(_ path: String) throws(FileError) -> [UInt8] { try files.read(path) }

  package func read(
    _ path: String, from start: Int, upTo count: Int
  ) throws(FileError) -> (bytes: [UInt8], size: Int) {
    try files.read(path, from: start, upTo: count)
  }

  package func resolve(_ path: String) throws(FileError) -> String { try files.resolve(path) }

  package func list(_ pattern: String) throws(FileError) -> [String] { try files.list(pattern) }

  package func save(_ bytes: [UInt8], to path: String) throws(FileError) {
    let isNew = saved.files.withLock { $0.updateValue(bytes, forKey: ExactText(path)) == nil }
    guard isNew else { throw FileError("'\(path)' is there already, and is not replaced") }
  }

  package func replace(_ path: String, with bytes: [UInt8]) throws(FileError) {
    saved.files.withLock { $0[ExactText(path)] = bytes }
  }

  package func relative(to workflow: String) -> any FileAccess {
    ReadOnlyFiles(files.relative(to: workflow), saved)
  }
}
