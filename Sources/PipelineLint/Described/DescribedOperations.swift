import PipelineByteText
import PipelineOpenAPI
import PipelineURIs

/// The operations of a description, found by the segments of their paths.
struct DescribedOperations: Sendable {
  let description: APIDescription
  private let operations: [Operation]
  /// The first is the root. A path leads from node to node, a segment each.
  private var nodes = [PathNode()]
  /// The URLs of all servers. They may be relative.
  let servers: Set<String>
  let paths: Set<String>

  private struct PathNode: Sendable {
    var literals: [String: Int] = [:]
    /// Segments with a parameter, such as `{id}` and `{id}.json`.
    var patterns: [String: Int] = [:]
    /// The operations whose path ends here.
    var operations: [Int] = []
  }

  init(_ description: APIDescription) {
    self.description = description
    operations = description.operations()
    servers = Set(operations.flatMap { description.servers(of: $0) })
    paths = Set(operations.map(\.path))
    var ends: [String: Int] = [:]
    for (number, operation) in operations.enumerated() {
      let path = String(operation.path.prefix(before: "?"))
      let end = ends[path] ?? add(PathSegments.split(path))
      ends[path] = end
      nodes[end].operations.append(number)
    }
  }

  private mutating func add(_ segments: [String]) -> Int {
    var node = 0
    for segment in segments {
      let isPattern = segment.contains(bytes: "{")
      if let next = isPattern ? nodes[node].patterns[segment] : nodes[node].literals[segment] {
        node = next
        continue
      }
      nodes.append(PathNode())
      if isPattern {
        nodes[node].patterns[segment] = nodes.count - 1
      } else {
        nodes[node].literals[segment] = nodes.count - 1
      }
      node = nodes.count - 1
    }
    return node
  }

  /// An operation that a path may reach.
  struct PathMatch {
    let operation: Operation
    /// The number of the operation in the description.
    let number: Int
    /// For each segment, how it fits.
    let segments: [SegmentMatch]

    /// Whether each segment fits at least as well as that of another one, and one of them better.
    func isBetter(than other: PathMatch) -> Bool {
      let pairs = zip(segments, other.segments)
      return pairs.contains { $0.rank < $1.rank } && pairs.allSatisfy { $0.rank <= $1.rank }
    }

    /// Whether a request that reaches the path of another one certainly reaches this one's instead,
    /// whatever its method. Only a segment without a template is certain to be a name in a path.
    func isCertainlyBetter(than other: PathMatch) -> Bool {
      let pairs = zip(segments, other.segments)
      return segments.count == other.segments.count
        && pairs.contains { $0.isWritten && $0.rank < $1.rank }
        && pairs.allSatisfy { own, other in
          own.isWritten
            ? own.rank <= other.rank
            : own.described.equals(bytes: other.described)
              || PathSegments.isParameter(own.described)
        }
    }
  }

  /// A segment of a request, and the one of a described path that it is taken for.
  struct SegmentMatch {
    let described: String
    /// How well it fits: 0 is best.
    let rank: Int
    /// Whether the workflow has no template in it.
    let isWritten: Bool
  }

  /// The paths that have a method and as many segments as a request, with the segments of the request
  /// in place of their parameters.
  func paths(like segments: [String], method: String) -> Set<String> {
    var found: Set<String> = []
    for operation in operations where operation.method == method {
      let own = PathSegments.split(operation.path)
      guard own.count == segments.count else { continue }
      let parts = zip(own, segments).map { PathSegments.isParameter($0) ? $1 : $0 }
      if parts.allSatisfy({ !$0.contains(bytes: "{") || segments.contains($0) }) {
        found.insert("/" + parts.joined(separator: "/"))
      }
    }
    return found
  }

  /// The operations that a path may reach, with any method.
  ///
  /// - Parameters:
  ///   - segments: As written in a workflow, with templates.
  ///   - isOpen: Whether a segment's template may well stand for a name in a described path.
  func matches(_ segments: [String], isOpen: (String) -> Bool) -> [PathMatch] {
    var found: [PathMatch] = []
    var open: [(node: Int, fits: [SegmentMatch])] = [(0, [])]
    while let (node, fits) = open.popLast() {
      guard fits.count < segments.count else {
        found += nodes[node].operations.map {
          PathMatch(operation: operations[$0], number: $0, segments: fits)
        }
        continue
      }
      let segment = segments[fits.count]
      let isWritten = !segment.contains(bytes: "{{")
      func follow(_ described: String, _ next: Int, rank: Int) {
        let fit = SegmentMatch(described: described, rank: rank, isWritten: isWritten)
        open.append((next, fits + [fit]))
      }
      if isWritten {
        let plain = URI.percentDecode(segment) ?? segment
        // A written name is that path, and not the value of a parameter (OpenAPI 3.0 §4.7.8.2).
        for name in Set([segment, plain]) {
          if let next = nodes[node].literals[name] { follow(name, next, rank: 0) }
        }
        for (pattern, next) in nodes[node].patterns
        where PathSegments.mayMatch(segment, pattern) {
          follow(pattern, next, rank: PathSegments.isParameter(pattern) ? 2 : 1)
        }
        continue
      }
      // A value is that of a parameter, rather than by chance a name in the path.
      for (pattern, next) in nodes[node].patterns where PathSegments.mayMatch(segment, pattern) {
        follow(pattern, next, rank: 0)
      }
      for (name, next) in nodes[node].literals where PathSegments.mayMatch(segment, name) {
        follow(name, next, rank: isOpen(segment) ? 0 : 1)
      }
    }
    return found.sorted { $0.number < $1.number }
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

  /// Whether a segment is nothing but a parameter.
  static func isParameter(_ described: String) -> Bool {
    described.hasPrefix(bytes: "{") && described.hasSuffix(bytes: "}")
      && described.utf8.count { $0 == UInt8(ascii: "{") } == 1
  }

  /// Whether a written segment may be one that a described segment stands for.
  static func mayMatch(_ written: String, _ described: String) -> Bool {
    let (start, end) = fixed(written, "{{", "}}")
    guard written.contains(bytes: "{{") else {
      guard described.contains(bytes: "{") else { return written.equals(bytes: described) }
      let (before, after) = fixed(described, "{", "}")
      return written.hasPrefix(bytes: before) && written.hasSuffix(bytes: after)
        && written.utf8.count > before.utf8.count + after.utf8.count
    }
    guard described.contains(bytes: "{") else {
      return described.hasPrefix(bytes: start) && described.hasSuffix(bytes: end)
    }
    let (before, after) = fixed(described, "{", "}")
    return (start.hasPrefix(bytes: before) || before.hasPrefix(bytes: start))
      && (end.hasSuffix(bytes: after) || after.hasSuffix(bytes: end))
  }

  /// What is before the first opening mark, and after the last closing one.
  private static func fixed(
    _ text: String, _ opening: String, _ closing: String
  ) -> (start: String, end: String) {
    guard let first = text.firstRange(bytes: opening) else { return (text, text) }
    var rest = String(text[first.lowerBound...])
    while let next = rest.firstRange(bytes: closing) { rest = String(rest[next.upperBound...]) }
    return (String(text[..<first.lowerBound]), rest)
  }
}
