/// Names of header fields (RFC 9110 §5.1).
package enum FieldName {
  /// Fields of requests that authors write, sorted.
  package static let ofRequests = [
    "Accept", "Accept-Encoding", "Accept-Language", "Authorization", "Cache-Control",
    "Content-Encoding", "Content-Language", "Content-Type", "Idempotency-Key", "If-Match",
    "If-Modified-Since", "If-None-Match", "If-Unmodified-Since", "Origin", "Prefer", "Range",
    "Referer", "User-Agent", "X-Api-Key", "X-Request-Id",
  ]
}
