import PipelineByteText
import PipelineJSONText
import PipelineOpenAPI
import PipelineSourceText

/// The members that a schema describes, or the fields of a form.
struct DescribedMembers {
  let names: [String]
  /// The names that a request must have, and where the description requires them.
  let required: [(name: String, node: DescribedNode)]
  /// What the values of a member may be. All of it holds.
  let shapes: (String) -> [SchemaShape]
  /// Where a member is described, or the members are.
  let node: (String?) -> DescribedNode?
  /// Whether other members are ruled out.
  let isClosed: Bool
  /// Whether members may have any name.
  let takesAny: Bool

  init(_ branch: SchemaShape.Branch, in description: APIDescription) {
    names = branch.propertyNames
    isClosed = branch.isClosed
    takesAny = branch.takesAnyMember
    required = Self.required(of: branch, description)
    shapes = { name in
      branch.parts.compactMap { $0["properties"]?[name] }
        .map { SchemaShape($0, in: description) }
    }
    node = { name in
      branch.parts.lazy.compactMap { part in
        name.map { part["properties"]?[$0] } ?? part["properties"]
      }.first
    }
  }

  /// The fields of a form in Swagger 2.0, where each is a parameter.
  init(fields: [Parameter]) {
    names = fields.map(\.name)
    isClosed = false
    takesAny = false
    required = fields.filter { $0.isRequired && $0.schema["default"] == nil }
      .map { ($0.name, $0.node) }
    // Their values are compared with those of all parameters.
    shapes = { _ in [] }
    node = { name in fields.first { $0.name == name }?.node }
  }

  private static func required(
    of branch: SchemaShape.Branch, _ description: APIDescription
  ) -> [(name: String, node: DescribedNode)] {
    var found: [(name: String, node: DescribedNode)] = []
    for part in branch.parts {
      guard let list = part["required"] else { continue }
      for name in list.node.elements.compactMap(\.string)
      where !found.contains(where: { $0.name == name }) {
        let own = branch.parts.compactMap { $0["properties"]?[name] }
        // What a server fills in itself is not missed, whatever the list says.
        let isGiven = own.contains { node in
          let schema = Schema(node, in: description)
          return schema["readOnly"]?.boolean == true || schema["default"] != nil
        }
        if !isGiven { found.append((name, list)) }
      }
    }
    return found
  }
}

/// A member of a body, or a field of a form, as written.
struct GivenMember {
  let name: String
  /// With its quotes.
  let nameRange: Range<Int>
  /// `nil` if the value is not compared, such as a file.
  let value: JSONNode?

  init(name: String, nameRange: Range<Int>, value: JSONNode?) {
    self.name = name
    self.nameRange = nameRange
    self.value = value
  }

  init(_ member: JSONMember) {
    self.init(name: member.name, nameRange: member.nameRange, value: member.value)
  }
}

extension DescribedLiteral {
  /// What is wrong with the members of an object.
  ///
  /// - Parameters:
  ///   - given: The members as written.
  ///   - described: What the schema says of them.
  ///   - range: The whole object.
  func memberProblems(
    _ given: [GivenMember], _ described: DescribedMembers, at range: Range<Int>
  ) -> [Difference] {
    let word = isText ? "field" : "property"
    var found: [Difference] = []
    var missing = described.required.filter { name in
      !given.contains { $0.name.equals(bytes: name.name) }
    }
    let known = Set(described.names)
    for member in given where !isTemplate(member.name) {
      guard !known.contains(member.name) else {
        // All of them hold, so each problem counts.
        let shapes = described.shapes(member.name)
        if let value = member.value {
          found += shapes.flatMap { problems(value, $0, member.name) }
        }
        if shapes.contains(where: \.isDeprecated) {
          found.append(
            Difference(
              kind: .deprecated, message: "the \(word) '\(member.name)' is deprecated",
              range: member.nameRange, node: described.node(member.name)))
        }
        continue
      }
      guard described.isClosed || !described.takesAny else { continue }
      // The value of a member in a form, `filter[name]`.
      if isText, known.contains(String(member.name.prefix(before: "["))) { continue }
      let free = described.names.filter { name in !given.contains { $0.name == name } }
      let near = Spelling.nearest(to: member.name, among: free)
      guard described.isClosed || near != nil else { continue }
      let name =
        member.nameRange.lowerBound
        + 1..<max(member.nameRange.upperBound - 1, member.nameRange.lowerBound + 1)
      let proposal = Proposal.didYouMean(near, at: name)
      found.append(
        Difference(
          kind: .undescribed(isRuledOut: described.isClosed),
          message: "the API describes no \(word) '\(member.name)' here" + proposal.text,
          range: member.nameRange, node: described.node(near), fix: proposal.fix))
      missing.removeAll { $0.name == near }
    }
    // A name that is computed may be any.
    guard !given.contains(where: { isTemplate($0.name) }) else { return found }
    if isText {
      missing.removeAll { name in given.contains { $0.name.hasPrefix(bytes: name.name + "[") } }
    }
    for (name, node) in missing {
      found.append(
        Difference(
          kind: .missing, message: "the body lacks the \(word) '\(name)', which the API requires",
          range: range.lowerBound..<range.lowerBound + 1, node: node))
    }
    return found
  }
}
