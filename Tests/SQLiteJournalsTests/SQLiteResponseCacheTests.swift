import CPipelineSQLite
import PipelineJournals
import PipelineTestSupport
import PipelineTransports
import Testing

@testable import SQLiteJournals

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

@Suite(.enabled(if: hasSQLite, "SQLite is not installed")) struct SQLiteResponseCacheTests {
  private static func key(_ number: UInt8, caller: UInt8 = 0) -> CacheKey {
    CacheKey(url: [number], caller: [caller])
  }

  private static func response(
    _ text: String, variant: [UInt8] = [], time: Double = 5
  ) -> CachedResponse {
    CachedResponse(
      status: 203, headers: [HeaderField("ETag", "\"ä: 1\""), HeaderField("Vary", "a, b")],
      body: Array(text.utf8), requestTime: time - 0.25, responseTime: time,
      varyingFields: ["a", "b"], variant: variant)
  }

  private static func write(_ bytes: [UInt8], to path: String, at offset: Int = 0) {
    let file = open(path, O_WRONLY)
    _ = pwrite(file, bytes, bytes.count, off_t(offset))
    close(file)
  }

  @Test func whatWasKeptIsFoundByTheNextProcess() async throws {
    let folder = TemporaryFolder()
    let digestKey: [UInt8]
    do {
      let cache = try SQLiteResponseCache(path: folder.cache)
      digestKey = cache.digestKey
      #expect(digestKey.count == 32)
      await cache.store(Self.response("old", variant: [1]), for: Self.key(1))
      await cache.store(Self.response("one", variant: [1], time: 6), for: Self.key(1))
      await cache.store(Self.response("two", variant: [2], time: 7), for: Self.key(1))
      await cache.store(Self.response("bob"), for: Self.key(1, caller: 1))
      await cache.store(Self.response("other"), for: Self.key(2))
    }
    var status = stat()
    #expect(stat(folder.cache, &status) == 0 && status.st_mode & 0o777 == 0o600)
    let cache = try SQLiteResponseCache(path: folder.cache)
    #expect(cache.digestKey == digestKey)
    let found = await cache.responses(for: Self.key(1))
    #expect(found.map { String(decoding: $0.body, as: UTF8.self) } == ["two", "one"])
    let one = try #require(found.last)
    #expect(one.status == 203 && one.requestTime == 5.75 && one.responseTime == 6)
    #expect(one.headers == Self.response("").headers)
    #expect(one.varyingFields == ["a", "b"] && one.variant == [1])
    await cache.drop(url: [1])
    #expect(await cache.responses(for: Self.key(1)).isEmpty)
    #expect(await cache.responses(for: Self.key(1, caller: 1)).isEmpty)
    #expect(await cache.responses(for: Self.key(2)).count == 1)
    #expect(cache.problem == nil)
  }

  @Test func whatIsNotUsedGoesFirst() async throws {
    let folder = TemporaryFolder()
    let cache = try SQLiteResponseCache(path: folder.cache, mostBytes: 8 << 10, usePrecision: 0)
    let text = String(repeating: "x", count: 1 << 10)
    for number: UInt8 in 1...5 { await cache.store(Self.response(text), for: Self.key(number)) }
    #expect(await cache.responses(for: Self.key(1)).count == 1)
    for number: UInt8 in 6...8 { await cache.store(Self.response(text), for: Self.key(number)) }
    #expect(await cache.responses(for: Self.key(1)).count == 1)
    #expect(await cache.responses(for: Self.key(2)).isEmpty)
    #expect(await cache.responses(for: Self.key(8)).count == 1)
    #expect(await cache.size() <= 8 << 10)
    await cache.store(Self.response(text + text), for: Self.key(9))
    #expect(await cache.responses(for: Self.key(9)).isEmpty, "more than a quarter")
    for number: UInt8 in 1...9 { await cache.drop(url: [number]) }
    #expect(await cache.size() == 0)
  }

  @Test func twoConnectionsShareAFile() async throws {
    let folder = TemporaryFolder()
    let (one, other) = (
      try SQLiteResponseCache(path: folder.cache), try SQLiteResponseCache(path: folder.cache)
    )
    #expect(one.digestKey == other.digestKey)
    await withTaskGroup(of: Void.self) { group in
      for number: UInt8 in 0..<40 {
        group.addTask {
          let cache = number % 2 == 0 ? one : other
          await cache.store(Self.response("\(number)"), for: Self.key(number))
        }
      }
    }
    for number: UInt8 in 0..<40 {
      #expect(await other.responses(for: Self.key(number)).count == 1)
    }
    #expect(one.problem == nil && other.problem == nil)
  }

  @Test func aDamagedFileIsBegunAgain() async throws {
    let folder = TemporaryFolder()
    do {
      let cache = try SQLiteResponseCache(path: folder.cache)
      await cache.store(Self.response("one"), for: Self.key(1))
    }
    Self.write(Array("no database at all".utf8), to: folder.cache)
    let cache = try SQLiteResponseCache(path: folder.cache)
    #expect(await cache.responses(for: Self.key(1)).isEmpty)
    await cache.store(Self.response("two"), for: Self.key(1))
    #expect(await cache.responses(for: Self.key(1)).count == 1)
    #expect(cache.problem == nil)
  }

  @Test func damageThatIsFoundLaterIsNoProblem() async throws {
    let folder = TemporaryFolder()
    let text = String(repeating: "0123456789", count: 2_000)
    do {
      let cache = try SQLiteResponseCache(path: folder.cache)
      for number: UInt8 in 0..<20 {
        await cache.store(Self.response(text), for: Self.key(number))
      }
    }
    var status = stat()
    #expect(stat(folder.cache, &status) == 0)
    let cache = try SQLiteResponseCache(path: folder.cache)
    for page in 2..<Int(status.st_size) / 4096 {
      Self.write(Array(repeating: 0xA5, count: 2_000), to: folder.cache, at: page * 4096 + 1_000)
    }
    for number: UInt8 in 0..<20 {
      for response in await cache.responses(for: Self.key(number)) {
        #expect(response.body == Array(text.utf8), "what is found is what was kept")
      }
    }
    await cache.store(Self.response("new"), for: Self.key(1))
    #expect(await cache.responses(for: Self.key(1)).count <= 1)
  }

  @Test func aRowThatSaysAnotherCallerIsDamaged() async throws {
    let folder = TemporaryFolder()
    let cache = try SQLiteResponseCache(path: folder.cache)
    await cache.store(Self.response("one"), for: Self.key(1))
    try SQLiteDatabase(path: folder.cache).execute("UPDATE responses SET caller = x'07'")
    #expect(await cache.responses(for: Self.key(1, caller: 7)).isEmpty)
    #expect(await cache.size() == 0)
    #expect(cache.problem == nil)
  }

  @Test func aPlaceThatCannotBeUsedIsAnErrorAndNoTrap() {
    #expect(throws: JournalError.self) { try SQLiteResponseCache(path: "/proc/no/cache.sqlite") }
  }
}

extension TemporaryFolder {
  /// Where a test's cache is, in a folder that it makes.
  fileprivate var cache: String { path + "/new/cache.sqlite" }
}
