import CurlTransports
import PipelineKit
import PipelineTestTraits
import Testing

/// `pause` and `resume` without a gap, over real connections.
@Suite(.ownThreads, .timeLimit(.minutes(5))) struct PauseTests {
  private let chain = """
    {"inputs": {"api": {"type": "string"}},
     "defaults": {"baseURL": "{{inputs.api}}"},
     "steps": [{"id": "a", "endpoint": "GET /a", "extract": {"n": "$.n"}},
       {"id": "b", "endpoint": "GET /b?n={{a.n}}", "extract": {"n": "$.n"}},
       {"id": "c", "endpoint": "GET /c?n={{b.n}}"}]}
    """

  @Test func aRunThatIsPausedAndResumedAtOnceGoesOn() async throws {
    let server = try RawServer(
      answering: "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
        + "Content-Length: 7\r\n\r\n{\"n\":1}")
    let pipeline = try Pipeline(chain, transport: CurlTransport())
    for round in 0..<400 {
      let run = pipeline.run(inputs: ["api": .string(server.url(""))])
      var ended = 0
      for await event in run.events() {
        guard case .requestFinished = event.kind else { continue }
        ended += 1
        for _ in 0...(round % 3) {
          run.pause()
          run.resume()
        }
      }
      #expect(ended == 3)
      #expect(try await run.result.status == .succeeded)
    }
  }

  @Test func aRunThatIsPausedInFlightAndResumedAtOnceGoesOn() async throws {
    let (asked, ask) = AsyncStream<Void>.makeStream()
    let server = try RawServer { connection in
      while connection.readRequest() != nil {
        ask.yield()
        connection.write(
          "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 7\r\n\r\n{\"n\":1}")
      }
    }
    let pipeline = try Pipeline(chain, transport: CurlTransport())
    for _ in 0..<400 {
      let run = pipeline.run(inputs: ["api": .string(server.url(""))]).start()
      var requests = 0
      for await _ in asked {
        run.pause()
        run.resume()
        requests += 1
        if requests == 3 { break }
      }
      #expect(try await run.result.status == .succeeded)
    }
  }
}
