internal import PipelineByteText

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
