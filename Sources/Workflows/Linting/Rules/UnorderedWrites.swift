import SourceText
import Templates

/// Two requests that change one thing, in no order.
struct UnorderedWrites: LintRule {
  static let explanation = Explanation(
    "unordered-writes", .note,
    what: "Two steps change the same address, or one below the other's, in no order.",
    why: """
      Steps that do not read each other run at the same time, so which of the two wins differs \
      from run to run: `DELETE /users/1` may come before `PATCH /users/1`, and `POST /users/1/files` \
      before or after either. Where the order matters, say so with `dependsOn`. Two steps with `when`, \
      of which one runs, need no order.
      """,
    bad: """
      {
        "steps": [
          {
            "id": "rename",
            "endpoint": "PATCH https://api.example.com/users/1",
            "body": { "json": { "name": "Ada" } }
          },
          { "id": "remove", "endpoint": "DELETE https://api.example.com/users/1" }
        ]
      }
      """,
    good: """
      {
        "steps": [
          {
            "id": "rename",
            "endpoint": "PATCH https://api.example.com/users/1",
            "body": { "json": { "name": "Ada" } }
          },
          {
            "id": "remove",
            "dependsOn": ["rename"],
            "endpoint": "DELETE https://api.example.com/users/1"
          }
        ]
      }
      """)

  func check(_ context: LintContext) -> [Diagnostic] {
    var found: [Diagnostic] = []
    for (number, block) in context.blocks.enumerated()
    where block.resolution.block.order != .listed {
      check(number, context, &found)
    }
    return found
  }

  /// A step that changes something, seen from a block that it stands in, at whatever depth.
  private struct Writer {
    let step: Step
    /// The step of the block that it is, or stands in.
    let outer: Step
    let index: Int
    let isConditional: Bool
    let request: Request
  }

  /// Goes over the writers as they are written, so that the same file brings the same findings.
  private func check(_ number: Int, _ context: LintContext, _ found: inout [Diagnostic]) {
    let writers = Self.writers(in: number, context)
    if writers.count < 2 { return }
    var search = PathSearch(context.blocks[number].resolution.graph)
    // Of each address, and of all below it, the last writers so far.
    var exact: [String: [Int]] = [:]
    var below: [String: [Int]] = [:]
    for (position, writer) in writers.enumerated() {
      let address = Self.address(of: writer.request)
      let parents = Self.parents(of: address)
      var others = (exact[address] ?? []) + (below[address] ?? [])
      for parent in parents { others += exact[parent] ?? [] }
      if others.count > 1 { others.sort(by: >) }
      let earlier = others.first { other in
        let other = writers[other]
        return other.index != writer.index && !(other.isConditional && writer.isConditional)
          && !search.isOrdered(other.index, writer.index)
      }
      if let earlier { found.append(finding(for: writers[earlier], writer)) }
      exact[address] = Self.adding(position, to: exact[address])
      for parent in parents { below[parent] = Self.adding(position, to: below[parent]) }
    }
  }

  private func finding(for first: Writer, _ second: Writer) -> Diagnostic {
    let (one, two) = (first.step.id.value, second.step.id.value)
    let addresses = [first, second].map { Self.address(of: $0.request) }
    let what =
      addresses[0] == addresses[1]
      ? "both change '\(addresses[0])'"
      : "change '\(addresses[0])' and '\(addresses[1])'"
    let place = second.outer === second.step ? "" : " in '\(second.outer.id.value)'"
    return finding(
      "'\(one)' and '\(two)' \(what), in no order; "
        + "write \"dependsOn\": [\"\(first.outer.id.value)\"]\(place) if it matters",
      at: second.step.id.range,
      related: [.init(range: first.step.id.range, message: "the other one stands here")])
  }

  /// How many of one address, the last ones, a further one is compared with: what follows these
  /// follows those before them, or they are told already.
  private static let most = 2

  private static func adding(_ position: Int, to positions: [Int]?) -> [Int] {
    ((positions ?? []) + [position]).suffix(most)
  }

  // MARK: - Writers and addresses

  private static func writers(in block: Int, _ context: LintContext) -> [Writer] {
    var writers: [Writer] = []
    let lines = context.blocks[block]
    for (index, number) in lines.steps.prefix(lines.mainCount).enumerated() {
      let step = context.steps[number].step
      collect(number, step, index, step.when != nil, context, &writers)
    }
    return writers
  }

  private static func collect(
    _ number: Int, _ outer: Step, _ index: Int, _ isConditional: Bool, _ context: LintContext,
    _ writers: inout [Writer]
  ) {
    let step = context.steps[number]
    if let request = step.request, isUnsafe(request.method) {
      writers.append(
        Writer(
          step: step.step, outer: outer, index: index, isConditional: isConditional,
          request: request))
    }
    guard let inner = step.inner else { return }
    for number in context.blocks[inner].steps {
      collect(
        number, outer, index, isConditional || context.steps[number].step.when != nil, context,
        &writers)
    }
  }

  /// Not safe in the words of RFC 9110 §9.2.1.
  private static func isUnsafe(_ method: String) -> Bool {
    switch method {
    case "POST", "PUT", "PATCH", "DELETE": true
    default: false
    }
  }

  /// The URL without its query, and without a slash at its end.
  private static func address(of request: Request) -> String {
    var text = request.endpoint.value.url.text[...]
    if let query = text.utf8.firstIndex(of: UInt8(ascii: "?")) { text = text[..<query] }
    while text.utf8.last == UInt8(ascii: "/") { text = Substring(text.utf8.dropLast()) }
    if request.endpoint.value.url.isRelative, text.utf8.first != UInt8(ascii: "/") {
      return "/" + text
    }
    return String(text)
  }

  /// The addresses that it lies below: `/users/1` and `/users` of `/users/1/files`.
  private static func parents(of address: String) -> [String] {
    let bytes = address.utf8
    let slash = UInt8(ascii: "/")
    var start = bytes.startIndex
    // What stands before the path, `https://host`, is no address of its own.
    if bytes.first != slash, let colon = bytes.firstIndex(of: UInt8(ascii: ":")),
      bytes[colon...].starts(with: "://".utf8)
    {
      start = bytes.index(colon, offsetBy: 3)
      start = bytes[start...].firstIndex(of: slash) ?? bytes.endIndex
    }
    guard start < bytes.endIndex else { return [] }
    var parents: [String] = []
    var index = bytes.index(after: start)
    while let next = bytes[index...].firstIndex(of: slash) {
      parents.append(String(address[..<next]))
      index = bytes.index(after: next)
    }
    return parents
  }
}

/// Asks a graph whether one step follows another; what it costs is bounded for the whole graph.
private struct PathSearch {
  private let graph: Graph
  /// How many steps the longest chain to each has: only steps between two can lie on a way.
  private let depths: [Int]
  private var budget: Int

  init(_ graph: Graph) {
    self.graph = graph
    var depths = [Int](repeating: 0, count: graph.stepCount)
    for step in graph.topologicalOrder {
      for follower in graph.followers[step] {
        depths[follower] = max(depths[follower], depths[step] + 1)
      }
    }
    self.depths = depths
    budget = 20_000
  }

  /// Whether one of two steps follows the other; `true` where the search would cost too much.
  mutating func isOrdered(_ one: Int, _ two: Int) -> Bool {
    let (start, end) = depths[one] <= depths[two] ? (one, two) : (two, one)
    if depths[start] == depths[end] { return false }
    var seen: Set<Int> = [start]
    var queue = [start]
    while let step = queue.popLast() {
      for follower in graph.followers[step] {
        budget -= 1
        if follower == end || budget <= 0 { return true }
        if depths[follower] < depths[end], seen.insert(follower).inserted { queue.append(follower) }
      }
    }
    return false
  }
}
