import PipelineByteText
import PipelineLanguage
import PipelineOpenAPI
import PipelineTemplates
import PipelineURIs

/// The operations of a description, by the number of segments of their paths.
struct DescribedOperations {
  let description: APIDescription
  private let bySegments: [Int: [Operation]]
  /// All absolute URLs of servers.
  let servers: Set<String>
  let paths: Set<String>

  init(_ description: APIDescription) {
    self.description = description
    let operations = description.operations()
    bySegments = Dictionary(grouping: operations) { PathSegments.split($0.path).count }
    servers = Set(
      operations.flatMap { description.servers(of: $0) }.filter { $0.contains(bytes: "://") })
    paths = Set(operations.map(\.path))
  }

  /// The operations of a server that a path may reach.
  func operations(at server: String, _ segments: [String]) -> [Operation] {
    (bySegments[segments.count] ?? []).filter { operation in
      PathSegments.mayMatch(segments, PathSegments.split(operation.path))
        && description.servers(of: operation).contains(server)
    }
  }
}

/// A request to a server that is described.
struct DescribedCall {
  /// The path below the server, as written.
  let path: String
  /// The names in the query of the endpoint itself.
  let query: [String]
  /// The operations that the path may reach, with any method.
  let operations: [Operation]

  /// - Returns: `nil` if no described server begins the request's URL.
  init?(_ request: Request, _ api: DescribedOperations) {
    guard request.endpoint.value.isSound else { return nil }
    let url = request.endpoint.value.url
    var text = url.text
    if url.isRelative {
      guard let base = request.baseURL?.value.url.text else { return nil }
      let start = base.hasSuffix(bytes: "/") ? String(base.dropLast(bytes: 1)) : base
      text = start + (text.hasPrefix(bytes: "/") ? text : "/" + text)
    }
    let address = String(text.prefix(before: "?", "#"))
    let matching = api.servers.filter { server in
      address.equals(bytes: server) || address.hasPrefix(bytes: server + "/")
    }
    guard let longest = matching.max(by: { $0.utf8.count < $1.utf8.count }) else { return nil }
    path = String(address.dropFirst(bytes: longest.utf8.count))
    query = Self.names(inQueryOf: text)
    operations = matching.flatMap { server in
      let rest = String(address.dropFirst(bytes: server.utf8.count))
      return api.operations(at: server, PathSegments.split(rest))
    }
  }

  private static func names(inQueryOf url: String) -> [String] {
    guard let start = url.firstIndex(ascii: "?") else { return [] }
    return url[start...].dropFirst(bytes: 1).prefix(before: "#").split(ascii: "&").map { field in
      let name = String(field.prefix(before: "="))
      return URI.percentDecode(name) ?? name
    }
  }
}

/// Segments of paths, with values that are not known.
enum PathSegments {
  /// The segments of a path. Templates may contain `/`, which separates nothing there.
  static func split(_ path: String) -> [String] {
    var segments: [String] = []
    var segment: [UInt8] = []
    var depth = 0
    for byte in path.utf8 {
      if byte == UInt8(ascii: "{") { depth += 1 }
      if byte == UInt8(ascii: "}") { depth -= 1 }
      if byte == UInt8(ascii: "/"), depth <= 0 {
        if !segment.isEmpty { segments.append(String(decoding: segment, as: UTF8.self)) }
        segment = []
      } else {
        segment.append(byte)
      }
    }
    if !segment.isEmpty { segments.append(String(decoding: segment, as: UTF8.self)) }
    return segments
  }

  /// Whether a written path may be one that a described path stands for.
  static func mayMatch(_ written: [String], _ described: [String]) -> Bool {
    zip(written, described).allSatisfy { written, described in
      if written.contains(bytes: "{{") { return true }
      guard described.contains(bytes: "{") else {
        return written.equals(bytes: described)
          || (URI.percentDecode(written) ?? written).equals(bytes: described)
      }
      let start = described.prefix(before: "{")
      let end = described.lastIndex(ascii: "}").map { described[$0...].dropFirst(bytes: 1) } ?? ""
      return written.hasPrefix(bytes: start) && written.hasSuffix(bytes: end)
        && written.utf8.count >= start.utf8.count + end.utf8.count
    }
  }
}
