internal import PipelineByteText
internal import PipelineFormats
internal import PipelineJSONText
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// The rows of a response that wait on the disk, each a line of JSON.
///
/// The file is open until nothing refers to it. One that a later process may need has a name, and is
/// removed unless it was kept. Any other has none from the beginning, so that a process which is
/// killed leaves nothing behind.
final class RowSpool: Sendable {
  private struct State {
    var buffer: [UInt8] = []
    var size = 0
    var count = 0
    var problem: SystemError?
    /// Where the file is; `nil` if it has no name.
    var path: String?
    var isKept = false
  }

  let id: String
  let descriptor: Int32
  private let state: Mutex<State>

  private static let bufferSize = 1 << 18

  /// Makes an empty file that only this user can read.
  ///
  /// - Parameter keepsName: Whether a later process may look for it.
  init(id: String, in folder: String, keepsName: Bool) throws(SystemError) {
    let path = RowSpools.path(of: id, in: folder)
    descriptor = try RegularFile.open(path, O_RDWR | O_CREAT | O_EXCL)
    self.id = id
    if !keepsName { unlink(path) }
    state = Mutex(State(path: keepsName ? path : nil))
  }

  /// Opens the file of an earlier process; `nil` if it is gone, or is another one.
  init?(id: String, count: Int, size: Int, in folder: String) {
    let path = RowSpools.path(of: id, in: folder)
    guard let descriptor = try? RegularFile.open(path, O_RDONLY | O_NOFOLLOW) else { return nil }
    var status = stat()
    guard fstat(descriptor, &status) == 0, Int(status.st_size) == size else {
      close(descriptor)
      return nil
    }
    self.id = id
    self.descriptor = descriptor
    state = Mutex(State(size: size, count: count, path: path, isKept: true))
  }

  deinit {
    let state = state.withLock { $0 }
    if let path = state.path, !state.isKept { unlink(path) }
    close(descriptor)
  }

  var count: Int { state.withLock { $0.count } }
  var size: Int { state.withLock { $0.size } }

  /// Adds rows, each a line.
  func append(_ lines: [UInt8], count: Int) {
    state.withLock { state in
      state.buffer += lines
      state.count += count
      if state.buffer.count >= Self.bufferSize { flush(&state) }
    }
  }

  private func flush(_ state: inout State) {
    if state.problem == nil {
      let number = writeAll(state.buffer, to: descriptor)
      if number != 0 { state.problem = SystemError(number) }
    }
    state.size += state.buffer.count
    state.buffer.removeAll(keepingCapacity: true)
  }

  /// Writes what is left.
  ///
  /// - Throws: An error if not all rows could be written.
  func finish() throws(SystemError) {
    let problem = state.withLock { state in
      flush(&state)
      state.buffer = []
      return state.problem
    }
    if let problem { throw problem }
  }

  /// A later process may need the file.
  func keep() { state.withLock { $0.isKept = true } }

  /// No later process may find the file.
  func forgetName() {
    state.withLock { state in
      if let path = state.path.take() { unlink(path) }
    }
  }

  var hasName: Bool { state.withLock { $0.path != nil } }
}

/// The rows of a run that wait on the disk. In the values of a step, a text stands for them.
final class RowSpools: Sendable {
  private let folder: String
  /// Whether a later process may need them.
  private let keepsNames: Bool
  private let spools = Mutex<[String: RowSpool]>([:])

  /// - Parameters:
  ///   - folder: Where the files are.
  ///   - keepsNames: Whether a journal may name them.
  init(in folder: String, keepsNames: Bool) {
    self.folder = folder
    self.keepsNames = keepsNames
  }

  /// What the names of the files begin with.
  static let prefix = "rows-"

  static func path(of id: String, in folder: String) -> String { "\(folder)/\(prefix)\(id)" }

  /// A new file.
  func begin() throws(SystemError) -> RowSpool {
    let id = (0..<2).map { _ in
      let text = String(UInt64.random(in: 0 ... .max), radix: 16)
      return String(repeating: "0", count: 16 - text.utf8.count) + text
    }.joined()
    return try RowSpool(id: id, in: folder, keepsName: keepsNames)
  }

  /// Knows a file whose rows are whole. Returns the text that stands for them, as JSON.
  func add(_ spool: RowSpool) -> [UInt8] {
    spools.withLock { $0[spool.id] = spool }
    return Array("\"\(Self.mark)\(spool.id):\(spool.count):\(spool.size)\"".utf8)
  }

  /// What no value of a server begins with by chance, together with an id that it cannot know.
  private static let mark = "pipeline-rows:"

  /// The rows that a value stands for; `nil` if it is a value like any other, or they are gone.
  func spool(for value: JSONNode?) -> RowSpool? {
    guard let (id, count, size) = Self.parts(of: value) else { return nil }
    return spools.withLock { spools in
      if let known = spools[id] { return known }
      guard keepsNames, let found = RowSpool(id: id, count: count, size: size, in: folder) else {
        return nil
      }
      spools[id] = found
      return found
    }
  }

  private static func parts(of value: JSONNode?) -> (id: String, count: Int, size: Int)? {
    guard let text = value?.string, text.hasPrefix(bytes: mark) else { return nil }
    let parts = text.split(ascii: ":").map(String.init)
    guard parts.count == 4, parts[1].utf8.count == 32,
      parts[1].utf8.allSatisfy({ $0 &- 0x30 < 10 || $0 &- 0x61 < 6 }),
      let count = Int(parts[2]), let size = Int(parts[3])
    else { return nil }
    return (parts[1], count, size)
  }

  /// Whether all rows that the values of a step name are there.
  func hasAll(of values: [UInt8]) -> Bool {
    guard Self.mayName(values) else { return true }
    return ScopeValue(text: values).node.members.allSatisfy {
      Self.parts(of: $0.value) == nil || spool(for: $0.value) != nil
    }
  }

  /// Whether the values of a step may name rows. Most name none.
  private static func mayName(_ values: [UInt8]) -> Bool {
    values.count < 1 << 16 && values.contains(bytes: mark)
  }

  /// Whether a later process must not have the rows that the values of a step name.
  func mustBeForgotten(_ values: [UInt8]) -> Bool {
    guard Self.mayName(values) else { return false }
    return ScopeValue(text: values).node.members.contains { member in
      spool(for: member.value).map { keepsNames && !$0.hasName } ?? false
    }
  }

  /// A later process may need the rows that the values of a step name.
  func keep(_ values: [UInt8]) {
    guard Self.mayName(values) else { return }
    for member in ScopeValue(text: values).node.members { spool(for: member.value)?.keep() }
  }
}
