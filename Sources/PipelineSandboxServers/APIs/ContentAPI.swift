internal import PipelineHTTPServers
internal import PipelineByteText
internal import PipelineJSONText

/// Bodies of every kind and size: text, HTML, bytes, base64, large and deep JSON, gzip.
enum ContentAPI {
  static let routes = [
    Route("GET", "/text", "plain text of three lines") { _, _, _ in
      .bytes(Array(text.utf8), type: "text/plain; charset=utf-8")
    },
    Route("GET", "/html", "an HTML page with status 200") { _, _, _ in
      .bytes(Array(page.utf8), type: "text/html; charset=utf-8")
    },
    Route("GET", "/binary/{n}", "n bytes, 0 1 2 … 255 0 …; ?chunked=1") { _, request, values in
      binary(request, values[0])
    },
    Route("GET", "/base64", "JSON in base64 and JSON as text, as members") { _, _, _ in
      .object { writer in
        writer.member("base64", Base64.encode(Array(nested.utf8)))
        writer.member("json", nested)
      }
    },
    Route("GET", "/large", "a list of ?records=1000, streamed") { _, request, _ in
      large(request)
    },
    Route("GET", "/large/{id}", "one such record, of any number") { _, _, values in
      guard let id = Int(values[0]), id > 0 else { return .failure(404, "no such record") }
      var bytes: [UInt8] = []
      SampleRecord.append(id, to: &bytes)
      return .json(bytes: bytes)
    },
    Route("GET", "/deep", "lists in lists: ?depth=100000") { _, request, _ in deep(request) },
    Route("GET", "/gzip", "JSON in Content-Encoding gzip") { _, _, _ in
      let packed = Gzip.stored(Array("{\"gzipped\":true}".utf8))
      return .json(bytes: packed, [ServerResponse.Field("Content-Encoding", "gzip")])
    },
    Route("GET", "/gzip/bomb", "zeros that unpack to ?megabytes=100") { _, request, _ in
      let size = request.integer("megabytes", in: 0...4096, otherwise: 100) << 20
      return .stream(
        GzipBomb(size: size).pieces, type: "application/json",
        [ServerResponse.Field("Content-Encoding", "gzip")])
    },
  ]

  private static let nested = "{\"user\":{\"id\":7,\"name\":\"Ada\"}}"

  private static let text = """
    order 4711 of 2026-11-21
    total: 1042.10 EUR
    token=abc-123-def

    """

  private static let page = """
    <!DOCTYPE html>
    <html lang="en">
    <head><title>Sign in</title></head>
    <body><h1>Please sign in</h1></body>
    </html>

    """

  private static func binary(_ request: ServerRequest, _ count: String) -> ServerResponse {
    guard let count = Int(count), (0...1 << 30).contains(count) else {
      return .failure(404, "at most 1073741824 bytes")
    }
    // 64 KB is a multiple of 256, so every piece begins with 0.
    let piece = (0..<65_536).map { UInt8(truncatingIfNeeded: $0) }
    var left = count
    let source = PieceSource(length: request.query("chunked") == "1" ? nil : count) {
      guard left > 0 else { return nil }
      defer { left -= min(left, piece.count) }
      return left >= piece.count ? piece : Array(piece[..<left])
    }
    return .stream(source, type: "application/octet-stream")
  }

  private static func large(_ request: ServerRequest) -> ServerResponse {
    let count = request.integer("records", in: 0...10_000_000, otherwise: 1000)
    var next = 1
    var ended = false
    let source = PieceSource {
      guard !ended else { return nil }
      var piece: [UInt8] = next == 1 ? [UInt8(ascii: "[")] : []
      for id in next..<min(count + 1, next + 200) {
        if id > 1 { piece.append(UInt8(ascii: ",")) }
        SampleRecord.append(id, to: &piece)
      }
      next += 200
      ended = next > count
      if ended { piece.append(UInt8(ascii: "]")) }
      return piece
    }
    return .stream(source, type: "application/json; charset=utf-8")
  }

  private static func deep(_ request: ServerRequest) -> ServerResponse {
    let depth = request.integer("depth", in: 1...50_000_000, otherwise: 100_000)
    var (opened, closed) = (0, 0)
    let source = PieceSource(length: 2 * depth) {
      if opened < depth {
        let count = min(65_536, depth - opened)
        opened += count
        return [UInt8](repeating: UInt8(ascii: "["), count: count)
      }
      guard closed < depth else { return nil }
      let count = min(65_536, depth - closed)
      closed += count
      return [UInt8](repeating: UInt8(ascii: "]"), count: count)
    }
    return .stream(source, type: "application/json")
  }
}
