internal import PipelineHTTPServers
internal import PipelineByteText
internal import PipelineJSONText

/// `/exchange`: orders of a market, for requests that are signed over their parameters.
enum ExchangeAPI {
  static let client = (key: "sandbox-client", secret: "sandbox-secret")

  private static let ids = [101, 102, 103]

  static let routes = [
    Route("GET", "/exchange/openOrders", "the open orders of ?symbol; signed") { _, request, _ in
      refusal(of: request) ?? orders(request)
    },
    Route("DELETE", "/exchange/order", "cancels the order ?orderId; signed") { _, request, _ in
      refusal(of: request) ?? cancel(request)
    },
  ]

  private static func orders(_ request: ServerRequest) -> ServerResponse {
    let symbol = request.query("symbol") ?? ""
    return .json(200) { writer in
      writer.beginArray()
      for id in ids { write(id, symbol, "NEW", &writer) }
      writer.endArray()
    }
  }

  /// An order may be cancelled twice.
  private static func cancel(_ request: ServerRequest) -> ServerResponse {
    guard let id = request.query("orderId").flatMap({ Int($0) }), ids.contains(id) else {
      return .failure(400, "unknown order")
    }
    return .json(200) { write(id, request.query("symbol") ?? "", "CANCELED", &$0) }
  }

  private static func write(
    _ id: Int, _ symbol: String, _ status: String, _ writer: inout JSONWriter
  ) {
    writer.beginObject()
    writer.member("orderId", id)
    writer.member("symbol", symbol)
    writer.member("status", status)
    writer.endObject()
  }

  /// The answer to a request that is not signed as it should be; `nil` if it is.
  ///
  /// `signature` is the last parameter: the HMAC of all before it and of the body, in hexadecimal.
  private static func refusal(of request: ServerRequest) -> ServerResponse? {
    guard request.header("X-Key")?.equals(bytes: client.key) == true else {
      return .failure(401, "'X-Key' must be \(client.key)")
    }
    guard request.query("timestamp").flatMap({ Int($0) }) != nil else {
      return .failure(400, "'timestamp' must be milliseconds since 1970")
    }
    let query = Array(request.rawQuery.utf8)
    let mark = Array("&signature=".utf8)
    guard query.count > mark.count,
      let place = query.indices.last(where: { query[$0...].starts(with: mark) })
    else { return .failure(400, "'signature' must be the last parameter") }
    let mac = DigestAlgorithm.sha256.hmac(
      Array(query[..<place]) + request.body, key: Array(client.secret.utf8))
    let given = String(decoding: query[(place + mark.count)...], as: UTF8.self)
    guard given.equals(bytes: Hexadecimal.encode(mac)) else {
      return .failure(401, "the signature is not that of these parameters")
    }
    return nil
  }
}
