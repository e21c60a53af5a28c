/// Writes status lines, fields and framing (RFC 9112 §§4–7). Pure.
package enum ResponseEncoder {
  enum Length: Equatable {
    case known(Int)
    case chunked
    /// The end of the connection ends the body: HTTP/1.0 knows no chunks.
    case untilClose
  }

  enum Persistence { case keepsAlive, closes }

  /// Appends the head. `date` is a whole Date field with its line end.
  static func appendHead(
    _ response: ServerResponse, length: Length, _ persistence: Persistence, date: [UInt8],
    to output: inout [UInt8]
  ) {
    appendStatusLine(response.status, to: &output)
    output += date
    for field in response.fields {
      output += field.name.utf8
      output += ": ".utf8
      output += field.value.utf8
      output += lineEnd
    }
    switch length {
    case .known(let count) where allowsContent(response.status):
      output += "Content-Length: ".utf8
      output.appendDecimal(count)
      output += lineEnd
    case .chunked:
      output += "Transfer-Encoding: chunked\r\n".utf8
    case .known, .untilClose:
      break
    }
    if persistence == .closes { output += "Connection: close\r\n".utf8 }
    output += lineEnd
  }

  static func appendChunk(_ piece: [UInt8], to output: inout [UInt8]) {
    output += String(piece.count, radix: 16).utf8
    output += lineEnd
    output += piece
    output += lineEnd
  }

  static let lastChunk = Array("0\r\n\r\n".utf8)

  /// RFC 9110 §6.4.1: these have no content, whatever the method.
  package static func allowsContent(_ status: Int) -> Bool {
    status >= 200 && status != 204 && status != 304
  }

  private static let lineEnd: [UInt8] = [13, 10]

  private static let lines: [[UInt8]] = (100...599).map { status in
    Array("HTTP/1.1 \(status) \(reasons[status] ?? "Status \(status)")\r\n".utf8)
  }

  private static func appendStatusLine(_ status: Int, to output: inout [UInt8]) {
    output += lines[min(max(status, 100), 599) - 100]
  }

  private static let reasons: [Int: String] = [
    200: "OK", 201: "Created", 202: "Accepted", 204: "No Content", 206: "Partial Content",
    301: "Moved Permanently", 302: "Found", 303: "See Other", 304: "Not Modified",
    307: "Temporary Redirect", 308: "Permanent Redirect", 400: "Bad Request",
    401: "Unauthorized", 402: "Payment Required", 403: "Forbidden", 404: "Not Found",
    405: "Method Not Allowed", 406: "Not Acceptable", 408: "Request Timeout", 409: "Conflict",
    410: "Gone", 411: "Length Required", 412: "Precondition Failed", 413: "Content Too Large",
    414: "URI Too Long", 415: "Unsupported Media Type", 416: "Range Not Satisfiable",
    418: "I'm a teapot", 422: "Unprocessable Content", 425: "Too Early",
    428: "Precondition Required", 429: "Too Many Requests",
    431: "Request Header Fields Too Large", 500: "Internal Server Error",
    501: "Not Implemented", 502: "Bad Gateway", 503: "Service Unavailable",
    504: "Gateway Timeout", 505: "HTTP Version Not Supported",
  ]
}
