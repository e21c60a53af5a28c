import PipelineKit
import PipelineTestSupport
import PipelineTesting
import Testing

/// docs/coming-from.md: its code is what is compiled, and its figures are counted.
@Suite struct ComingFromTests {
  private let document: String

  init() throws {
    let bytes = try #require(readFile(Conformance.packageRoot + "/docs/coming-from.md"))
    document = String(decoding: bytes, as: UTF8.self)
  }

  private static func blocks(of text: Substring) -> [Substring] {
    text.split(separator: "```swift\n").dropFirst().map { $0.split(separator: "```")[0] }
  }

  @Test func theDocumentsCodeIsTheCodeThatIsCompiled() throws {
    let path = Conformance.packageRoot + "/Tests/OriginsTests/ComingFrom.swift"
    let code = String(decoding: try #require(readFile(path)), as: UTF8.self)
    let blocks = Self.blocks(of: document[...])
    #expect(blocks.count == 10)
    for block in blocks {
      #expect(code.contains(block), "docs/coming-from.md has code that is not compiled:\n\(block)")
    }
  }

  @Test func theLinesAreCounted() {
    let sections = document.split(separator: "\n## ").dropFirst()
    let rows = document.split(separator: "\n").filter { $0.hasPrefix("| [") }
    #expect(rows.count == sections.count)
    for (row, section) in zip(rows, sections) {
      let lines = Self.blocks(of: section).flatMap { $0.split(separator: "\n") }.count
      #expect(row.hasSuffix("| \(lines) |"), "\(row)")
    }
  }
}

/// The tasks of the texts that the product comes from, done as an app does them.
@Suite struct OriginTests {
  private let people = ScriptedTransport { request in
    guard request.url.hasSuffix("/users") || request.url.contains("/users?") else {
      let id = request.url.split(separator: "/").last ?? ""
      return .json([
        "data": ["id": JSONValue(number: String(id)) ?? .null, "first_name": .string("U\(id)")]
      ])
    }
    let start = request.url.hasSuffix("page=2") ? 4 : 1
    return .json([
      "total_pages": 2, "data": .array((start..<start + 3).map { ["id": JSONValue($0)] }),
    ])
  }

  // MARK: Operation queue

  @Test(arguments: [false, true])
  func anOperationQueue(whileHidden: Bool) async throws {
    let users = try await loadPeople(people, whileHidden: whileHidden)
    #expect(users == [4, 5, 6].map { User(id: $0, name: "U\($0)") })
    #expect(people.requests.map(\.url).first == "https://people.example/users?page=2")
  }

  @Test func anErrorOfAnOperationStopsTheLaterOnes() async throws {
    let script = ScriptedTransport(steps: ["list": [.status(500)]])
    let error = await #expect(throws: RunFailure.self) {
      try await loadPeople(script, whileHidden: false)
    }
    #expect(error?.report.failures.map(\.step) == ["list"])
    #expect(script.requests.count == 1)
  }

  // MARK: Chain of handlers

  @Test @MainActor func aChainOfHandlers() async {
    let model = StatementModel()
    await model.load(user: 7, over: chainMock(account: .json(["balance": 10.5])))
    #expect(
      model.statement == Statement(name: "Dear Goran", balance: 10.5, transactions: [-4.5]))
  }

  @Test @MainActor func aChainOfHandlersThatFails() async {
    let model = StatementModel()
    await model.load(user: 7, over: chainMock(account: .status(403)))
    #expect(model.statement == nil)
    #expect(model.message.hasPrefix("step 'account' answered 403"))
  }

  // MARK: Coordinated operations

  @Test(arguments: [(1, 1), (1, 3), (2, 1), (2, 3)])
  func coordinatedOperations(batch: Int, parallel: Int) async throws {
    let script = ScriptedTransport { request in
      guard case .bytes(let bytes) = request.body, let body = try? JSONDocument.parse(bytes) else {
        return .status(400)
      }
      if body.root.text.contains("bad") { return .status(422) }
      return .json(["count": JSONValue(max(1, body.root.count))])
    }
    let result = try await upload(
      ["a", "b", "bad", "d", "e"], batch: batch, parallel: parallel, script)
    #expect(
      result
        == (batch == 1
          ? Uploads(counts: [1, 1, 0, 1, 1], failed: [2])
          : Uploads(counts: [2, 0, 1], failed: [1])))
    #expect(script.requests.count == (batch == 1 ? 5 : 3))
  }

  // MARK: Promises, await shims, observables

  @Test func promises() async throws {
    let answers: [String: [ScriptedTransport.Answer]] = [
      "user": [.json(["accountId": 42])], "account": [.refused],
      "news": [.json([["title": "a"], ["title": "b"]])],
    ]
    #expect(
      try await home(ScriptedTransport(steps: answers)).get()
        == Home(balance: 0, news: ["a", "b"]))
    var failing = answers
    failing["account"] = [.status(404)]
    await #expect(throws: RunFailure.self) {
      try await home(ScriptedTransport(steps: failing)).get()
    }
  }

  @Test @MainActor func awaiting() async throws {
    let script = ScriptedTransport(steps: ["user": [.json(["name": "Goran"])]])
    var shown = ""
    try await showName(try Pipeline(awaited, transport: script)) { shown = $0 }.value
    #expect(shown == "Goran")
  }

  @Test func observables() async throws {
    let run = try Pipeline(stream, transport: people).run()
    var last = 0.0
    for await part in progress(of: run) { last = part }
    #expect(last == 1)
    #expect(try await run.value(of: People.self).users.map(\.id) == [1, 2, 3])
  }

  @Test func producers() async throws {
    let script = ScriptedTransport(steps: [
      "user": [.json(["name": "Goran"])], "bye": [.status(204)],
    ])
    let run = try Pipeline(produced, transport: script).run()
    let (results, continuation) = AsyncStream.makeStream(of: Result<RunResult, any Error>.self)
    await startWithResult(run) { continuation.yield($0) }.value
    continuation.finish()
    for await result in results {
      #expect(try result.get().output("name", as: String.self) == "Goran")
    }
    #expect(script.requests(of: "bye").count == 1)
  }

  @Test func plainConcurrency() async throws {
    #expect(try await names(people) == ["U1", "U2", "U3", "U4", "U5", "U6"])
  }
}
