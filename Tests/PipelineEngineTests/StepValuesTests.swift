import PipelineJSONText
import PipelineKit
import PipelineTesting
import Synchronization
import Testing

@testable import PipelineEngine

/// Values that are handed on as steps end.
struct StepValuesTests {
  private func run(
    _ steps: String, _ transport: any Transport, journal: MemoryJournal? = nil
  ) async throws -> [String] {
    let given = Mutex<[String]>([])
    var options = RunOptions()
    options.journal = journal
    options.valueReader = { values in
      let place = (values.path + (values.item.map { [$0] } ?? [])).map { "[\($0)]" }.joined()
      given.withLock { $0.append("\(values.step)\(place) \(values.text)") }
    }
    let text = #"{"defaults": {"baseURL": "https://a.example"}, "steps": [\#(steps)]}"#
    _ = try await Pipeline(text, transport: transport, options: options).run().result
    return given.withLock { $0 }
  }

  private static let user = #"{"id": "user", "endpoint": "GET /u", "extract": {"name": "$.name"}}"#

  /// The second request is answered only after the values of the first step have come.
  @Test func aStepsValuesArriveBeforeTheRunEnds() async throws {
    let (arrivals, arrival) = AsyncStream<String>.makeStream()
    let transport = ScriptedTransport { request in
      if request.url.hasSuffix("/slow") {
        for await _ in arrivals { break }
      }
      return .json(["name": "ann"])
    }
    var options = RunOptions()
    options.valueReader = { values in
      if values.step == "user", let name = values.value.node["name"]?.string { arrival.yield(name) }
    }
    let text = #"""
      {"defaults": {"baseURL": "https://a.example"},
       "steps": [\#(Self.user), {"id": "slow", "endpoint": "GET /slow"}]}
      """#
    let result = try await Pipeline(text, transport: transport, options: options).run().result
    #expect(result.status == .succeeded)
  }

  @Test func everyKindOfStepHandsOnItsValues() async throws {
    let transport = ScriptedTransport { request in
      request.url.hasSuffix("/bad") ? .status(404) : .json(["name": "ann"])
    }
    let given = try await run(
      #"""
      \#(Self.user),
      {"id": "v", "values": {"n": "{{user.name}}!"}},
      {"id": "each", "forEach": [7, 8], "concurrency": 1, "values": {"i": "{{item}}"}},
      {"id": "b", "forEach": [1], "steps": [{"id": "x", "values": {"y": 2}}], "outputs": {"z": "{{x.y}}"}},
      {"id": "no", "when": "1 == 2", "otherwise": {"name": "none"}, "endpoint": "GET /u", "extract": {"name": "$.name"}},
      {"id": "bad", "endpoint": "GET /bad", "onError": "recover", "otherwise": {"name": "bob"}, "extract": {"name": "$.name"}},
      {"id": "fails", "endpoint": "GET /bad", "onError": "continue", "extract": {"name": "$.name"}}
      """#, transport)
    #expect(
      given.sorted() == [
        #"b.x[0] {"y":2}"#, #"b[0] {"z":2}"#,
        #"bad {"name":"bob","error":{"kind":"status","status":404,"message":"answered 404 Not Found"}}"#,
        #"each[0] {"i":7}"#, #"each[1] {"i":8}"#, #"no {"name":"none"}"#, #"user {"name":"ann"}"#,
        #"v {"n":"ann!"}"#,
      ])
  }

  @Test func secretsAreHidden() async throws {
    let transport = ScriptedTransport { _ in .json(["name": "ann", "token": "Zk7-4f9a1c"]) }
    let given = try await run(
      #"""
      {"id": "login", "endpoint": "POST /login",
       "extract": {"name": "$.name", "token": {"body": "$.token", "secret": true}}},
      {"id": "v", "values": {"header": "Bearer {{login.token}}"}}
      """#, transport)
    #expect(
      given == [#"login {"name":"ann","token":"•••"}"#, #"v {"header":"•••"}"#], "\(given)")
  }

  /// A resumed run hands on what its journal holds.
  @Test func recordedValuesAreHandedOn() async throws {
    let journal = MemoryJournal()
    let transport = ScriptedTransport { request in
      request.url.hasSuffix("/bad") ? .status(404) : .json(["name": "ann"])
    }
    let steps = Self.user + #", {"id": "bad", "dependsOn": ["user"], "endpoint": "GET /bad"}"#
    let first = try await run(steps, transport, journal: journal)
    let second = try await run(steps, transport, journal: journal)
    #expect(first == [#"user {"name":"ann"}"#])
    #expect(second == first)
    #expect(transport.requests.count { $0.url.hasSuffix("/u") } == 1)
  }
}
