import PipelineJSONText
import PipelineKit
import PipelineRecordings
import Synchronization
import Testing

@testable import PipelineEngine
@testable import PipelineTesting

/// What a run recorded is replayed by who asks.
@Suite struct ReplayTests {
  /// Records a run, and gives the file.
  private func record(
    _ workflow: String, inputs: [String: JSONValue] = [:], status: RunReport.Status = .succeeded,
    answer: @escaping @Sendable (TransportRequest) async -> ScriptedTransport.Answer
  ) async throws -> (bytes: [UInt8], outputs: [UInt8]) {
    let transport = RecordingTransport(ScriptedTransport(answer))
    let pipeline = try Pipeline(workflow, transport: transport)
    let result = try await pipeline.run(inputs: inputs).result
    #expect(result.status == status)
    var bytes: [UInt8] = []
    try transport.write { bytes += $0 }
    return (bytes, Array(result.outputs.text.utf8))
  }

  private func replay(
    _ workflow: String, _ recording: [UInt8], inputs: [String: JSONValue] = [:],
    concurrency: Int? = nil
  ) async throws -> (result: RunResult, problems: [String]) {
    let transport = ReplayTransport(try Recording(MemoryRecording(recording)))
    var options = RunOptions()
    options.concurrency = concurrency
    let pipeline = try Pipeline(workflow, transport: transport, options: options)
    let result = try await pipeline.run(inputs: inputs).result
    return (result, transport.problems)
  }

  /// Answers that differ from request to request, though the requests do not.
  private final class Counter: Sendable {
    private let count = Mutex(0)

    func next() -> Int {
      count.withLock { count in
        count += 1
        return count
      }
    }
  }

  /// Two steps poll one URL at once, and the items of a third send equal requests: a key by request
  /// cannot tell them apart.
  private static let alike = """
    {"steps": [
      {"id": "a", "endpoint": "GET https://x.test/job",
        "poll": {"until": "@.body.n > 4", "every": "1ms"}, "extract": {"n": "$.n"}},
      {"id": "b", "endpoint": "GET https://x.test/job",
        "poll": {"until": "@.body.n > 6", "every": "1ms"}, "extract": {"n": "$.n"}},
      {"id": "c", "forEach": [1, 1, 1, 1], "endpoint": "POST https://x.test/new",
        "body": {"json": {"name": "same"}}, "extract": {"id": "$.n"}}
    ], "outputs": {"a": "{{a.n}}", "b": "{{b.n}}", "c": "$.c"}}
    """

  @Test func requestsThatAreAlikeGetTheirOwnAnswers() async throws {
    let counter = Counter()
    let recorded = try await record(Self.alike) { _ in
      .json(["n": JSONValue(counter.next())], status: 200)
    }
    for concurrency in [1, 2, 3, 16] {
      let (result, problems) = try await replay(
        Self.alike, recorded.bytes, concurrency: concurrency)
      #expect(problems == [])
      #expect(Array(result.outputs.text.utf8) == recorded.outputs)
    }
  }

  private static let secret = """
    {"inputs": {"password": {"secret": true}, "pin": {"secret": true, "type": "integer"}},
      "steps": [
        {"id": "login", "endpoint": "POST https://x.test/login",
          "body": {"json": {"password": "{{inputs.password}}", "pin": "{{inputs.pin}}"}},
          "extract": {"token": {"body": "$.token", "secret": true},
            "number": {"body": "$.number", "secret": true}}},
        {"id": "me", "endpoint": "GET https://x.test/me?n={{login.number}}&t={{login.token}}",
          "auth": {"basic": {"user": "u", "password": "{{login.token}}"}},
          "extract": {"name": "$.name"}}
      ], "outputs": {"name": "{{me.name}}"}}
    """

  private func recordSecrets() async throws -> [UInt8] {
    try await record(
      Self.secret, inputs: ["password": "Sesame, open!", "pin": 4711]
    ) { request in
      request.url.hasSuffix("login")
        ? .json(["token": "aB3$/+xyzzy-77", "number": 9_876_543, "pin": "4711"])
        : .json(["name": "Ada", "echo": "aB3$/+xyzzy-77", "encoded": "aB3%24%2F%2Bxyzzy-77"])
    }.bytes
  }

  @Test func noSecretIsInARecordingAndStandInsReplayIt() async throws {
    let bytes = try await recordSecrets()
    let text = String(decoding: bytes, as: UTF8.self)
    for secret in ["Sesame", "4711", "xyzzy", "9876543", "dTph"] {
      #expect(!text.contains(secret), "\(secret)")
    }
    for name in ["inputs.password", "inputs.pin", "login.token", "login.number"] {
      #expect(text.contains("{{secret:\(name)}}"), "\(name)")
    }
    // Other values of the inputs are as secret, and as good.
    let (result, problems) = try await replay(
      Self.secret, bytes, inputs: ["password": "something else", "pin": 1])
    #expect(problems == [])
    #expect(String(decoding: Array(result.outputs.text.utf8), as: UTF8.self).contains("Ada"))
  }

  @Test func recordedAgainAFileIsTheSame() async throws {
    #expect(try await recordSecrets() == recordSecrets())
  }

  private static let users = """
    {"inputs": {"page": {"default": 1}}, "steps": [
      {"id": "list", "endpoint": "GET https://x.test/users?page={{inputs.page}}",
        "extract": {"ids": "$[*].id"}},
      {"id": "rename", "forEach": "$.list.ids", "endpoint": "PUT https://x.test/users/{{item}}",
        "body": {"json": {"name": "{{inputs.page}}"}}}
    ], "outputs": {"ids": "$.list.ids"}}
    """

  @Test func aDifferenceIsExplainedByStepPartAndOrigin() async throws {
    let bytes = try await record(Self.users) { request in
      request.method == "PUT" ? .status(204) : .json([["id": 7], ["id": 8]])
    }.bytes
    let (result, problems) = try await replay(Self.users, bytes, inputs: ["page": 2])
    #expect(result.status == .failed)
    #expect(
      problems == [
        "step 'list' does not ask what was recorded: the query parameter 'page' was '1' and is"
          + " '2', from {{inputs.page}}"
      ])
  }

  @Test func whatIsNotRecordedShowsTheNearest() async throws {
    let bytes = try await record(Self.users) { request in
      request.method == "PUT" ? .status(204) : .json([["id": 7]])
    }.bytes
    let longer = Self.users.split(separator: #""rename""#).joined(separator: #""change""#)
    let (_, problems) = try await replay(longer, bytes)
    #expect(problems.count == 1)
    #expect(
      problems.first?.hasPrefix("step 'change', item 0: PUT https://x.test/users/7 is not") == true)
  }

  @Test func anItemThatIsNotRecordedShowsAnotherOfItsStep() async throws {
    let workflow = #"""
      {"inputs": {"count": {"type": "integer"}}, "steps": [
        {"id": "a", "forEach": {"from": 1, "to": "{{inputs.count}}"},
          "endpoint": "GET https://x.test/{{item}}"}
      ]}
      """#
    let bytes = try await record(workflow, inputs: ["count": 3]) { _ in .json([:]) }.bytes
    let (_, problems) = try await replay(workflow, bytes, inputs: ["count": 4])
    #expect(
      problems == [
        "step 'a', item 3: GET https://x.test/4 is not recorded; of this step the recording has"
          + " step 'a', item 0; record it again"
      ])
  }

  /// The message is chosen from some of the targets, however many another tool recorded.
  @Test(.timeLimit(.minutes(5))) func aTargetAmongManyOfAnotherToolIsMissing() async throws {
    let entries = (0..<5_000).map { number in
      #"{"request": {"method": "GET", "url": "https://x.test/users/\#(number)"},"#
        + #" "response": {"status": 200}}"#
    }
    let bytes = Array(#"{"log": {"entries": [\#(entries.joined(separator: ","))]}}"#.utf8)
    let transport = ReplayTransport(try Recording(MemoryRecording(bytes)))
    for (missing, near) in [
      ("users/70", "users/70"), ("users/4999", "users/499"), ("none/at/all/of/this", "users/0"),
    ] {
      await #expect(
        throws: TransportError(
          .unusable,
          "POST https://x.test/\(missing) is not recorded; the nearest that is recorded is"
            + " GET https://x.test/\(near); record it again")
      ) {
        try await transport.send(
          TransportRequest(method: "POST", url: "https://x.test/\(missing)"))
      }
    }
  }

  @Test func failuresAreReplayedAndRetriedAsRecorded() async throws {
    let counter = Counter()
    let workflow = """
      {"steps": [{"id": "a", "endpoint": "GET https://x.test/",
        "retry": {"attempts": 3, "delay": "1ms"}, "extract": {"n": "$.n"}}],
        "outputs": {"n": "{{a.n}}"}}
      """
    let recorded = try await record(workflow) { _ in
      switch counter.next() {
      case 1: .failure(TransportError(.interrupted, "broke"))
      case 2: .status(503)
      default: .json(["n": 3])
      }
    }
    let (result, _) = try await replay(workflow, recorded.bytes)
    #expect(Array(result.outputs.text.utf8) == recorded.outputs)
    #expect(result.report.counts.requests == 3)
  }

  @Test func pagesAndRedirectsHaveKeysOfTheirOwn() async throws {
    let workflow = """
      {"steps": [{"id": "a", "endpoint": "GET https://x.test/p",
        "paginate": {"cursor": "$.next", "param": "c"}, "extract": {"n": "$.n[*]"}}],
        "outputs": {"n": "$.a.n"}}
      """
    let recorded = try await record(workflow) { request in
      if request.url.hasSuffix("/p") {
        return .status(302, headers: [HeaderField("Location", "/q")])
      }
      return request.url.hasSuffix("c=2") ? .json(["n": [2]]) : .json(["n": [1], "next": "2"])
    }
    let recording = try Recording(MemoryRecording(recorded.bytes))
    #expect(recording.keys.map(\.description).sorted().first == "step 'a'")
    let (result, problems) = try await replay(workflow, recorded.bytes)
    #expect(problems == [])
    #expect(Array(result.outputs.text.utf8) == recorded.outputs)
  }

  @Test func anotherToolsRecordingIsMatchedByRequest() async throws {
    let har = """
      {"log":{"entries":[
        {"request":{"method":"GET","url":"https://x.test/users?page=1"},
         "response":{"status":200,"content":{"mimeType":"application/json","text":"[{\\"id\\":1}]"}}},
        {"request":{"method":"PUT","url":"https://x.test/users/1"},"response":{"status":204}}]}}
      """
    let (result, problems) = try await replay(Self.users, Array(har.utf8))
    #expect(problems == [])
    #expect(result.status == .succeeded)
  }

  // MARK: Recordings of other tools

  private func foreign(_ content: String) throws -> ReplayTransport {
    let text = #"""
      {"log": {"entries": [{
        "request": {"method": "POST", "url": "https://x.test/p",
          "postData": {"mimeType": "application/json", "text": "{\"a\":5}"}},
        "response": {"status": 200, "content": \#(content)}}]}}
      """#
    return ReplayTransport(try Recording(MemoryRecording(Array(text.utf8))))
  }

  private func post(_ number: Int, _ transport: ReplayTransport) async throws -> RunReport {
    try await Pipeline(
      """
      {"steps": [{"id": "p", "endpoint": "POST https://x.test/p", "body": {"json": {"a": \(number)}},
        "extract": {"ok": "$.ok"}}], "outputs": {"ok": "{{p.ok}}"}}
      """, transport: transport
    ).run().result.report
  }

  @Test(arguments: [5, 6]) func anotherBodyThanTheRecordedOneIsNoted(number: Int) async throws {
    let replay = try foreign(#"{"mimeType": "application/json", "text": "{\"ok\":1}"}"#)
    let report = try await post(number, replay)
    #expect(report.status == .succeeded && replay.problems.isEmpty)
    #expect(replay.notes.count == (number == 5 ? 0 : 1))
    #expect(replay.notes.first?.hasPrefix("POST https://x.test/p has another body") != false)
  }

  @Test func aBodyInAnotherFileIsSaid() async throws {
    let replay = try foreign(#"{"mimeType": "application/json", "_file": "a1b2.json"}"#)
    let report = try await post(5, replay)
    let message = report.failures.first?.failure.message ?? ""
    #expect(message.contains("is in another file, 'a1b2.json'; record it again"), "\(message)")
  }

  @Test func aZipIsNoRecording() {
    #expect {
      try Recording(MemoryRecording([0x50, 0x4B, 3, 4, 0, 0]))
    } throws: { error in
      (error as? RecordingProblem)?.message == "is a zip file; name the .har file that is in it"
    }
  }
}
