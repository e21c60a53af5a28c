import PipelineJSONText
import PipelineKit
import PipelineLanguage
import PipelineTesting
import Synchronization
import Testing

/// Runs that share a cache, over a scripted transport and a clock that stands still.
@Suite struct CacheTests {
  private let api = "https://api.example"
  private let cache = MemoryResponseCache()
  private let clock = ManualClock()

  /// The requests that arrived, and how the server answers them.
  private final class Server: Sendable {
    private let answer: Mutex<@Sendable (TransportRequest) -> TransportResponse>
    private let received = Mutex<[TransportRequest]>([])

    init(_ answer: @escaping @Sendable (TransportRequest) -> TransportResponse) {
      self.answer = Mutex(answer)
    }

    var requests: [TransportRequest] { received.withLock { $0 } }

    func become(_ new: @escaping @Sendable (TransportRequest) -> TransportResponse) {
      answer.withLock { $0 = new }
    }

    var transport: ScriptedTransport {
      ScriptedTransport { request in
        self.received.withLock { $0.append(request) }
        return .response(self.answer.withLock { $0 }(request))
      }
    }
  }

  private func run(
    _ server: Server, _ text: String, inputs: [String: JSONValue] = [:],
    observer: (@Sendable (RunEvent) -> Void)? = nil
  ) async throws -> RunResult {
    var options = RunOptions()
    options.cache = cache
    options.clock = clock
    options.observer = observer
    return try await Pipeline(plan(text), transport: server.transport, options: options)
      .run(inputs: inputs).result
  }

  private func get(_ rest: String = "") -> String {
    """
    {"defaults": {"baseURL": "\(api)", "cache": true}, "steps": [
      {"id": "a", "endpoint": "GET /a", "extract": {"v": "$.v"}\(rest)}],
     "outputs": {"v": "{{a.v}}"}}
    """
  }

  private static func json(
    _ v: Int, _ headers: [(String, String)], status: Int = 200
  ) -> TransportResponse {
    TransportResponse(
      status: status,
      headers: [HeaderField("Content-Type", "application/json")]
        + headers.map { HeaderField($0.0, $0.1) }, body: Array("{\"v\":\(v)}".utf8))
  }

  @Test func aFreshResponseCostsNoRequest() async throws {
    let server = Server { _ in Self.json(1, [("Cache-Control", "max-age=60")]) }
    #expect(try await run(server, get()).outputs.text == #"{"v":1}"#)
    clock.advance(by: .seconds(59))
    // Neither a limit of requests nor one of time holds it back.
    let limited = get().replacing(
      "\"steps\"", with: "\"limits\": {\"requests\": 1, \"rate\": \"1/1d\"}, \"steps\"")
    let told = Mutex<[String]>([])
    let result = try await run(server, limited) { event in
      if case .requestFinished(let request) = event.kind {
        told.withLock {
          $0.append("\(request.requests) \(request.status ?? 0) \(request.cache?.rawValue ?? "")")
        }
      }
    }
    #expect(result.outputs.text == #"{"v":1}"#)
    #expect(result.report.counts.requests == 0)
    #expect(result.report.counts.bytesReceived == 0)
    #expect(result.report.counts.cached == 1)
    #expect(told.withLock { $0 } == ["0 200 fresh"])
    #expect(server.requests.count == 1)
    clock.advance(by: .seconds(1))
    _ = try await run(server, get())
    #expect(server.requests.count == 2)
  }

  @Test func aStaleResponseIsValidated() async throws {
    let server = Server { request in
      let isKnown = request.headers.contains(HeaderField("If-None-Match", "\"x\""))
      return isKnown
        ? TransportResponse(status: 304, headers: [HeaderField("X-News", "1")])
        : Self.json(1, [("ETag", "\"x\""), ("Cache-Control", "max-age=10")])
    }
    let expecting = get(", \"expect\": {\"status\": 200}").replacing(
      "{\"v\": \"$.v\"}", with: "{\"v\": \"$.v\", \"etag\": {\"header\": \"ETag\"}}")
    _ = try await run(server, expecting)
    clock.advance(by: .seconds(10))
    let told = Mutex<[Int?]>([])
    let result = try await run(server, expecting) { event in
      if case .requestFinished(let request) = event.kind {
        told.withLock { $0.append(request.status) }
      }
    }
    #expect(result.status == .succeeded)
    #expect(result.outputs.text == #"{"v":1}"#)
    #expect(told.withLock { $0 } == [304])
    #expect(result.report.counts.validated == 1)
    #expect(result.report.counts.requests == 1)
    // It is fresh again.
    #expect(try await run(server, expecting).report.counts.cached == 1)
    clock.advance(by: .seconds(10))
    server.become { _ in Self.json(2, [("ETag", "\"y\""), ("Cache-Control", "max-age=10")]) }
    let changed = try await run(server, expecting)
    #expect(changed.outputs.text == #"{"v":2}"#)
    #expect(changed.report.counts.validated == 0)
    #expect(try await run(server, expecting).outputs.text == #"{"v":2}"#)
    #expect(server.requests.count == 3)
  }

  @Test func a304OfAnotherBodyIsAskedAgain() async throws {
    let server = Server { _ in Self.json(1, [("ETag", "\"x\"")]) }
    _ = try await run(server, get())
    server.become { request in
      request.headers.contains { $0.name == "If-None-Match" }
        ? TransportResponse(status: 304, headers: [HeaderField("ETag", "\"y\"")])
        : Self.json(2, [("ETag", "\"y\"")])
    }
    #expect(try await run(server, get()).outputs.text == #"{"v":2}"#)
    #expect(server.requests.count == 3)
  }

  @Test func aDurationStandsForWhatTheServerSays() async throws {
    let server = Server { _ in Self.json(1, [("Cache-Control", "no-cache")]) }
    let text = get(", \"cache\": \"1m\"")
    for _ in 0..<2 { _ = try await run(server, text) }
    #expect(server.requests.count == 1)
    clock.advance(by: .seconds(60))
    _ = try await run(server, text)
    #expect(server.requests.count == 2)
  }

  @Test(arguments: [
    [("Cache-Control", "no-store, max-age=60")], [("Cache-Control", "max-age=60"), ("Vary", "*")],
    [],
  ]) func whatMayNotBeKeptIsSentAgain(_ headers: [(String, String)]) async throws {
    let server = Server { _ in Self.json(1, headers) }
    for _ in 0..<2 { _ = try await run(server, get()) }
    #expect(server.requests.count == 2)
    #expect(cache.count == 0)
  }

  @Test(arguments: [
    ", \"cache\": false", ", \"headers\": {\"If-None-Match\": \"x\"}",
    ", \"headers\": {\"Range\": \"bytes=0-9\"}",
    ", \"headers\": {\"Cache-Control\": \"no-store\"}",
  ]) func aRequestCanDoWithoutTheCache(_ rest: String) async throws {
    let server = Server { _ in Self.json(1, [("Cache-Control", "max-age=60")]) }
    for _ in 0..<2 { _ = try await run(server, get(rest)) }
    #expect(server.requests.count == 2)
  }

  @Test func varyNamesWhatTellsResponsesApart() async throws {
    let server = Server { request in
      Self.json(
        request.headers.contains(HeaderField("Accept", "b")) ? 2 : 1,
        [("Cache-Control", "max-age=60"), ("Vary", "accept")])
    }
    for _ in 0..<2 {
      for (accept, v) in [("a", 1), ("b", 2)] {
        let text = get(", \"headers\": {\"Accept\": \"\(accept)\", \"X-Other\": \"\(v)\"}")
        #expect(try await run(server, text).outputs.text == "{\"v\":\(v)}")
      }
    }
    #expect(server.requests.count == 2)
  }

  @Test func noTwoCallersShareAResponse() async throws {
    let server = Server { request in
      let isAda = request.headers.contains(HeaderField("Authorization", "Bearer ada-secret"))
      return Self.json(isAda ? 1 : 2, [("Cache-Control", "max-age=60")])
    }
    let text =
      "{\"inputs\": {\"token\": {\"type\": \"string\", \"secret\": true}}, "
      + get(", \"auth\": {\"bearer\": \"{{inputs.token}}\"}").dropFirst()
    for _ in 0..<2 {
      for (token, v) in [("ada-secret", 1), ("bob-secret", 2)] {
        let result = try await run(server, text, inputs: ["token": .string(token)])
        #expect(result.outputs.text == "{\"v\":\(v)}")
      }
    }
    #expect(server.requests.count == 2)
  }

  @Test func anotherTokenOfAClientIsTheSameCaller() async throws {
    let count = Atomic<Int>(0)
    let server = Server { request in
      guard request.method == "POST" else { return Self.json(1, [("Cache-Control", "max-age=60")]) }
      let number = count.add(1, ordering: .relaxed).newValue
      return TransportResponse(
        status: 200, headers: [HeaderField("Content-Type", "application/json")],
        body: Array("{\"access_token\":\"granted-token-\(number)\"}".utf8))
    }
    func text(_ client: String) -> String {
      get(
        """
        , "auth": {"oauth2": {"tokenURL": "https://id.example/token", "clientId": "\(client)",
          "clientSecret": "s"}}
        """)
    }
    _ = try await run(server, text("one"))
    #expect(try await run(server, text("one")).report.counts.cached == 1)
    #expect(try await run(server, text("two")).report.counts.cached == 0)
    #expect(server.requests.count { $0.method == "POST" } == 3)
  }

  @Test func whereAResponseLeadsToAPrivateAddressTheCacheIsNoWayAround() async throws {
    let inside = "http://10.0.0.1/a"
    let server = Server { request in
      request.url == inside
        ? Self.json(1, [("Cache-Control", "max-age=60")])
        : TransportResponse(status: 302, headers: [HeaderField("Location", inside)])
    }
    let own = get().replacing("GET /a", with: "GET " + inside)
    _ = try await run(server, own)
    #expect(try await run(server, own).report.counts.cached == 1)
    let led = try await run(server, get().replacing("GET /a", with: "GET http://api.example/a"))
    #expect(led.report.counts.cached == 0)
    #expect(server.requests.last?.connection.refusesPrivateAddresses == true)
  }

  @Test func aChangeOfAResourceDropsIt() async throws {
    let server = Server { request in
      request.method == "GET"
        ? Self.json(1, [("Cache-Control", "max-age=60")])
        : TransportResponse(status: request.method == "PUT" ? 204 : 409)
    }
    func change(_ method: String) -> String {
      """
      {"steps": [{"id": "a", "endpoint": "\(method) \(api)/a", "expect": {"status": [204, 409]}}]}
      """
    }
    _ = try await run(server, get())
    _ = try await run(server, change("DELETE"))
    #expect(try await run(server, get()).report.counts.cached == 1)
    _ = try await run(server, change("PUT"))
    #expect(try await run(server, get()).report.counts.cached == 0)
  }

  @Test func noSecretIsKept() async throws {
    let server = Server { _ in
      TransportResponse(
        status: 200, headers: [HeaderField("Cache-Control", "max-age=60")],
        body: Array(#"{"v": "c2VjcmV0LXNlY3JldA==", "echo": "ada-secret"}"#.utf8))
    }
    let extracting = get().replacing(
      "{\"v\": \"$.v\"}", with: "{\"v\": {\"body\": \"$.v\", \"secret\": true}}")
    _ = try await run(server, extracting)
    #expect(cache.count == 0)
    let echoing =
      "{\"inputs\": {\"token\": {\"type\": \"string\", \"secret\": true}}, "
      + get(", \"auth\": {\"bearer\": \"{{inputs.token}}\"}").dropFirst()
    _ = try await run(server, echoing, inputs: ["token": "ada-secret"])
    #expect(cache.count == 0)
    _ = try await run(server, echoing, inputs: ["token": "bob-secret"])
    #expect(cache.count == 1)
  }

  @Test func redirectsAndPagesAreKeptHopByHop() async throws {
    let server = Server { request in
      let fresh = HeaderField("Cache-Control", "max-age=60")
      if request.url.hasSuffix("/a") {
        return TransportResponse(status: 301, headers: [fresh, HeaderField("Location", "/1")])
      }
      let next = request.url.hasSuffix("/1") ? #","next":"/2""# : ""
      return TransportResponse(status: 200, headers: [fresh], body: Array("{\"v\":1\(next)}".utf8))
    }
    let text = get(", \"paginate\": {\"next\": \"$.next\", \"maxPages\": 9}")
      .replacing("$.v", with: "$..v")
    let first = try await run(server, text)
    #expect(server.requests.count == 3)
    let second = try await run(server, text)
    #expect(server.requests.count == 3)
    #expect(second.report.counts.cached == 3)
    #expect(second.outputs.text == first.outputs.text)
  }

  @Test func whoAsksAgainIsAnsweredByTheServer() async throws {
    let count = Atomic<Int>(0)
    let server = Server { _ in
      Self.json(
        count.add(1, ordering: .relaxed).newValue, [("Cache-Control", "max-age=60")])
    }
    let text = get(", \"poll\": {\"until\": \"@.body.v == 3\", \"every\": \"1ms\"}")
    let task = Task { try await run(server, text) }
    while count.load(ordering: .relaxed) < 3 {
      clock.advance(by: .milliseconds(1))
      await Task.yield()
    }
    let result = try await task.value
    #expect(result.outputs.text == #"{"v":3}"#)
    #expect(result.report.counts.cached == 0)
  }

  @Test func withoutACacheTheKeyHasNoEffect() async throws {
    let server = Server { _ in Self.json(1, [("Cache-Control", "max-age=60")]) }
    for _ in 0..<2 {
      _ = try await Pipeline(plan(get()), transport: server.transport).run().result
    }
    #expect(server.requests.count == 2)
  }

  // MARK: What the author's request says

  @Test(arguments: [
    (#"{"Cache-Control": "max-age=0"}"#, 2), (#"{"Cache-Control": "max-age=60"}"#, 1),
    (#"{"Cache-Control": "min-fresh=120"}"#, 2), (#"{"Cache-Control": "min-fresh=30"}"#, 1),
    (#"{"Cache-Control": "only-if-cached"}"#, 1), (#"{"Pragma": "no-cache"}"#, 2),
  ])
  func aDirectiveOfTheRequestIsHonoured(_ headers: String, _ count: Int) async throws {
    let server = Server { _ in Self.json(1, [("Cache-Control", "max-age=100")]) }
    _ = try await run(server, get())
    let second = try await run(server, get(#", "headers": \#(headers)"#))
    #expect(second.status == .succeeded)
    #expect(server.requests.count == count)
  }

  @Test func whatIsOnlyWantedIfCachedIsNeverFetched() async throws {
    let server = Server { _ in Self.json(1, [("Cache-Control", "max-age=100")]) }
    let text = get(#", "headers": {"Cache-Control": "only-if-cached"}"#)
    let result = try await run(server, text)
    #expect(result.report.failures.first?.failure.status == 504)
    #expect(server.requests.isEmpty)
    _ = try await run(server, get())
    clock.advance(by: .seconds(101))
    #expect(try await run(server, text).status == .failed)
    #expect(server.requests.count == 1)
  }

  @Test(arguments: [
    ("Accept-Language", "en,de", "en ,  DE", 1), ("Accept-Language", "en, de", "de, en", 2),
    ("X-List", "a,b", "a , b", 1), ("X-List", "a,b", "A,b", 2), ("X-List", "a b", "a  b", 2),
    ("X-List", #""a,b""#, #""a , b""#, 2),
  ])
  func variantsDifferInWhatMeansSomething(
    _ name: String, _ first: String, _ second: String, _ count: Int
  ) async throws {
    let server = Server { _ in
      Self.json(1, [("Cache-Control", "max-age=100"), ("Vary", name)])
    }
    for value in [first, second] {
      let header = "\"" + value.replacing("\"", with: "\\\"") + "\""
      _ = try await run(server, get(#", "headers": {"\#(name)": \#(header)}"#))
    }
    #expect(server.requests.count == count)
  }

  @Test func anAgeThatIsNoNumberStopsNothing() async throws {
    let server = Server { _ in Self.json(1, [("Age", "1e300")]) }
    let text = get().replacing(#""cache": true"#, with: #""cache": "1h""#)
    for _ in 0..<2 { #expect(try await run(server, text).status == .succeeded) }
    #expect(server.requests.count == 1)
  }
}
