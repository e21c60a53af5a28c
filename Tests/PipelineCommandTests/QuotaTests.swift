import PipelineJSONText
import PipelineKit
import PipelineSandboxServers
import PipelineTestSupport
import Testing

@testable import PipelineCommand

/// `limits.quota` and `limits.bytes`, as a user meets them.
@Suite(.enabled(if: hasSQLite, "SQLite is not installed")) struct QuotaTests {
  private let folder = TemporaryFolder()

  private func write(_ limits: String, items: Int, path: String = "/echo/{{n}}") -> String {
    folder.write(
      """
      {"name": "quota", "inputs": {"api": {}}, "defaults": {"baseURL": "{{inputs.api}}"},
       "limits": {"concurrency": 1, \(limits)},
       "steps": [{"id": "each", "forEach": {"from": 1, "to": \(items)}, "as": "n",
                  "endpoint": "GET \(path)"}],
       "outputs": {"count": {"$count": "$.each"}}}
      """, to: "w.json")
  }

  private func run(_ path: String, _ server: SandboxServer, _ options: [String] = []) async
    -> Outcome
  {
    await pipeline(
      ["run", path, "--set", "api=" + server.origin, "--store", folder.path + "/store"] + options)
  }

  @Test func aQuotaIsKeptBetweenRunsAndEndsOne() async throws {
    let server = try SandboxServer.start()
    defer { server.stop() }
    let first = await run(write(#""quota": "5/1d""#, items: 3), server)
    #expect(first.status == .success, "\(first.error)")
    // Another file counts together with it.
    let path = write(#""quota": "5/1d""#, items: 4)
    let second = await run(path, server)
    #expect(second.status == .failure)
    #expect(
      second.error.contains(
        "'\(server.origin)' has had 5 requests in 1d, which 'limits.quota' allows; resume the run after"
      ), "\(second.error)")
    #expect(server.records.requestCount == 5)
    let third = await run(path, server)
    #expect(third.status == .failure)
    #expect(server.records.requestCount == 5)
    // With a larger quota, the second run goes on where it ended.
    _ = write(#""quota": "50/1d""#, items: 4)
    let resumed = await pipeline(["resume", "--store", folder.path + "/store"])
    #expect(resumed.status == .success, "\(resumed.error)")
  }

  /// They were counted, so a quota that is smaller than what is under way gets on, too.
  @Test func requestsUnderWayEndAndAreKept() async throws {
    let server = try SandboxServer.start()
    defer { server.stop() }
    let path = folder.write(
      """
      {"inputs": {"api": {}}, "defaults": {"baseURL": "{{inputs.api}}"}, "limits": {"quota": "3/1d"},
       "steps": [{"id": "each", "forEach": {"from": 1, "to": 5}, "as": "n",
                  "endpoint": "GET /echo/{{n}}?delay=0.2"}],
       "outputs": {"count": {"$count": "$.each"}}}
      """, to: "w.json")
    let first = await run(path, server)
    #expect(first.status == .failure)
    #expect(first.error.contains("has had 3 requests in 1d"), "\(first.error)")
    // A day later.
    TemporaryFolder.remove(folder.path + "/store/quotas.json")
    let resumed = await pipeline(["resume", "--store", folder.path + "/store"])
    #expect(resumed.status == .success, "\(resumed.error)")
    #expect(server.records.requestCount == 5)
  }

  @Test func whatARunDoesNotUseIsGivenBack() async throws {
    let server = try SandboxServer.start()
    defer { server.stop() }
    let result = await run(write(#""quota": "5000/1d""#, items: 7), server)
    #expect(result.status == .success, "\(result.error)")
    let text = try #require(readFile(folder.path + "/store/quotas.json"))
    let quotas = try JSONDocument.parse(text).root["quotas"]
    #expect(quotas?.count == 1)
    #expect(quotas?[0]?["slices"]?.elements.compactMap { Int($0[1]?.text ?? "") }.reduce(0, +) == 7)
  }

  /// Also one that is too short to be searched for in texts.
  @Test func aSecretInAHostIsInNoFileThatRunsShare() async throws {
    let server = try SandboxServer.start()
    defer { server.stop() }
    let port = try #require(server.origin.split(separator: ":").last)
    for secret in ["tenant0815", "acme"] {
      let path = folder.write(
        """
        {"inputs": {"tenant": {"secret": true}}, "limits": {"quota": "2/1d"},
         "defaults": {"baseURL": "http://{{inputs.tenant}}.localhost:\(port)"},
         "steps": [{"id": "a",
           "endpoint": "GET /limited/announced/milliseconds?limit=5&window=600000"}]}
        """, to: "s.json")
      for status in [ExitStatus.success, .success, .failure] {
        let result = await pipeline(
          ["run", path, "--set", "tenant=" + secret, "--store", folder.path + "/store"])
        #expect(result.status == status, "\(result.error)")
      }
      for name in ["quotas.json", "limits.json"] {
        let bytes = try #require(readFile(folder.path + "/store/" + name))
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(!text.contains(secret) && !text.contains("localhost"), "\(name): \(text)")
      }
    }
    // Two tenants, each with a quota of its own.
    let text = try #require(readFile(folder.path + "/store/quotas.json"))
    #expect(try JSONDocument.parse(text).root["quotas"]?.count == 2)
  }

  @Test func aNameThatWasWrittenBeforeIsReplaced() throws {
    let text = """
      {"format": 1, "quotas": [
        {"origin": "https://acme.example", "milliseconds": 1000, "slices": [[1, 7]]}]}
      """
    let record = QuotaRecord(try JSONDocument.parse(Array(text.utf8)))
    #expect(record.windows.values.map(\.slices.count) == [1])
    #expect(!String(decoding: record.bytes, as: UTF8.self).contains("acme"))
  }

  @Test func withoutAStoreARunCountsItsOwn() async throws {
    let server = try SandboxServer.start()
    defer { server.stop() }
    let path = write(#""quota": "5/1d""#, items: 4)
    for _ in 0..<2 {
      let result = await pipeline(["run", path, "--set", "api=" + server.origin, "--no-store"])
      #expect(result.status == .success, "\(result.error)")
    }
  }

  @Test func aBrokenFileOfCountsIsNamed() async throws {
    let server = try SandboxServer.start()
    defer { server.stop() }
    _ = folder.write("{", to: "store/quotas.json")
    let result = await run(write(#""quota": "5/1d""#, items: 1), server)
    #expect(result.status == .failure)
    #expect(result.error.contains("remove it to begin to count anew"), "\(result.error)")
    #expect(server.records.requestCount == 0)
  }

  @Test func bytesAreBounded() async throws {
    let server = try SandboxServer.start()
    defer { server.stop() }
    let result = await run(
      write(#""bytes": "2500B""#, items: 9, path: "/binary/1000?n={{n}}"), server)
    #expect(result.status == .failure)
    #expect(
      result.error.contains(
        "the run has received 2500 bytes; 'limits.bytes' sets how much it may receive"),
      "\(result.error)")
    #expect(server.records.requestCount == 3)
  }
}
