import Foundation
import PipelineKit
import PipelineTesting
import Synchronization
import Testing

/// What several runs of an app keep together.
@Suite struct SharingTests {
  private let many = """
    {"steps": [{"id": "get", "forEach": {"from": 1, "to": 6},
       "endpoint": "GET https://api.example/{{item}}"}]}
    """

  @Test func runsKeepALimitTogether() async throws {
    let inFlight = Mutex((now: 0, most: 0))
    let transport = ScriptedTransport { _ in
      inFlight.withLock { count in
        count.now += 1
        count.most = max(count.most, count.now)
      }
      for _ in 0..<20 { await Task.yield() }
      inFlight.withLock { $0.now -= 1 }
      return .json([:])
    }
    var options = RunOptions()
    options.limit = SharedLimit(concurrency: 2)
    let pipeline = try Pipeline(many, transport: transport, options: options)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<5 { group.addTask { try await pipeline.run().result.get() } }
      try await group.waitForAll()
    }
    #expect(transport.requests.count == 30)
    #expect(inFlight.withLock { $0.most } == 2)
  }

  @Test func runsKeepARateTogether() async throws {
    let clock = VirtualClock()
    var options = RunOptions()
    options.clock = clock
    options.limit = SharedLimit(rate: .init(6, per: .seconds(10)), clock: clock)
    let transport = ScriptedTransport { _ in .json([:]) }
    let pipeline = try Pipeline(many, transport: transport, options: options)
    for _ in 0..<3 { try await pipeline.run().result.get() }
    #expect(transport.requests.count == 18)
    #expect(clock.elapsed >= .seconds(20) && clock.elapsed < .seconds(40))
  }

  @Test func aServerThatAsksOneRunToWaitIsLeftAloneByAll() async throws {
    let clock = VirtualClock()
    var options = RunOptions()
    options.clock = clock
    options.limit = SharedLimit(clock: clock)
    let busy = ScriptedTransport { _ in
      .status(429, headers: [HeaderField("Retry-After", "30")])
    }
    let one = "{\"steps\": [{\"id\": \"get\", \"endpoint\": \"GET https://api.example/a\"}]}"
    _ = try await Pipeline(one, transport: busy, options: options).run().result
    let free = ScriptedTransport { _ in .json([:]) }
    try await Pipeline(one, transport: free, options: options).run().result.get()
    #expect(clock.elapsed == .seconds(30))
  }

  @Test func runsShareTokens() async throws {
    let clock = VirtualClock()
    let transport = ScriptedTransport([
      "POST https://auth.example/token": [
        .json(["access_token": "t0ken-1", "token_type": "Bearer", "expires_in": 100]),
        .json(["access_token": "t0ken-2", "token_type": "Bearer", "expires_in": 100]),
      ],
      "GET https://api.example/a": [.json(["echo": "t0ken-1"])],
    ])
    var options = RunOptions()
    options.clock = clock
    options.tokens = SharedTokens(clock: clock)
    let pipeline = try Pipeline(
      """
      {"steps": [{"id": "a", "endpoint": "GET https://api.example/a",
         "auth": {"oauth2": {"tokenURL": "https://auth.example/token", "clientId": "app",
           "clientSecret": "secret-of-the-app"}}, "extract": {"echo": "$.echo"}}],
       "outputs": {"echo": "{{a.echo}}"}}
      """, transport: transport, options: options)
    func authorizations() -> [String?] {
      transport.requests.filter { $0.method == "GET" }
        .map { request in request.headers.first { $0.name == "Authorization" }?.value }
    }
    for _ in 0..<3 {
      let result = try await pipeline.run().result.get()
      // A run hides also a token that another one has fetched.
      #expect(result.outputs["echo"]?.string == "•••")
    }
    #expect(authorizations() == Array(repeating: "Bearer t0ken-1", count: 3))
    #expect(transport.requests.count == 4)
    try await Pipeline(
      "{\"steps\": [{\"id\": \"a\", \"wait\": \"101s\"}]}", transport: transport, options: options
    ).run().result.get()
    try await pipeline.run().result.get()
    #expect(authorizations().last == "Bearer t0ken-2")
    await options.tokens?.removeAll()
    try await pipeline.run().result.get()
    #expect(transport.requests.count == 8)
  }

  @Test func bodiesComeFromMemoryAndGoThere() async throws {
    let transport = ScriptedTransport { _ in .text("saved") }
    let files = MemoryFiles([
      "images/a.png": Data([1, 2]), "images/b.png": Data([3]), "live": Data([4, 5, 6]),
    ])
    var options = RunOptions()
    options.files = files
    let pipeline = try Pipeline(
      """
      {"steps": [
         {"id": "one", "endpoint": "PUT https://api.example/one", "body": {"file": "live"}},
         {"id": "form", "endpoint": "PUT https://api.example/form", "save": "answer.txt",
          "body": {"multipart": [{"name": "f", "file": "images/a.png"}]}}]}
      """, transport: transport, options: options)
    try await pipeline.run().result.get()
    let bodies = Dictionary(
      uniqueKeysWithValues: transport.requests.map { ($0.url, $0.body) })
    #expect(bodies["https://api.example/one"] == .bytes([4, 5, 6]))
    #expect(
      bodies["https://api.example/form"]
        == .multipart([.init(name: "f", content: .bytes([1, 2]), filename: "a.png")]))
    #expect(files["answer.txt"] == Data("saved".utf8))
    #expect(try files.list("images/*.png") == ["images/a.png", "images/b.png"])
    #expect(files.paths == ["answer.txt", "images/a.png", "images/b.png", "live"])
    #expect(throws: FileError.self) { try files.read("none") }
    #expect(throws: FileError.self) { try files.save([], to: "live") }
  }

  @Test func theObserverHearsHowFarARequestHasCome() async throws {
    let transfers = Mutex<[Transfer]>([])
    var options = RunOptions()
    options.transferObserver = { transfer in transfers.withLock { $0.append(transfer) } }
    try await Pipeline(
      """
      {"steps": [{"id": "a", "endpoint": "POST https://api.example/a",
         "body": {"text": "12345"}}]}
      """, transport: ScriptedTransport { _ in .text("1234567") }, options: options
    ).run().result.get()
    let last = try #require(transfers.withLock { $0.last })
    #expect(last.step == "a" && last.item == nil && last.path == [])
    #expect(last.sent == 5 && last.sentTotal == 5)
    #expect(last.received == 7 && last.receivedTotal == 7)
  }
}
