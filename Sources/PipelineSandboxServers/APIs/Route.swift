internal import PipelineHTTPServers
internal import PipelineByteText

/// One row of an API's table: it drives routing, `GET /` and the check of docs/sandbox.md.
struct Route: Sendable {
  /// A whole state in, a response out, without I/O or a clock.
  typealias Handler =
    @Sendable (_ state: inout SandboxState, _ request: ServerRequest, _ values: [String]) ->
    ServerResponse

  private enum Segment: Equatable {
    case literal(String)
    case value
  }

  /// In capitals; `*` takes every method.
  let method: String
  /// `/users/{id}`: a segment in braces takes any text that is not empty.
  let pattern: String
  /// One phrase for `GET /`.
  let summary: String
  let handle: Handler
  private let segments: [Segment]

  init(_ method: String, _ pattern: String, _ summary: String, _ handle: @escaping Handler) {
    self.method = method
    self.pattern = pattern
    self.summary = summary
    self.handle = handle
    segments = RequestTarget.segments(of: pattern).map { part in
      part.hasPrefix(bytes: "{") ? .value : .literal(part)
    }
  }

  /// The first literal segment, under which the router files this route.
  var key: String { RequestTarget.segments(of: pattern).first ?? "" }

  /// The values of the segments in braces; `nil` if the path is another.
  func values(in path: [String]) -> [String]? {
    guard path.count == segments.count else { return nil }
    for (segment, text) in zip(segments, path) {
      switch segment {
      case .literal(let literal): guard literal == text else { return nil }
      case .value: guard !text.isEmpty else { return nil }
      }
    }
    var values: [String] = []
    for (segment, text) in zip(segments, path) where segment == .value { values.append(text) }
    return values
  }

  /// HEAD is answered like GET, but only the head is sent.
  func takes(_ method: String) -> Bool {
    self.method == method || self.method == "*" || (method == "HEAD" && self.method == "GET")
  }
}
