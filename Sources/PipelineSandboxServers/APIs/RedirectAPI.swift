internal import PipelineHTTPServers
internal import PipelineJSONText

/// `/redirect`: chains, single redirects of every status, and one without end.
enum RedirectAPI {
  static let routes = [
    Route("*", "/redirect/to", "one redirect: ?url=/echo&status=302") { _, request, _ in
      single(request)
    },
    Route("*", "/redirect/loop", "redirects to itself") { _, request, _ in
      redirect(to: "/redirect/loop", request)
    },
    Route("*", "/redirect/{n}", "n redirects, then 200: ?status=302&absolute=1") {
      _, request, values in
      chain(request, values[0])
    },
  ]

  private static func chain(_ request: ServerRequest, _ count: String) -> ServerResponse {
    guard let left = Int(count), (0...10_000).contains(left) else {
      return .failure(404, "a chain has 0 to 10000 redirects")
    }
    guard left > 0 else {
      return .object { writer in
        writer.member("arrived", true)
        writer.member("method", request.method)
      }
    }
    let query = request.rawQuery.isEmpty ? "" : "?" + request.rawQuery
    let host = request.header("Host") ?? "127.0.0.1"
    let start = request.query("absolute") == "1" ? "http://\(host)" : ""
    return redirect(to: "\(start)/redirect/\(left - 1)\(query)", request)
  }

  private static func single(_ request: ServerRequest) -> ServerResponse {
    guard let url = request.query("url"), !url.isEmpty,
      url.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F })
    else { return .failure(400, "?url= names where to") }
    return redirect(to: url, request)
  }

  private static func redirect(to location: String, _ request: ServerRequest) -> ServerResponse {
    let status = request.integer("status", in: 300...399, otherwise: 302)
    return .object(status, [ServerResponse.Field("Location", location)]) { writer in
      writer.member("location", location)
    }
  }
}
