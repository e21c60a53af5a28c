import PipelineTestTraits
import PipelineTestSupport
import Testing

@testable import PipelineHTTPServers
@testable import PipelineSandboxServers

@Suite(.ownThreads) struct FaultsAPITests {
  private func failure(_ path: String) throws -> TestClient.Failure? {
    let server = try SandboxServer.start()
    defer { server.stop() }
    let client = try TestClient(server)
    do throws(TestClient.Failure) {
      _ = try client.request("GET", path)
      return nil
    } catch {
      return error
    }
  }

  @Test(arguments: [
    ("reset", TestClient.Failure.reset), ("late-reset", .reset), ("empty", .ended),
    ("truncated", .ended), ("bad-length", .malformed("length")),
    ("bad-chunk", .malformed("chunk")), ("truncated-chunk", .ended),
  ])
  func faultsBreakTheConnection(_ name: String, _ expected: TestClient.Failure) throws {
    #expect(try failure("/faults/\(name)") == expected)
  }

  @Test func anotherProtocolAnswers() throws {
    let server = try SandboxServer.start()
    defer { server.stop() }
    let client = try TestClient(server)
    client.send("GET /faults/not-http HTTP/1.1\r\nHost: a\r\n\r\n")
    #expect(try client.readToEnd() == Array("SSH-2.0-OpenSSH_9.6\r\n".utf8))
  }

  @Test func aTrickleArrivesWhole() throws {
    let server = try SandboxServer.start()
    defer { server.stop() }
    let answer = try server.request("GET", "/faults/trickle?ms=0.1")
    #expect(answer.text == #"{"id":1,"name":"the whole body"}"#)
  }

  @Test func aWrongLengthIsFollowedByMore() throws {
    let server = try SandboxServer.start()
    defer { server.stop() }
    let client = try TestClient(server)
    #expect(try client.request("GET", "/faults/wrong-length").bytes.count == 27)
    #expect(try client.readToEnd() == Array("ody\"}".utf8))
  }

  @Test func aStallLastsUntilTheClientLeaves() throws {
    let server = try SandboxServer.start()
    defer { server.stop() }
    let client = try TestClient(server)
    client.send("GET /faults/stall HTTP/1.1\r\nHost: a\r\n\r\n")
    client.endInput()
    #expect(try client.readToEnd().isEmpty)
    #expect(server.records.abandonedRequests == 1)
  }

  @Test func theSameSeedGivesTheSameFaults() {
    let draws = (0..<2).map { _ in
      var ask = Asked()
      return (0..<200).map { _ -> String in
        let answer = ask("GET", "/faults/random?seed=9")
        if case .script(let moves) = answer.content { return "\(moves)" }
        return "\(answer.status) \(answer.text)"
      }
    }
    #expect(draws[0] == draws[1])
    #expect(Set(draws[0]).count >= 6)
    #expect(draws[0].filter { $0.hasPrefix("200 {\"id\":1,\"name\":\"the whole") }.count > 100)
  }

  @Test func aServerOutlivesEveryFault() throws {
    let server = try SandboxServer.start()
    defer { server.stop() }
    for route in FaultsAPI.routes where !route.pattern.contains("stall") {
      for _ in 0..<3 { _ = try? server.request("GET", route.pattern + "?ms=0") }
    }
    for _ in 0..<200 { _ = try? server.request("GET", "/faults/random?seed=3") }
    #expect(try server.request("GET", "/reqres/users/1").status == 200)
    #expect(try server.reaches { server.records.openConnections == 0 })
  }
}
