internal import PipelineHTTPServers
internal import PipelineJSONText

/// `/faults`: answers that break HTTP or the connection, one fault each.
enum FaultsAPI {
  struct State {
    /// Requests for `/faults/random`, by seed.
    var drawn: [String: UInt64] = [:]
  }

  static let routes = [
    fault("reset", "resets the connection before any answer") { _ in [.reset] },
    fault("late-reset", "resets it after half of the body") { _ in
      [.send(head(length: body.count) + half), .pause(.milliseconds(20)), .reset]
    },
    fault("empty", "closes the connection before any answer") { _ in [.close] },
    fault("truncated", "closes it after half of the body") { _ in
      [.send(head(length: body.count) + half), .close]
    },
    fault("stall", "never answers") { _ in [.hold] },
    fault("late-stall", "stops for ever after half of the body") { _ in
      [.send(head(length: body.count) + half), .hold]
    },
    fault("trickle", "a whole answer, one byte each ?ms=10") { request in
      let pause = request.duration("ms", unit: .milliseconds(1)) ?? .milliseconds(10)
      return whole.flatMap { [.send([$0]), .pause(pause)] } + [.close]
    },
    fault("wrong-length", "a Content-Length that is shorter than the body") { _ in
      [.send(head(length: body.count - 5) + body), .close]
    },
    fault("bad-length", "a Content-Length that is not a number") { _ in
      [.send(text("HTTP/1.1 200 OK\r\nContent-Length: ten\r\n\r\n") + body), .close]
    },
    fault("bad-gzip", "Content-Encoding: gzip over bytes that are not") { _ in
      [.send(head(length: body.count, gzipThatCloses) + body), .close]
    },
    fault("truncated-gzip", "a gzip stream that ends early") { _ in
      let packed = Array(Gzip.stored(body).dropLast(12))
      return [.send(head(length: packed.count, gzipThatCloses) + packed), .close]
    },
    fault("bad-chunk", "a chunk size that is not a number") { _ in
      [
        .send(text("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")),
        .send(text("5\r\nhello\r\nxyz\r\nworld\r\n0\r\n\r\n")), .close,
      ]
    },
    fault("truncated-chunk", "a chunked body without its end") { _ in
      [
        .send(text("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")),
        .send(text("20\r\nhello")), .close,
      ]
    },
    fault("not-http", "a status line of another protocol") { _ in
      [.send(text("SSH-2.0-OpenSSH_9.6\r\n")), .close]
    },
    fault("long-header", "a header line of a megabyte") { _ in
      let value = [UInt8](repeating: UInt8(ascii: "x"), count: 1 << 20)
      return [.send(text("HTTP/1.1 200 OK\r\nX-Long: ") + value + text("\r\n\r\n")), .close]
    },
    Route("*", "/faults/not-json", "application/json over broken JSON") { _, _, _ in
      .json(bytes: text("{\"id\": 1, \"name\": \"cut"))
    },
    Route("*", "/faults/random", "a share of every fault, else JSON: ?seed=1") {
      state, request, _ in
      random(request, &state.faults)
    },
  ]

  private static func fault(
    _ name: String, _ summary: String,
    _ moves: @escaping @Sendable (ServerRequest) -> [WireMove]
  ) -> Route {
    Route("*", "/faults/\(name)", summary) { _, request, _ in .script(moves(request)) }
  }

  // MARK: Pieces

  private static let body = text("{\"id\":1,\"name\":\"the whole body\"}")
  private static let half = Array(body.prefix(body.count / 2))
  private static let whole = head(length: body.count) + body

  /// The answer is whole, so a client would send its next request into the closed connection.
  private static let gzipThatCloses = "Content-Encoding: gzip\r\nConnection: close\r\n"

  private static func head(length: Int, _ more: String = "") -> [UInt8] {
    text(
      "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\(more)Content-Length: \(length)\r\n\r\n"
    )
  }

  private static func text(_ text: String) -> [UInt8] { Array(text.utf8) }

  // MARK: Random

  /// The same seed gives the same faults, in the order of the requests.
  private static func random(_ request: ServerRequest, _ state: inout State) -> ServerResponse {
    let seed = request.query("seed") ?? "1"
    if state.drawn.count > 1000 { state.drawn.removeAll() }
    let count = state.drawn[seed, default: 0]
    state.drawn[seed] = count + 1
    let draw = mix(
      seed.utf8.reduce(14_695_981_039_346_656_037) { ($0 ^ UInt64($1)) &* 1_099_511_628_211 }
        &+ count)
    switch draw % 100 {
    case 0..<4: return .script([.reset])
    case 4..<7: return .script([.send(head(length: body.count) + half), .close])
    case 7..<9: return .script([.close])
    case 9..<11:
      return .script([.send(head(length: body.count) + half), .pause(.milliseconds(1)), .reset])
    case 11..<13: return .script([.pause(.milliseconds(100)), .close])
    case 13..<18:
      return .failure(503, "chosen by chance", [ServerResponse.Field("Retry-After", "0")])
    case 18..<22: return .failure(500, "chosen by chance")
    case 22..<25: return .json(bytes: half)
    case 25..<35:
      return .json(bytes: body).delayed(by: .milliseconds(Int64(draw >> 32 & 15)))
    default: return .json(bytes: body)
    }
  }

  /// SplitMix64's output function.
  private static func mix(_ value: UInt64) -> UInt64 {
    var z = value &+ 0x9E37_79B9_7F4A_7C15
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
