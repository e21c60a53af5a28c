internal import PipelineByteText
internal import PipelineHTTPTerms
public import PipelineJSONText
internal import PipelineURIs

extension RecordedExchange {
  /// Header fields of responses that describe the time and the sender of the answer, not the
  /// answer.
  static let droppedFields: Set<String> = [
    "date", "age", "server-timing", "x-request-id", "x-runtime", "x-served-by", "x-timer", "via",
    "x-cache", "x-cache-hits", "report-to", "nel", "alt-svc", "x-amz-cf-id", "x-amz-cf-pop",
    "x-amzn-trace-id", "x-amzn-requestid", "x-github-request-id", "connection", "keep-alive",
    "x-envoy-upstream-service-time", "traceparent", "tracestate",
  ]

  /// Whether a response's field is kept in a recording.
  public static func keeps(_ name: String) -> Bool {
    let name = name.lowercasedASCII
    return !droppedFields.contains(name) && !name.hasPrefix(bytes: "cf-")
  }

  /// All entries have this time, so a file recorded again differs only if the responses do.
  private static let moment = "2000-01-01T00:00:00.000Z"

  /// Writes the entry as HAR 1.2 §entries has it, its members in one order.
  public func write(to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("startedDateTime", Self.moment)
    writer.member("time", 0)
    writer.name("request")
    write(request, to: &writer)
    writer.name("response")
    write(outcome, to: &writer)
    writer.name("cache")
    writer.beginObject()
    writer.endObject()
    writer.name("timings")
    writer.beginObject()
    for name in ["send", "wait", "receive"] { writer.member(name, 0) }
    writer.endObject()
    writeKey(to: &writer)
    writer.endObject()
  }

  private func writeKey(to writer: inout JSONWriter) {
    writer.name("_pipeline")
    writer.beginObject()
    if let key {
      if key.isToken {
        writer.name("token")
        writer.boolean(true)
      } else {
        writer.member("step", key.step)
      }
      writer.name("path")
      writer.beginArray()
      for position in key.path { writer.integer(position) }
      writer.endArray()
      if let item = key.item { writer.member("item", item) }
      writer.member("page", key.page)
      writer.member("poll", key.poll)
      writer.member("attempt", key.attempt)
      if key.redirect > 0 { writer.member("redirect", key.redirect) }
      if let cause { writer.member("cause", cause) }
    }
    if case .failure(let kind, let message) = outcome {
      writer.name("error")
      writer.beginObject()
      writer.member("kind", kind)
      writer.member("message", message)
      writer.endObject()
    }
    writer.endObject()
  }

  private func write(_ request: Request, to writer: inout JSONWriter) {
    writer.beginObject()
    writer.member("method", request.method)
    writer.member("url", request.url)
    writer.member("httpVersion", "HTTP/1.1")
    writeCookies(
      request.headers.filter { $0.name.equalsIgnoringASCIICase("cookie") }
        .flatMap { $0.value.split(ascii: ";").map { String($0.trimmingBlanks) } }, to: &writer)
    write(request.headers, as: "headers", to: &writer)
    write(Self.query(of: request.url), as: "queryString", to: &writer)
    var size = 0
    if let body = request.body {
      writer.name("postData")
      size = write(body, to: &writer)
    }
    writer.member("headersSize", -1)
    writer.member("bodySize", size)
    writer.endObject()
  }

  /// - Returns: The size of the body in bytes; -1: it is not known.
  private func write(_ body: Body, to writer: inout JSONWriter) -> Int {
    writer.beginObject()
    defer { writer.endObject() }
    switch body {
    case .bytes(let bytes, let type):
      writer.member("mimeType", type)
      writeText(bytes, encoding: "_encoding", to: &writer)
      return bytes.count
    case .file(let name, let type):
      writer.member("mimeType", type)
      writer.member("text", "")
      writer.member("_file", name)
      return -1
    case .form(let parts, let type):
      writer.member("mimeType", type)
      writer.name("params")
      writer.beginArray()
      for part in parts {
        writer.beginObject()
        writer.member("name", part.name)
        if let value = part.value { writer.member("value", value) }
        if let fileName = part.fileName { writer.member("fileName", fileName) }
        if let type = part.type { writer.member("contentType", type) }
        writer.endObject()
      }
      writer.endArray()
      return -1
    }
  }

  private func write(_ outcome: Outcome, to writer: inout JSONWriter) {
    let response = response ?? Response(status: 0, version: "")
    writer.beginObject()
    writer.member("status", response.status)
    writer.member("statusText", HTTPStatus.phrase(response.status) ?? "")
    writer.member("httpVersion", response.status == 0 ? "" : "HTTP/" + response.version)
    let kept = response.headers.filter { Self.keeps($0.name) }
    writeCookies(
      kept.filter { $0.name.equalsIgnoringASCIICase("set-cookie") }
        .map { String($0.value.prefix(before: ";")) }, to: &writer)
    write(kept, as: "headers", to: &writer)
    writer.name("content")
    writer.beginObject()
    writer.member("size", response.body.count)
    writer.member("mimeType", response.header("content-type") ?? "")
    writeText(response.body, encoding: "encoding", to: &writer)
    writer.endObject()
    writer.member("redirectURL", response.header("location") ?? "")
    writer.member("headersSize", -1)
    writer.member("bodySize", response.status == 0 ? -1 : response.body.count)
    writer.endObject()
  }

  /// Writes a text as it is, and bytes that are not UTF-8 as base64.
  private func writeText(_ bytes: [UInt8], encoding: String, to writer: inout JSONWriter) {
    if let text = String(validating: bytes, as: UTF8.self) {
      writer.member("text", text)
    } else {
      writer.member("text", Base64.encode(bytes))
      writer.member(encoding, "base64")
    }
  }

  private func write(_ fields: [RecordedField], as name: String, to writer: inout JSONWriter) {
    writer.name(name)
    writer.beginArray()
    for field in fields {
      writer.beginObject()
      writer.member("name", field.name)
      writer.member("value", field.value)
      writer.endObject()
    }
    writer.endArray()
  }

  private func writeCookies(_ pairs: [String], to writer: inout JSONWriter) {
    let cookies = pairs.filter { !$0.isEmpty }.map { pair in
      let name = String(pair.prefix(before: "="))
      return RecordedField(name, String(pair.dropFirst(bytes: name.utf8.count + 1)))
    }
    write(cookies, as: "cookies", to: &writer)
  }

  /// The parameters of a URL, decoded if that can be done.
  static func query(of url: String) -> [RecordedField] {
    let withoutFragment = String(url.prefix(before: "#"))
    guard let mark = withoutFragment.firstIndex(ascii: "?") else { return [] }
    let query = String(withoutFragment[mark...].dropFirst(bytes: 1))
    return query.split(ascii: "&").map { pair in
      let name = String(pair.prefix(before: "="))
      let value = String(pair.dropFirst(bytes: min(pair.utf8.count, name.utf8.count + 1)))
      return RecordedField(decoded(name), decoded(value))
    }
  }

  private static func decoded(_ text: String) -> String {
    URI.percentDecode(text.replacing(bytes: "+", with: " ")) ?? text
  }
}

extension Substring {
  /// Without blanks at both ends.
  var trimmingBlanks: Substring {
    let text = utf8
    let isBlank = { (byte: UInt8) in byte == 0x20 || byte == 0x09 }
    let start = text.firstIndex { !isBlank($0) } ?? endIndex
    let end = text.lastIndex { !isBlank($0) }.map { text.index(after: $0) } ?? start
    return self[start..<end]
  }
}
