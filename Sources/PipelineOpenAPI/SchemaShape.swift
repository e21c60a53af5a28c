internal import PipelineByteText
package import PipelineJSONText

/// What the values of a schema may be, as far as that is certain: one of several branches.
///
/// References and `allOf` are part of each branch. `oneOf` and `anyOf` make branches. What a branch
/// leaves open is never taken for certain: a reference that leads nowhere, a condition, a pattern of
/// names.
package struct SchemaShape: Sendable {
  /// Schemas that hold together.
  package struct Branch: Sendable {
    package fileprivate(set) var parts: [DescribedNode] = []
    /// Whether the parts are not all of it.
    fileprivate(set) var isOpen = false
  }

  package let description: APIDescription
  package let branches: [Branch]
  /// Whether a value may also be anything else.
  package let isUnknown: Bool

  /// Further branches, or further parts of all together, are not distinguished.
  private static let branchLimit = 64
  private static let partLimit = 2_000

  package init(_ node: DescribedNode, in description: APIDescription) {
    self.init(allOf: [node], in: description)
  }

  /// The values that several schemas allow.
  init(allOf nodes: [DescribedNode], in description: APIDescription) {
    self.description = description
    guard !nodes.isEmpty, let branches = Self.branches(of: nodes, description) else {
      (branches, isUnknown) = ([], true)
      return
    }
    (self.branches, isUnknown) = (branches, false)
  }

  private init(_ description: APIDescription, _ branches: [Branch], isUnknown: Bool) {
    self.description = description
    self.branches = branches
    self.isUnknown = isUnknown
  }

  /// Anything.
  package static func unknown(in description: APIDescription) -> SchemaShape {
    SchemaShape(description, [], isUnknown: true)
  }

  /// A value that is one of several.
  package static func union(
    _ shapes: [SchemaShape], in description: APIDescription
  ) -> SchemaShape {
    let branches = shapes.flatMap(\.branches)
    let isUnknown = shapes.contains(where: \.isUnknown) || branches.count > branchLimit
    return SchemaShape(description, isUnknown ? [] : branches, isUnknown: isUnknown)
  }

  /// Whether no value is possible.
  package var isEmpty: Bool { branches.isEmpty && !isUnknown }

  /// The branches that a value of a type may be meant for.
  package func branches(for type: String) -> SchemaShape {
    let fitting = branches.filter {
      $0.mayBe(type) || type == "integer" && $0.mayBe("number")
    }
    return SchemaShape(description, fitting, isUnknown: isUnknown)
  }

  // MARK: Branches

  /// A branch with schemas that are still to be looked at.
  private struct Draft {
    var branch = Branch()
    var pending: [DescribedNode]
    var visited: Set<DescribedNode.Place> = []
  }

  private static func branches(
    of nodes: [DescribedNode], _ description: APIDescription
  ) -> [Branch]? {
    var drafts = [Draft(pending: nodes.reversed())]
    var finished: [Branch] = []
    var count = 0
    while var draft = drafts.popLast() {
      guard let node = draft.pending.popLast() else {
        finished.append(draft.branch)
        continue
      }
      count += 1
      guard count < partLimit, drafts.count + finished.count < branchLimit else { return nil }
      if node.node.boolean == false { continue }
      guard node.node.kind == .object else {
        draft.branch.isOpen = true
        drafts.append(draft)
        continue
      }
      let isNew = draft.visited.insert(node.place).inserted
      if isNew { add(node, to: &draft, description) }
      let choices = ["oneOf", "anyOf"].compactMap { node[$0] }.filter { $0.node.kind == .array }
      if !choices.isEmpty, !isNew { draft.branch.isOpen = true }
      var made = [draft]
      for choice in choices where isNew {
        made = made.flatMap { draft in
          choice.node.elements.map { element in
            var draft = draft
            draft.pending.append(DescribedNode(node: element, file: choice.file))
            return draft
          }
        }
        guard made.count < branchLimit else { return nil }
      }
      drafts += made.reversed()
    }
    return finished
  }

  private static func add(
    _ node: DescribedNode, to draft: inout Draft, _ description: APIDescription
  ) {
    if let reference = node.node["$ref"]?.string {
      if let target = description.target(of: reference, from: node) {
        draft.pending.append(target)
      } else {
        draft.branch.isOpen = true
      }
      // What stands beside a reference counts from 3.1 on.
      guard description.version == .openAPI31 || description.version == .openAPI32 else { return }
    }
    draft.branch.parts.append(node)
    if let reference = node.node["$dynamicRef"]?.string {
      if let target = description.dynamicTarget(of: reference, from: node) {
        draft.pending.append(target)
      } else {
        draft.branch.isOpen = true
      }
    }
    if let all = node["allOf"] {
      draft.pending += all.node.elements.map { DescribedNode(node: $0, file: all.file) }.reversed()
    }
    let isBase =
      node.node["discriminator"] != nil && node.node["oneOf"] == nil
      && node.node["anyOf"] == nil
    let opening = [
      "$recursiveRef", "if", "dependentSchemas", "patternProperties",
      "unevaluatedProperties",
    ]
    // A value of a base is one of the schemas that extend it.
    if isBase || opening.contains(where: { node.node[$0] != nil }) { draft.branch.isOpen = true }
  }

  // MARK: Parts of values

  /// The values of a part of the value, or that there are none.
  package struct Selection: Sendable {
    package let shape: SchemaShape
    /// If there are none: whether the schemas rule them out. Otherwise they only do not describe any.
    package let isRuledOut: Bool

    /// Anything.
    package static func unknown(in description: APIDescription) -> Selection {
      Selection(shape: .unknown(in: description), isRuledOut: false)
    }
  }

  /// The value of a member.
  package func member(_ name: String) -> Selection {
    select { branch in
      guard branch.mayBe("object") else { return .none }
      let own = branch.parts.compactMap { $0["properties"]?[name] }
      if !own.isEmpty { return .values(SchemaShape(allOf: own, in: description)) }
      return branch.rest
    }
  }

  /// The values of members that no part describes.
  package var otherMembers: Selection {
    select { $0.mayBe("object") ? $0.rest : .none }
  }

  /// The values of the elements, and of the members if it is an object.
  ///
  /// - Parameter listsOnly: Whether only elements are meant.
  package func children(listsOnly: Bool) -> Selection {
    select { branch in
      let isList = branch.mayBe("array")
      let isObject = !listsOnly && branch.mayBe("object")
      if isObject { return isList || branch.types == nil ? .unknown : members(of: branch) }
      guard isList else { return .none }
      let items = branch.parts.compactMap { $0["items"] }.filter { $0.node.kind == .object }
      if items.isEmpty || branch.isOpen
        || branch.parts.contains(where: { $0["prefixItems"] != nil })
      {
        return .unknown
      }
      return .values(SchemaShape(allOf: items, in: description))
    }
  }

  private func members(of branch: Branch) -> Outcome {
    guard case .none = branch.rest else { return .unknown }
    let all = branch.propertyNames.map { name in
      SchemaShape(allOf: branch.parts.compactMap { $0["properties"]?[name] }, in: description)
    }
    return all.isEmpty ? .none : .values(.union(all, in: description))
  }

  /// What a branch says about a part.
  fileprivate indirect enum Outcome {
    case values(SchemaShape)
    case unknown
    /// There is none, and the schema says so.
    case none
    /// There is none as far as the schema describes it.
    case undescribed
  }

  private func select(_ outcome: (Branch) -> Outcome) -> Selection {
    guard !isUnknown else { return .unknown(in: description) }
    var shapes: [SchemaShape] = []
    var isRuledOut = true
    for branch in branches {
      switch outcome(branch) {
      case .values(let shape): shapes.append(shape)
      case .unknown: shapes.append(.unknown(in: description))
      case .none: break
      case .undescribed: isRuledOut = false
      }
    }
    return Selection(shape: .union(shapes, in: description), isRuledOut: isRuledOut)
  }

  // MARK: What is said of it

  /// The JSON Schema types that a value may have, `null` apart; `nil` if it may be anything.
  package var types: Set<String>? {
    guard !isUnknown else { return nil }
    var types: Set<String> = []
    for branch in branches {
      guard let own = branch.types else { return nil }
      types.formUnion(own)
    }
    types.remove("null")
    return types
  }

  /// The members that are described, each once, with one of the places that describe it.
  package var properties: [(name: String, node: DescribedNode)] {
    var found: [(name: String, node: DescribedNode)] = []
    var known: Set<String> = []
    for part in branches.flatMap(\.parts) {
      guard let properties = part["properties"] else { continue }
      for member in properties.node.members where known.insert(member.name).inserted {
        found.append((member.name, DescribedNode(node: member.value, file: properties.file)))
      }
    }
    return found
  }

  /// Whether each value is deprecated.
  package var isDeprecated: Bool {
    !branches.isEmpty
      && branches.allSatisfy { branch in
        branch.parts.contains { $0.node["deprecated"]?.boolean == true }
      }
  }

  /// The first place that describes it.
  package var node: DescribedNode? { branches.first?.parts.first }
}

extension SchemaShape.Branch {
  /// The types of JSON Schema that all parts allow; `nil` if they name none.
  package var types: Set<String>? {
    var types: Set<String>?
    var isNullable = false
    for part in parts {
      isNullable =
        isNullable || part.node["nullable"]?.boolean == true
        || part.node["x-nullable"]?.boolean == true
      guard let own = Self.types(of: part.node) else { continue }
      types = types.map { Self.intersection($0, own) } ?? own
    }
    if isNullable { types?.insert("null") }
    return isOpen && types?.isEmpty == true ? nil : types
  }

  private static func types(of schema: JSONNode) -> Set<String>? {
    var names: [String] = []
    switch schema["type"]?.kind {
    case .string: names = [schema["type"]?.string ?? ""]
    case .array: names = schema["type"]?.elements.compactMap(\.string) ?? []
    default: break
    }
    // Such as `file` of Swagger 2.0.
    let known = ["string", "integer", "number", "boolean", "array", "object", "null"]
    if !names.isEmpty { return names.allSatisfy(known.contains) ? Set(names) : nil }
    let values = schema["enum"].map { Array($0.elements) } ?? [schema["const"]].compactMap(\.self)
    return values.isEmpty ? nil : Set(values.map(type))
  }

  /// The type of a value.
  package static func type(of value: JSONNode) -> String {
    switch value.kind {
    case .string: "string"
    case .number: value.number?.isInteger == true ? "integer" : "number"
    case .boolean: "boolean"
    case .null: "null"
    case .array: "array"
    case .object: "object"
    }
  }

  private static func intersection(_ one: Set<String>, _ two: Set<String>) -> Set<String> {
    var both = one.intersection(two)
    // Each whole number is a number.
    if one.contains("integer") && two.contains("number")
      || one.contains("number") && two.contains("integer")
    {
      both.insert("integer")
    }
    return both
  }

  /// Whether a value may have a type.
  package func mayBe(_ type: String) -> Bool { types?.contains(type) ?? true }

  /// The members that are described, each once.
  package var propertyNames: [String] {
    var names: [String] = []
    var known: Set<String> = []
    for part in parts {
      guard let properties = part["properties"] else { continue }
      for member in properties.node.members where known.insert(member.name).inserted {
        names.append(member.name)
      }
    }
    return names
  }

  /// Whether members that no part describes are ruled out.
  package var isClosed: Bool {
    !isOpen && parts.contains { $0.node["additionalProperties"]?.boolean == false }
  }

  /// Whether members may have any name.
  package var takesAnyMember: Bool {
    isOpen || !parts.contains { $0.node["properties"] != nil }
      || parts.contains { part in
        guard let rest = part.node["additionalProperties"] else { return false }
        return rest.boolean == true || rest.kind == .object
      }
  }

  /// What is said of members that no part describes.
  fileprivate var rest: SchemaShape.Outcome {
    if isClosed { return .none }
    return takesAnyMember ? .unknown : .undescribed
  }
}
