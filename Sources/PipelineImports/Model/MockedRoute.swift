internal import PipelineByteText

/// A response of a mock server, and which requests get it.
struct MockedRoute: Sendable {
  let method: String
  /// A path, or a URL. A segment `:name` or with a placeholder is any.
  let path: String
  let response: SavedResponse

  /// How many segments of a request's path are those of the route; `nil` if it is another path. What
  /// comes before the route's segments belongs to the server.
  private func agreement(with request: ImportedRequest) -> Int? {
    guard method.equalsIgnoringASCIICase(request.method) else { return nil }
    let own = Self.segments(of: path)
    let asked = Self.segments(of: request.url.shape)
    guard own.count <= asked.count else { return nil }
    var equal = 0
    for (left, right) in zip(own, asked.suffix(own.count)) {
      if left.equals(bytes: right) {
        equal += 1
      } else if !Self.isAny(left), !Self.isAny(right) {
        return nil
      }
    }
    return equal
  }

  private static func segments(of url: String) -> [String] {
    let path = String(url.prefix(before: "?", "#"))
    let start = path.firstRange(bytes: "://").map { path[$0.upperBound...].firstIndex(ascii: "/") }
    let rest = start.map { $0.map { path[$0...] } ?? "" } ?? path[...]
    return rest.split(ascii: "/").map { String($0) }
  }

  private static func isAny(_ segment: String) -> Bool {
    segment.hasPrefix(bytes: ":") || segment.contains(bytes: "{")
  }

  /// The response of the routes that fits a request best.
  static func response(to request: ImportedRequest, of routes: [MockedRoute]) -> SavedResponse? {
    let fitting = routes.compactMap { route in
      route.agreement(with: request).map { (agreement: $0, route: route) }
    }
    let best = fitting.map(\.agreement).max()
    return fitting.first { $0.agreement == best }?.route.response
  }
}

extension ImportedCollection {
  /// Gives requests without an example the response that a mock server has for them.
  mutating func addExamples(of routes: [MockedRoute]) {
    for index in requests.indices where requests[index].examples.isEmpty {
      if let response = MockedRoute.response(to: requests[index], of: routes) {
        requests[index].examples.append(response)
      }
    }
  }
}

extension ForeignText {
  /// The text with `{}` for each placeholder.
  fileprivate var shape: String {
    parts.map { if case .text(let text) = $0 { text } else { "{}" } }.joined()
  }
}
