import PipelineJSONText
import PipelineLanguage
import PipelinePlanning
import PipelineSourceText
import PipelineTemplates

/// Two requests that change one thing, in no order.
enum UnorderedWrites: LintRule {
  static let explanation = Explanation(
    "unordered-writes", .note, PackageResources.unordered_writes_md)

  static func check(_ context: LintContext) -> [Diagnostic] {
    var found: [Diagnostic] = []
    for (number, block) in context.blocks.enumerated()
    // Only one branch of a choice runs.
    where block.resolution.block.order != .listed && !block.resolution.block.isChoice {
      check(number, context, &found)
      checkReads(number, context, &found)
    }
    return found
  }

  /// A step that changes something, seen from a block that contains it, at whatever depth.
  private struct Writer {
    let step: Step
    /// The step of the block that it is, or that contains it.
    let outer: Step
    let index: Int
    let isConditional: Bool
    let address: String
  }

  /// The earlier writers to an address, or below it, that a new writer must be compared with. All
  /// others are ordered through these, or reported already.
  private struct Line {
    /// The last that has to be in order with every other.
    var pivot: Int?
    /// The later ones, which need not be in order with one another.
    var others: [Int] = []
    /// The last writer of the address itself that has a condition.
    var conditional: Int?
    /// The last writer below the address that has none.
    var below: Int?

    /// Adds a writer, and gives the writers to compare it with, the nearest first.
    mutating func add(_ writer: Int, isConditional: Bool, isBelow: Bool) -> [Int] {
      if !isConditional && !isBelow {
        let compared = others.isEmpty ? [pivot].compactMap { $0 } : others.reversed()
        self = Line(pivot: writer)
        return compared
      }
      let other = isConditional ? (isBelow ? nil : below) : conditional
      others.append(writer)
      if !isBelow { conditional = writer }
      if !isConditional { below = writer }
      return [other, pivot].compactMap { $0 }
    }
  }

  private static func check(_ number: Int, _ context: LintContext, _ found: inout [Diagnostic]) {
    let writers = Self.writers(in: number, context)
    if writers.count < 2 { return }
    let reachability = Reachability(context.blocks[number].resolution.graph)
    let pairs = Self.pairs(of: writers, reachability.places)
    let isOrdered = reachability.areOrdered(
      pairs.map { (from: writers[$0.first].index, to: writers[$0.second].index) })
    var told = Set<Int>()
    // Writes that follow the same step have one finding.
    var findings: [Int: Int] = [:]
    for (pair, isOrdered) in zip(pairs, isOrdered) where !isOrdered {
      let (first, second) = (min(pair.first, pair.second), max(pair.first, pair.second))
      guard told.insert(second).inserted else { continue }
      if let place = findings[first] {
        found[place].related.append(
          .init(range: writers[second].step.id.range, message: "and so does this one"))
      } else {
        findings[first] = found.count
        found.append(finding(for: writers[first], writers[second]))
      }
    }
  }

  /// Requests that read exactly what another changes or removes.
  private static func checkReads(
    _ number: Int, _ context: LintContext, _ found: inout [Diagnostic]
  ) {
    var writers: [String: (index: Int, step: Step)] = [:]
    var readers: [(index: Int, step: Step, address: String)] = []
    let block = context.blocks[number]
    for (index, step) in block.steps.prefix(block.mainCount).enumerated() {
      let step = context.steps[step]
      guard let request = step.request, step.step.when == nil, step.step.forEach == nil else {
        continue
      }
      switch request.method {
      case "GET": readers.append((index, step.step, address(of: request)))
      case "PUT", "PATCH", "DELETE":
        let address = address(of: request)
        if writers[address] == nil { writers[address] = (index, step.step) }
      default: break
      }
    }
    guard !writers.isEmpty else { return }
    let pairs = readers.compactMap { reader in
      writers[reader.address].map { (reader: reader, writer: $0) }
    }
    guard !pairs.isEmpty else { return }
    let isOrdered = Reachability(block.resolution.graph).areOrdered(
      pairs.map {
        (from: min($0.reader.index, $0.writer.index), to: max($0.reader.index, $0.writer.index))
      })
    for (pair, isOrdered) in zip(pairs, isOrdered) where !isOrdered {
      let (reader, writer) = (pair.reader.step.id, pair.writer.step.id)
      let isFirst = pair.reader.index < pair.writer.index
      let (first, second) = isFirst ? (reader, writer) : (writer, reader)
      found.append(
        finding(
          "'\(reader.value)' reads '\(pair.reader.address)' and '\(writer.value)' changes it, in no"
            + " order; write \"dependsOn\": [\"\(first.value)\"], or \"order\": \"listed\" in the file",
          at: second.range, related: [.init(range: first.range, message: "the other one is here")],
          fix: isFirst
            ? ordering(pair.writer.step, after: pair.reader.step)
            : ordering(pair.reader.step, after: pair.writer.step)))
    }
  }

  /// The writers that have to be in order, because they have one address, or one is below the
  /// other's. In the order in which they can run.
  private static func pairs(
    of writers: [Writer], _ places: [Int]
  ) -> [(first: Int, second: Int)] {
    var lines = Dictionary(
      writers.map { ($0.address, Line()) }, uniquingKeysWith: { one, _ in one })
    var pairs: [(first: Int, second: Int)] = []
    let order = writers.indices.sorted {
      (places[writers[$0].index], $0) < (places[writers[$1].index], $1)
    }
    for number in order {
      let writer = writers[number]
      func add(to address: String, isBelow: Bool) {
        guard let line = lines.index(forKey: address) else { return }
        let others = lines.values[line].add(
          number, isConditional: writer.isConditional, isBelow: isBelow)
        for other in others where writers[other].index != writer.index {
          pairs.append((other, number))
        }
      }
      add(to: writer.address, isBelow: false)
      for parent in parents(of: writer.address) { add(to: parent, isBelow: true) }
    }
    return pairs
  }

  private static func finding(for first: Writer, _ second: Writer) -> Diagnostic {
    let (one, two) = (first.step.id.value, second.step.id.value)
    let addresses = [first.address, second.address]
    let what =
      addresses[0] == addresses[1]
      ? "both change '\(addresses[0])'"
      : "change '\(addresses[0])' and '\(addresses[1])'"
    let place = second.outer === second.step ? "" : " in '\(second.outer.id.value)'"
    return finding(
      "'\(one)' and '\(two)' \(what), in no order; "
        + "write \"dependsOn\": [\"\(first.outer.id.value)\"]\(place) if it matters, or \"order\":"
        + " \"listed\" if each step follows the one before it",
      at: second.step.id.range,
      related: [.init(range: first.step.id.range, message: "the other one is here")],
      fix: ordering(second.outer, after: first.outer))
  }

  /// The edit that makes one step wait for another, if it waits for none yet.
  private static func ordering(_ step: Step, after other: Step) -> DiagnosticFix? {
    if let list = step.node["dependsOn"], list.kind == .array, let last = Array(list.elements).last
    {
      return .inserting(
        ", \"\(other.id.value)\"", at: last.range.upperBound, "add \"\(other.id.value)\"")
    }
    guard step.node["dependsOn"] == nil, step.branch == nil,
      let member = step.node.members.first(where: { $0.name == "id" })
    else { return nil }
    let text = "\"dependsOn\": [\"\(other.id.value)\"]"
    return .inserting(", " + text, at: member.value.range.upperBound, "add \(text)")
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
          address: address(of: request)))
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

  /// The addresses above it: `/users/1` and `/users` for `/users/1/files`.
  private static func parents(of address: String) -> [String] {
    let bytes = address.utf8
    let slash = UInt8(ascii: "/")
    var start = bytes.startIndex
    // The part before the path, `https://host`, is not a separate address.
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
