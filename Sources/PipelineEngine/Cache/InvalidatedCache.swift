/// A cache that keeps nothing and has no response, but drops what no longer holds: for a run whose
/// requests must all be sent, and may change what a server has.
package struct InvalidatedCache: ResponseCache {
  private let cache: any ResponseCache

  package init(_ cache: any ResponseCache) {
    self.cache = cache
  }

  package var digestKey: [UInt8] { cache.digestKey }
  package var largestBody: Int { cache.largestBody }

  package func responses(for key: CacheKey) async -> [CachedResponse] { [] }

  package func store(_ response: CachedResponse, for key: CacheKey) async {}

  package func drop(url: [UInt8]) async { await cache.drop(url: url) }
}
