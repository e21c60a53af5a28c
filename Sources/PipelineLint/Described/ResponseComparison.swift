import PipelineByteText
import PipelineJSONPaths
import PipelineJSONText
import PipelineOpenAPI

/// Follows one read of a workflow through a response and its schema together.
struct ResponseComparison {
  let mayBeAbsent: Bool
  /// Where the workflow reads it.
  let range: Range<Int>

  /// The first value on the way that is not as described.
  ///
  /// - Parameters:
  ///   - node: A value of the response.
  ///   - shape: What the description says of it.
  ///   - rest: The way on from it. At its end, a text, a number or a boolean must be one that the
  ///     schema allows.
  ///   - path: Where the value is in the body.
  func difference(
    _ node: JSONNode, _ shape: SchemaShape, _ rest: ArraySlice<DescribedSource.BodyStep>,
    _ path: String
  ) -> ResponseChecks.Difference? {
    guard !shape.isUnknown, !shape.isEmpty else { return nil }
    let type = SchemaShape.Branch.type(of: node)
    let fitting = shape.branches(for: type)
    guard !fitting.isEmpty else { return mismatch(node, type, shape, path) }
    guard let step = rest.first else {
      return node.kind == .object || node.kind == .array ? nil : refusal(of: node, fitting, path)
    }
    let rest = rest.dropFirst()
    let segment: Segment
    switch step {
    case .segment(let written): segment = written
    case .elements: return ofChildren(of: node, fitting, rest, path, listsOnly: true)
    case .member(let name): return ofMember(name, of: node, fitting, rest, path)
    }
    guard segment.reach == .child else { return nil }
    for selector in segment.selectors {
      if let found = difference(node, fitting, selector.kind, rest, path) { return found }
    }
    return nil
  }

  private func difference(
    _ node: JSONNode, _ shape: SchemaShape, _ selector: Selector.Kind,
    _ rest: ArraySlice<DescribedSource.BodyStep>, _ path: String
  ) -> ResponseChecks.Difference? {
    switch selector {
    case .name(let name): return ofMember(name.text, of: node, shape, rest, path)
    case .index(let index):
      let position = index < 0 ? node.count + index : index
      guard node.kind == .array, let element = node[position] else { return nil }
      return difference(
        element, shape.children(listsOnly: true).shape, rest, "\(path)[\(position)]")
    case .wildcard, .slice, .filter:
      return ofChildren(of: node, shape, rest, path, listsOnly: node.kind == .array)
    case .key: return nil
    }
  }

  private func ofMember(
    _ name: String, of node: JSONNode, _ shape: SchemaShape,
    _ rest: ArraySlice<DescribedSource.BodyStep>, _ path: String
  ) -> ResponseChecks.Difference? {
    guard node.kind == .object else { return nil }
    if let member = node[name] {
      return difference(member, shape.member(name).shape, rest, path + Self.step(to: name))
    }
    guard !mayBeAbsent, let place = shape.requirement(of: name) else { return nil }
    return ResponseChecks.Difference(
      message: "'\(path)' lacks '\(name)', which the API requires (\(place.position))",
      value: nil, range: range)
  }

  private func ofChildren(
    of node: JSONNode, _ shape: SchemaShape, _ rest: ArraySlice<DescribedSource.BodyStep>,
    _ path: String, listsOnly: Bool
  ) -> ResponseChecks.Difference? {
    if node.kind == .array {
      let elements = shape.children(listsOnly: true).shape
      if elements.isUnknown { return nil }
      for (position, element) in node.elements.enumerated() {
        if let found = difference(element, elements, rest, "\(path)[\(position)]") { return found }
      }
    } else if node.kind == .object, !listsOnly {
      for member in node.members {
        let next = shape.member(member.name).shape
        if let found = difference(member.value, next, rest, path + Self.step(to: member.name)) {
          return found
        }
      }
    }
    return nil
  }

  private func mismatch(
    _ node: JSONNode, _ type: String, _ shape: SchemaShape, _ path: String
  ) -> ResponseChecks.Difference {
    let found = type == "null" ? "null" : SchemaShape.words(of: [type])
    let wanted = shape.words ?? "null"
    let place = shape.node.map { " (\($0.position))" } ?? ""
    return ResponseChecks.Difference(
      message: "'\(path)' is \(found), but the API describes \(wanted)" + place, value: node,
      range: range)
  }

  /// A value of a described type that the schema does not allow.
  private func refusal(
    of node: JSONNode, _ shape: SchemaShape, _ path: String
  ) -> ResponseChecks.Difference? {
    let literal = DescribedLiteral(call: nil, isText: false)
    guard let problem = literal.problems(node, shape, path).first(where: \.isCertain) else {
      return nil
    }
    let place = problem.node.map { " (\($0.position))" } ?? ""
    return ResponseChecks.Difference(
      message: "'\(path)' is not a value that the API describes" + place, value: node,
      range: range)
  }

  /// A member in a path.
  private static func step(to name: String) -> String {
    let isPlain = !name.isEmpty && name.utf8.allSatisfy(nameBytes.contains)
    return isPlain ? "." + name : "['\(name.shortened)']"
  }

  private static let nameBytes = ASCIISet.letters.union(.digits).union(ASCIISet("_"))
}

extension String {
  /// A name of a response, which may be of any length.
  fileprivate var shortened: String { utf8.count > 80 ? String(prefix(40)) + "…" : self }
}

extension SchemaShape {
  /// Where a member is required, if each branch requires it.
  func requirement(of name: String) -> DescribedNode? {
    var place: DescribedNode?
    for branch in branches {
      let own = branch.parts.lazy.compactMap { $0["required"] }.first { list in
        list.node.elements.contains { $0.string?.equals(bytes: name) == true }
      }
      guard let own else { return nil }
      // Only requests have it.
      let isWriteOnly = branch.parts.contains {
        $0["properties"]?[name]?.node["writeOnly"]?.boolean == true
      }
      if isWriteOnly { return nil }
      place = place ?? own
    }
    return place
  }
}
