internal import PipelineHTTPServers
internal import PipelineByteText
internal import PipelineHTTPTerms
internal import PipelineJSONText

/// `/echo` and `/headers`: what was sent, and headers in every number.
enum EchoAPI {
  static let routes = [
    Route("*", "/echo", "the request as JSON: method, path, query, headers, body") {
      _, request, _ in
      echo(request)
    },
    Route("*", "/echo/{text}", "the same, for any segment below") { _, request, _ in
      echo(request)
    },
    Route("GET", "/headers", "repeated fields, Link and Set-Cookie; ?name=value adds one") {
      _, request, _ in
      headers(request)
    },
  ]

  private static func echo(_ request: ServerRequest) -> ServerResponse {
    .object { writer in
      writer.member("method", request.method)
      writer.member("path", request.path)
      writer.member("target", request.target)
      writer.name("query")
      grouped(FormText.items(request.rawQuery), &writer)
      writer.name("headers")
      grouped(request.headers.map { ($0.name.lowercased(), $0.value) }, &writer)
      content(of: request, &writer)
    }
  }

  /// The body as text, or in base64 if it is not UTF-8. Also parsed according to its media type.
  private static func content(of request: ServerRequest, _ writer: inout JSONWriter) {
    writer.member("size", request.body.count)
    if let text = String(validating: request.body, as: UTF8.self) {
      writer.member("body", text)
    } else {
      writer.member("base64", Base64.encode(request.body))
    }
    switch request.mediaType {
    case "application/x-www-form-urlencoded":
      writer.name("form")
      grouped(FormText.items(String(decoding: request.body, as: UTF8.self)), &writer)
    case "multipart/form-data":
      parts(of: request, &writer)
    case let type where type.hasSuffix(bytes: "json"):
      writer.name("json")
      if let json = request.json { writer.value(json) } else { writer.null() }
    default: break
    }
  }

  private static func parts(of request: ServerRequest, _ writer: inout JSONWriter) {
    guard let parts = MultipartForm.parts(of: request) else { return }
    writer.member("parts", list: parts) { writer, part in
      writer.object { writer in
        writer.member("name", orNull: part.name)
        writer.member("filename", orNull: part.filename)
        writer.member("contentType", orNull: part.type)
        writer.member("size", part.bytes.count)
        writer.member("text", orNull: String(validating: part.bytes, as: UTF8.self))
      }
    }
  }

  /// Names in order of appearance. A repeated one has a list.
  private static func grouped(
    _ items: [(name: String, value: String)], _ writer: inout JSONWriter
  ) {
    var names: [String] = []
    var values: [String: [String]] = [:]
    for (name, value) in items {
      if values[name] == nil { names.append(name) }
      values[name, default: []].append(value)
    }
    writer.object { writer in
      for name in names {
        let found = values[name] ?? []
        if found.count == 1 {
          writer.member(name, found[0])
        } else {
          writer.member(name, list: found) { $0.string($1) }
        }
      }
    }
  }

  private static func headers(_ request: ServerRequest) -> ServerResponse {
    let added = FormText.items(request.rawQuery).filter { $0.name != "delay" }
    let isSound = added.allSatisfy { name, value in
      name.isToken
        && value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
    }
    guard isSound else { return .failure(400, "not a header field") }
    let reserved = ["content-length", "transfer-encoding", "connection"]
    guard !added.contains(where: { reserved.contains($0.name.lowercased()) }) else {
      return .failure(400, "this field belongs to the connection")
    }
    let fields = [
      ServerResponse.Field("X-Repeat", "one"), ServerResponse.Field("X-Repeat", "two"),
      ServerResponse.Field(
        "Link", "</pages/link?page=2>; rel=\"next\", </pages/link?page=3>; rel=\"last\""),
      ServerResponse.Field("Set-Cookie", "flavour=oat; Path=/; HttpOnly"),
      ServerResponse.Field("Set-Cookie", "size=12; Path=/"),
    ]
    return .object(200, fields + added.map { ServerResponse.Field($0.name, $0.value) }) { writer in
      writer.member("ok", true)
    }
  }
}
