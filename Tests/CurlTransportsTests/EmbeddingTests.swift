import CurlTransports
import Foundation
import PipelineKit
import PipelineHTTPServers
import PipelineSandboxServers
import PipelineTestSupport
import PipelineTestTraits
import PipelineTesting
import Synchronization
import Testing

@Suite(.ownThreads) struct EmbeddingTests {
  @Test func theDocumentsCodeIsTheCodeThatIsCompiled() throws {
    let root = Conformance.packageRoot
    let document = try #require(readFile(root + "/docs/embedding.md"))
    let path = root + "/Tests/CurlTransportsTests/EmbeddingExample.swift"
    let example = try #require(readFile(path))
    let code = String(decoding: example, as: UTF8.self)
    let text = String(decoding: document, as: UTF8.self)
    let blocks = text.split(separator: "```swift\n").dropFirst()
    #expect(blocks.count == 11)
    for block in blocks.dropFirst() {
      let text = block.split(separator: "```")[0]
      #expect(code.contains(text), "docs/embedding.md has code that is not compiled:\n\(text)")
    }
  }

  @Test func theBankChainRunsOnTheSandbox() async throws {
    let sandbox = try SandboxServer.start()
    defer { sandbox.stop() }
    let found = try await Bank(api: sandbox.origin + "/bank").statement(of: 7)
    #expect(found.transactions.map(\.amount) == [1200, -50.37, -108.01])
  }

  @Test func theStateOfOneRunIsGivenToTheNext() async throws {
    let sandbox = try SandboxServer.start()
    defer { sandbox.stop() }
    let workflow = try #require(readFile(Conformance.packageRoot + "/workflows/export.json"))
    let text = String(decoding: workflow, as: UTF8.self)
    let api = sandbox.origin + "/pages"
    let first = try await export(text, after: [:], at: api)
    #expect(first == ["exported": 25])
    #expect(try await export(text, after: first, at: api) == first)
  }

  @Test @MainActor func aModelShowsProgressAndTheResult() async throws {
    let script = bankScript()
    let model = BankModel()
    let retrying = bank.replacing(
      "\"defaults\": {", with: "\"defaults\": { \"retry\": { \"attempts\": 2, \"delay\": \"1ms\" },"
    )
    await model.load(try Pipeline(retrying, transport: script), user: 7)
    #expect(model.progress.sorted() == ["account", "transactions", "user"])
    #expect(model.balance == 10.5)
    #expect(script.requests.count == 4)
    let failing = BankModel()
    await failing.load(try Pipeline(bank, transport: bankScript()), user: 7)
    #expect(failing.problem?.hasPrefix("step 'account' answered 503") == true)
  }

  @Test func theScriptBySteps() async throws {
    let clock = VirtualClock()
    let retrying = bank.replacing(
      "\"defaults\": {",
      with: "\"defaults\": { \"retry\": 3, \"timeout\": \"5s\",")
    var options = RunOptions()
    options.clock = clock
    let pipeline = try Pipeline(retrying, transport: slowBank(clock), options: options)
    let statement = try await pipeline.value(
      of: Statement.self, inputs: ["api": "https://bank.example", "user": 7])
    #expect(statement == Statement(name: "Goran", balance: 10.5, transactions: []))
  }

  @Test func aHandlerScores() async throws {
    let pipeline = try scoringPipeline(bankScript())
    #expect(try await pipeline.value(of: Score.Output.self, inputs: ["user": 7]).points == 210)
  }

  @Test func aSequenceIsUploaded() async throws {
    let (film, continuation) = AsyncThrowingStream.makeStream(of: Data.self)
    for byte in 1...3 { continuation.yield(Data([UInt8(byte)])) }
    continuation.finish()
    let asked = Mutex("")
    let server = try RawServer { connection in
      let request = connection.readRequest() ?? ""
      asked.withLock { $0 = request }
      connection.write("HTTP/1.1 204 No Content\r\n\r\n")
    }
    let pipeline = try Pipeline(
      """
      {"steps": [{"id": "a", "endpoint": "PUT \(server.url())", "body": {"file": "film.mp4"}}]}
      """)
    try await upload(film, with: pipeline)
    #expect(asked.withLock { $0.bodyPart } == "\u{1}\u{2}\u{3}")
  }

  @Test func aServiceDrainsItsRuns() async throws {
    let (asked, ask) = AsyncStream<Void>.makeStream()
    let transport = ScriptedTransport { request in
      guard request.url.hasSuffix("/users/8") else { return .json(["name": "Ada"]) }
      ask.yield()
      while !Task.isCancelled { await Task.yield() }
      return .status(500)
    }
    let pipeline = try Pipeline(
      """
      {"inputs": {"user": {"type": "integer"}},
       "steps": [{"id": "user", "endpoint": "GET https://bank.example/users/{{inputs.user}}",
         "extract": {"name": "$.name"}}],
       "outputs": {"name": "{{user.name}}"}}
      """, transport: transport)
    struct Name: Decodable, Sendable { let name: String }
    let live = LiveRuns()
    let slow = pipeline.run(inputs: ["user": 8])
    async let first = live.value(of: Name.self, pipeline.run(inputs: ["user": 7]))
    let second = Task { try await live.value(of: Name.self, slow) }
    #expect(try await first.name == "Ada")
    for await _ in asked { break }
    await live.drain(within: .milliseconds(1))
    #expect(try await slow.result.status == .cancelled)
    await #expect(throws: RunFailure.self) { try await second.value }
    await #expect(throws: CancellationError.self) {
      try await live.value(of: Name.self, pipeline.run(inputs: ["user": 7]))
    }
  }

  @Test func anObserverLogsAndMeasures() async throws {
    let lines = Mutex<[String]>([])
    let failing = ScriptedTransport { _ in .status(404) }
    let pipeline = observed(
      try Pipeline(bank, transport: failing),
      traceparent: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
      log: { line in lines.withLock { $0.append(line) } },
      record: { step, _ in lines.withLock { $0.append(step) } })
    let result = try await pipeline.run(
      inputs: BankInputs(api: "https://bank.example", user: 7)
    ).result
    let found = lines.withLock { $0 }
    #expect(found.count == 2 && found[0] == "user")
    #expect(found[1].hasPrefix(result.report.runID + ": ") && found[1].contains("404"))
    #expect(failing.requests[0].headers.contains { $0.name == "traceparent" })
  }

  @Test func aTextThatLintRefusesThrowsItsFindings() {
    #expect(throws: WorkflowError.self) {
      try Pipeline("{\"steps\": [{\"id\": \"a\"}]}", transport: bankScript())
    }
  }
}

extension String {
  fileprivate func replacing(_ part: String, with other: String) -> String {
    split(separator: part, omittingEmptySubsequences: false).joined(separator: other)
  }
}
