internal import PipelineByteText
package import PipelineRecordings

/// Headers that a browser or another client sends by itself, so that a workflow need not.
enum ClientHeaders {
  private static let names: Set<String> = [
    "host", "connection", "content-length", "accept-encoding", "transfer-encoding", "user-agent",
    "accept-language", "accept-charset", "referer", "origin", "dnt", "cache-control", "pragma",
    "priority", "te", "upgrade", "upgrade-insecure-requests", "save-data", "keep-alive",
    "proxy-connection", "x-requested-with", "traceparent", "tracestate", "baggage", "x-request-id",
    "x-correlation-id", "x-trace-id", "x-client-data", "x-amzn-trace-id", "sentry-trace",
    "newrelic",
    "if-none-match", "if-modified-since", "b3", "range", "if-range", "purpose",
  ]
  private static let prefixes = [
    "sec-", ":", "x-b3-", "x-datadog-", "cf-", "access-control-request-",
  ]

  private static let cookiePrefixes = [
    "_ga", "_gid", "_gcl", "_fbp", "_hj", "__cf", "cf_", "ajs_", "mp_", "amplitude", "optimizely",
    "intercom-", "_dd_", "__utm",
  ]

  /// Whether a cookie counts visitors and means nothing to the API.
  static func isOfAnalytics(cookie name: String) -> Bool {
    let name = name.lowercased()
    return cookiePrefixes.contains { name.hasPrefix(bytes: $0) }
  }

  /// Whether a client adds a header by itself.
  ///
  /// - Parameters:
  ///   - name: In lower case.
  ///   - value: What the recording sends.
  static func isOfClient(_ name: String, _ value: String) -> Bool {
    if names.contains(name) || prefixes.contains(where: { name.hasPrefix(bytes: $0) }) {
      return true
    }
    // The body says its type.
    if name.equals(bytes: "content-type") {
      let type = String(value.prefix(before: ";")).trimmed.lowercased()
      return type.equals(bytes: "application/json") || type.hasPrefix(bytes: "multipart/")
        || type.equals(bytes: "application/x-www-form-urlencoded")
    }
    return name.equals(bytes: "accept")
      && (value.hasPrefix(bytes: "*/*") || value.hasPrefix(bytes: "text/html")
        || value.contains(bytes: ","))
  }
}

/// The parts of a multipart body that a recording has as text (RFC 7578).
package enum MultipartText {
  /// - Complexity: Linear in the length of the text.
  package static func parts(of text: String) -> [RecordedExchange.Part] {
    let lines = text.replacing(bytes: "\r\n", with: "\n")
    guard lines.hasPrefix(bytes: "--"), let end = lines.firstIndex(ascii: "\n") else { return [] }
    let boundary = String(lines[..<end]).trimmed
    return lines.split(bytes: boundary).compactMap { piece in
      guard let blank = piece.firstRange(bytes: "\n\n") else { return nil }
      var part = RecordedExchange.Part(name: "", value: nil)
      for header in piece[..<blank.lowerBound].split(ascii: "\n") {
        let value = header.firstIndex(ascii: ":").map { header[$0...].dropFirst(bytes: 1) } ?? ""
        switch header.prefix(before: ":").lowercased() {
        case "content-disposition":
          part.name = parameter("name", of: value) ?? ""
          part.fileName = parameter("filename", of: value)
        case "content-type": part.type = String(value).trimmed
        default: break
        }
      }
      let content = piece[blank.upperBound...]
      part.value = String(content.hasSuffix(bytes: "\n") ? content.dropLast(bytes: 1) : content)
      return part.name.isEmpty ? nil : part
    }
  }

  private static func parameter(_ name: String, of text: Substring) -> String? {
    for piece in text.split(ascii: ";") {
      let pair = String(piece).trimmed
      guard pair.hasPrefix(bytes: name + "=") else { continue }
      let value = pair.dropFirst(bytes: name.utf8.count + 1)
      return value.hasPrefix(bytes: "\"") && value.hasSuffix(bytes: "\"") && value.utf8.count > 1
        ? String(value.dropFirst(bytes: 1).dropLast(bytes: 1)) : String(value)
    }
    return nil
  }
}
