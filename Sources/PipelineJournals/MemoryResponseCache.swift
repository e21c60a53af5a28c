internal import Synchronization

/// A cache in memory: for tests, and for an app whose runs share responses without leaving its process.
///
/// The response that was unused for the longest time is removed first. Looking up walks over all
/// that is kept.
public final class MemoryResponseCache: ResponseCache {
  private struct Entry {
    let key: CacheKey
    let response: CachedResponse
  }

  /// Random bytes of this cache, which the digests in its keys begin with.
  public let digestKey: [UInt8] = (0..<32).map { _ in UInt8.random(in: .min ... .max) }
  /// The length of the largest body that is kept, in bytes.
  public let largestBody: Int
  private let mostBytes: Int
  /// The most recently used one comes last.
  private let entries = Mutex<[Entry]>([])

  /// - Parameter mostBytes: How many bytes all bodies may take together.
  public init(mostBytes: Int = 64 << 20) {
    self.mostBytes = mostBytes
    largestBody = min(8 << 20, mostBytes / 4)
  }

  /// How many responses are kept.
  public var count: Int { entries.withLock { $0.count } }

  /// The responses for a key, the newest first.
  ///
  /// - Parameter key: The digests of a request.
  public func responses(for key: CacheKey) async -> [CachedResponse] {
    entries.withLock { entries in
      let found = entries.filter { $0.key == key }
      guard !found.isEmpty else { return [] }
      entries.removeAll { $0.key == key }
      entries += found
      return found.map(\.response).sorted { $0.responseTime > $1.responseTime }
    }
  }

  /// Keeps a response in place of one of the same variant.
  public func store(_ response: CachedResponse, for key: CacheKey) async {
    entries.withLock { entries in
      entries.removeAll { $0.key == key && $0.response.variant == response.variant }
      entries.append(Entry(key: key, response: response))
      var size = entries.reduce(0) { $0 + $1.response.body.count }
      while size > mostBytes, !entries.isEmpty {
        size -= entries.removeFirst().response.body.count
      }
    }
  }

  /// Removes all responses for a URL, of every caller.
  public func drop(url: [UInt8]) async {
    entries.withLock { entries in entries.removeAll { $0.key.url == url } }
  }
}
