import PipelineByteText
import PipelineJSONText
import PipelineSourceText
import PipelineURIs

// Where `$ref` leads (core §8.2.3), and that it ends somewhere.

extension SchemaParser {
  /// The position of the schema that `$ref` leads to; `nil` if it leads nowhere, which is reported.
  mutating func reference(_ value: JSONNode, from index: Int) -> Int? {
    guard let text = value.string else {
      mistyped(.ref, value, "a URI reference, as in '#/$defs/user'")
      return nil
    }
    let base = bases[index] ?? 0
    guard let uri = uris[base].resolving(text) else {
      tell(
        "'\(text)' is not a URI reference; write a place in this document as '#/$defs/user'", value)
      return nil
    }
    let resource = uri.withoutFragment.description
    guard let root = resources[resource] else {
      problems.append(
        SchemaProblem(
          .reference,
          "'\(text)' is in another document, and none is ever fetched; copy it into '$defs' with "
            + "'\(resource)' as its '$id'", at: value.range))
      return nil
    }
    let fragment = uri.fragment ?? ""
    guard let name = URI.percentDecode(fragment) else {
      tell("'\(text)' has a malformed percent-encoding", value)
      return nil
    }
    if name.isEmpty { return use(root) }
    guard name.utf8.first == UInt8(ascii: "/") else {
      if let target = anchors[resource + "#" + name] { return use(target) }
      let known = anchors.keys.map {
        String($0[$0.index($0.lastIndex(ascii: "#") ?? $0.startIndex, offsetBy: 1)...])
      }
      tell(
        "'\(text)' leads nowhere: no schema has the '$anchor' '\(name)'", value,
        meant: nearest(to: name, among: known.sorted()), insteadOf: name)
      return nil
    }
    return target(of: name, in: root, value, text).map { use($0) }
  }

  /// The schema that a JSON pointer (RFC 6901) leads to.
  private mutating func target(
    of pointer: String, in root: Int, _ value: JSONNode, _ text: String
  ) -> Int? {
    var index = root
    var base = bases[root] ?? 0
    for part in pointer.split(ascii: "/", omittingEmptySubsequences: false).dropFirst() {
      let name = Self.unescaped(part)
      let node = JSONNode(document: document, index: index)
      guard let child = member(name, of: node) ?? Self.position(name).flatMap({ node[$0] }) else {
        tell(
          "'\(text)' leads nowhere: '\(name)' does not exist", value,
          meant: nearest(to: name, among: node.members.lazy.map(\.name)), insteadOf: name)
        return nil
      }
      index = child.index
      base = bases[index] ?? base
    }
    let target = JSONNode(document: document, index: index)
    guard isSchema(target) else {
      tell("'\(text)' does not lead to a schema, but to \(target.phrase)", value)
      return nil
    }
    // A place that no keyword makes a schema is one because it is referred to.
    locate(from: index, base: base)
    return index
  }

  /// A member of an object that may have many, and be asked often, as `$defs` is.
  private mutating func member(_ name: String, of node: JSONNode) -> JSONNode? {
    guard node.kind == .object, node.count > 16 else { return node[name] }
    let members =
      members[node.index]
      ?? Dictionary(
        node.members.map { (ExactText($0.name), $0.value.index) },
        uniquingKeysWith: { first, _ in first })
    self.members[node.index] = members
    return members[ExactText(name)].map { JSONNode(document: document, index: $0) }
  }

  private mutating func tell(_ message: String, _ value: JSONNode) {
    problems.append(SchemaProblem(.reference, message, at: value.range))
  }

  /// - Parameters:
  ///   - meant: The name that was probably meant.
  ///   - name: What is written for it, at the end of the reference or within it.
  private mutating func tell(
    _ message: String, _ value: JSONNode, meant: String?, insteadOf name: String
  ) {
    let bytes = value.document.bytes
    let fix = meant.flatMap { meant in
      bytes.place(ofName: name, in: value.range).map { place in
        String(decoding: bytes[value.range.lowerBound..<place.lowerBound], as: UTF8.self) + meant
          + String(decoding: bytes[place.upperBound..<value.range.upperBound], as: UTF8.self)
      }
    }
    problems.append(
      SchemaProblem(
        .reference, message + (meant.map { "; did you mean '\($0)'?" } ?? ""), at: value.range,
        fix: fix))
  }

  private static func unescaped(_ part: Substring) -> String {
    var bytes: [UInt8] = []
    var isEscape = false
    for byte in part.utf8 {
      if isEscape, byte == UInt8(ascii: "0") || byte == UInt8(ascii: "1") {
        bytes[bytes.count - 1] = UInt8(ascii: byte == UInt8(ascii: "0") ? "~" : "/")
        isEscape = false
      } else {
        bytes.append(byte)
        isEscape = byte == UInt8(ascii: "~")
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func position(_ text: String) -> Int? {
    guard text == "0" || text.utf8.first != UInt8(ascii: "0"),
      text.utf8.allSatisfy({ ASCIISet.digits.contains($0) })
    else { return nil }
    return Int(text)
  }
}

// MARK: - Loops

extension SchemaParser {
  /// Refuses references that lead back to their own place without going into the value. Checking
  /// them would never end (core §9.4.1).
  mutating func refuseLoops() {
    // A way down: a schema, and how many of its rules were followed.
    var isDone = Array(repeating: false, count: subschemas.count)
    var depth = Array(repeating: -1, count: subschemas.count)
    for start in subschemas.indices where !isDone[start] {
      var way = [(position: start, edges: edges(of: start), next: 0)]
      depth[start] = 0
      while let (position, edges, next) = way.last {
        guard next < edges.count else {
          isDone[position] = true
          depth[position] = -1
          way.removeLast()
          continue
        }
        way[way.count - 1].next += 1
        let target = edges[next].target
        if depth[target] >= 0 {
          let loop = way[depth[target]...].map { $0.edges[max(0, $0.next - 1)] }
          return tellLoop(loop.map(\.rule))
        }
        guard !isDone[target] else { continue }
        depth[target] = way.count
        way.append((target, self.edges(of: target), 0))
      }
    }
  }

  private mutating func tellLoop(_ rules: [Rule]) {
    guard let rule = rules.first(where: { $0.keyword == Keyword.ref.rawValue }) ?? rules.first
    else { return }
    problems.append(
      SchemaProblem(
        .reference,
        "this '$ref' leads back to itself without going into the value, so checking would never end",
        at: rule.range))
  }

  /// The schemas that are asked about the same value.
  private func edges(of position: Int) -> [(rule: Rule, target: Int)] {
    subschemas[position].rules.flatMap { rule in rule.check.inPlace.map { (rule, $0) } }
  }
}

extension Check {
  /// The schemas that this asks about the same value.
  fileprivate var inPlace: [Int] {
    switch self {
    case .applicator(.all(let schemas)), .applicator(.any(let schemas)),
      .applicator(.one(let schemas)):
      schemas
    case .applicator(.not(let schema)), .applicator(.reference(let schema)): [schema]
    case .applicator(.conditional(let condition, let then, let otherwise)):
      [condition] + [then, otherwise].compactMap { $0 }
    case .object(.dependentSchemas(let dependents)): dependents.map(\.schema)
    default: []
    }
  }
}
