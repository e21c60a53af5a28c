internal import PipelineByteText

/// A request as a server received it, with nothing repaired.
package struct ServerRequest: Sendable {
  /// A header field, as written by the client.
  package struct Field: Sendable, Hashable {
    package let name: String
    package let value: String

    package init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  package let method: String
  /// The request target byte for byte: `/users?page=1`, or a whole URL if the client took the
  /// server for a proxy (RFC 9112 §3.2.2).
  package let target: String
  /// 0 for HTTP/1.0, 1 for HTTP/1.1.
  package let minorVersion: Int
  /// In the order received, repeats kept.
  package let headers: [Field]
  /// The content, freed of chunked framing.
  package var body: [UInt8]
  /// Which connection carried it, counted from 1: equal numbers mean a reused connection.
  package internal(set) var connection = 0

  /// Path segments, percent-decoded: `/a/b%20c/` is `a`, `b c` and an empty one.
  package let segments: [String]
  /// The text after the first `?`, as written.
  package let rawQuery: String
  package internal(set) var moment = ServerMoment()

  package init(
    method: String, target: String, minorVersion: Int = 1, headers: [Field] = [],
    body: [UInt8] = []
  ) {
    self.method = method
    self.target = target
    self.minorVersion = minorVersion
    self.headers = headers
    self.body = body
    let (path, query) = RequestTarget.split(target)
    segments = RequestTarget.segments(of: path)
    rawQuery = query
  }

  /// The values of all fields of this name, in the order received.
  package func headers(named name: String) -> [String] {
    headers.filter { $0.name.equalsIgnoringASCIICase(name) }.map(\.value)
  }

  /// The first field of this name (compared without regard to case).
  package func header(_ name: String) -> String? {
    headers.first { $0.name.equalsIgnoringASCIICase(name) }?.value
  }

  /// The path as it was written, without the query: `/users/1`.
  package var path: String { RequestTarget.split(target).path }

  /// The first query parameter of this name, decoded. Without `=` it is the empty string.
  package func query(_ name: String) -> String? {
    rawQuery.isEmpty ? nil : FormText.first(name, in: rawQuery)
  }

  /// The media type without parameters, in lower case: `application/json`.
  package var mediaType: String {
    let type = header("Content-Type") ?? ""
    return type.prefix(before: ";", " ").lowercasedASCII
  }

  /// Whether the connection stays open after the answer (RFC 9112 §9.3).
  var keepsAlive: Bool {
    guard let options = header("Connection")?.lowercased() else { return minorVersion >= 1 }
    if options.contains(bytes: "close") { return false }
    return minorVersion >= 1 || options.contains(bytes: "keep-alive")
  }
}

/// A point in time, read once per turn of the event loop. A parameter, so that handlers stay pure.
package struct ServerMoment: Sendable, Hashable {
  /// Monotonic nanoseconds since the server's start.
  package var sinceStart: UInt64 = 0
  /// Seconds since 1970.
  package var unixSeconds = 0
  /// The fraction of that second.
  package var nanoseconds = 0

  package init() {}

  init(sinceStart: UInt64, unixSeconds: Int, nanoseconds: Int = 0) {
    self.sinceStart = sinceStart
    self.unixSeconds = unixSeconds
    self.nanoseconds = nanoseconds
  }
}
