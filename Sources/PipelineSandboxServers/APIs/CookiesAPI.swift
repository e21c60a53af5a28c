internal import PipelineHTTPServers
internal import PipelineByteText
internal import PipelineHTTPTerms
internal import PipelineJSONText

/// `/cookies`: shows the cookies sent, and sets some.
enum CookiesAPI {
  static let routes = [
    Route("*", "/cookies", "the cookies that were sent") { _, request, _ in show(request) },
    Route("GET", "/cookies/set", "sets a cookie for each query parameter") { _, request, _ in
      set(request)
    },
  ]

  private static func show(_ request: ServerRequest) -> ServerResponse {
    let pairs = request.headers.filter { $0.name.equalsIgnoringASCIICase("Cookie") }
      .flatMap { $0.value.split(ascii: ";") }
      .map { pair in
        let halves = pair.split(ascii: "=", maxSplits: 1, omittingEmptySubsequences: false)
        return (
          name: String(halves[0]).trimmed, value: halves.count > 1 ? String(halves[1]).trimmed : ""
        )
      }
    var seen: Set<String> = []
    return .object { writer in
      writer.object("cookies") { writer in
        for pair in pairs where seen.insert(pair.name).inserted {
          writer.member(pair.name, pair.value)
        }
      }
    }
  }

  private static func set(_ request: ServerRequest) -> ServerResponse {
    let cookies = FormText.items(request.rawQuery).filter { $0.name != "delay" }
    let isSound = cookies.allSatisfy { name, value in
      name.isToken
        && value.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != 0x3B && $0 != 0x2C }
    }
    guard isSound else { return .failure(400, "not a cookie") }
    let fields = cookies.map {
      ServerResponse.Field("Set-Cookie", "\($0.name)=\($0.value); Path=/")
    }
    return .object(200, fields) { $0.member("set", cookies.count) }
  }
}
