internal import Dispatch
public import PipelineJournals
internal import Synchronization

/// A cache of responses in an SQLite file, which several processes may use at once.
///
/// It never fails a run: a damaged file is begun again, and after any other trouble nothing is found and
/// nothing is kept. `problem` then says why.
public final class SQLiteResponseCache: ResponseCache {
  /// Random bytes of this cache, which the digests in its keys begin with.
  public let digestKey: [UInt8]
  /// The length of the largest body that is kept, in bytes: a quarter of the cache, and at most 8
  /// MB.
  public let largestBody: Int
  private let path: String
  private let mostBytes: Int
  private let usePrecision: Double
  private let queue = DispatchQueue(label: "pipeline.cache")
  /// Used on the queue alone, whose work holds the cache; `nil` after trouble.
  nonisolated(unsafe) private var file: CacheFile?
  private let trouble = Mutex<JournalError?>(nil)

  /// Opens the cache at `path`, which is made if it is missing, as are the folders around it.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - mostBytes: How many bytes all responses may take together. The response that was unused
  ///     for the longest time is removed first.
  /// - Throws: An error if SQLite is missing or the file cannot be used.
  public convenience init(path: String, mostBytes: Int = 256 << 20) throws(JournalError) {
    try self.init(path: path, mostBytes: mostBytes, usePrecision: 60)
  }

  init(path: String, mostBytes: Int, usePrecision: Double) throws(JournalError) {
    self.path = path
    self.mostBytes = mostBytes
    self.usePrecision = usePrecision
    largestBody = min(8 << 20, mostBytes / 4)
    if let end = path.utf8.lastIndex(of: UInt8(ascii: "/")), end != path.startIndex {
      PrivateFile.makeFolders(String(path[..<end]))
    }
    let file = try CacheFile.open(path: path, mostBytes: mostBytes, usePrecision: usePrecision)
    digestKey = file.digestKey
    self.file = file
  }

  /// Why the cache is no longer used; `nil` if it is.
  public var problem: JournalError? { trouble.withLock { $0 } }

  /// The responses for a key, the newest first. There is none after trouble.
  public func responses(for key: CacheKey) async -> [CachedResponse] {
    await perform([]) { file throws(JournalError) in try file.responses(for: key) }
  }

  /// Keeps a response, and removes others if there is no room.
  public func store(_ response: CachedResponse, for key: CacheKey) async {
    await perform(()) { file throws(JournalError) in try file.store(response, for: key) }
  }

  /// Removes all responses for a URL, of every caller.
  public func drop(url: [UInt8]) async {
    await perform(()) { file throws(JournalError) in try file.drop(url: url) }
  }

  /// The size of all responses together, in bytes.
  func size() async -> Int {
    await perform(0) { file throws(JournalError) in try file.size() }
  }

  /// Does something with the file, on the queue.
  ///
  /// - Parameter nothing: The result if the file cannot be used.
  private func perform<Value: Sendable>(
    _ nothing: Value, _ body: @escaping @Sendable (CacheFile) throws(JournalError) -> Value
  ) async -> Value {
    await withCheckedContinuation { continuation in
      queue.async { continuation.resume(returning: self.onQueue(body) ?? nothing) }
    }
  }

  private func onQueue<Value>(_ body: (CacheFile) throws(JournalError) -> Value) -> Value? {
    guard let current = file else { return nil }
    do throws(JournalError) {
      return try body(current)
    } catch {
      guard current.isDamaged else {
        trouble.withLock { $0 = error }
        file = nil
        return nil
      }
    }
    file = nil
    CacheFile.remove(path)
    do throws(JournalError) {
      // The digests of this process go on with the same key.
      let begun = try CacheFile.open(
        path: path, mostBytes: mostBytes, usePrecision: usePrecision, digestKey: digestKey)
      if begun.digestKey == digestKey { file = begun }
    } catch {
      trouble.withLock { $0 = error }
    }
    return nil
  }
}
