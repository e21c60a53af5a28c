internal import PipelineByteText
package import PipelineJSONText

/// A schema, seen through its references and `allOf`. Branches of `oneOf` and `anyOf` are not part of
/// it, because no one of them has to hold.
package struct Schema {
  private let description: APIDescription
  private let source: DescribedNode
  /// The schema itself, what it refers to, and the parts of `allOf`.
  private let parts: [DescribedNode]

  /// More parts than this are not looked at.
  private static let partLimit = 200

  package init(_ node: DescribedNode, in description: APIDescription) {
    self.description = description
    source = node
    var parts: [DescribedNode] = []
    var visited: Set<DescribedNode.Place> = []
    Self.collect(node, description, &parts, &visited)
    self.parts = parts
  }

  private static func collect(
    _ node: DescribedNode, _ description: APIDescription, _ parts: inout [DescribedNode],
    _ visited: inout Set<DescribedNode.Place>
  ) {
    var waiting = [node]
    while let next = waiting.popLast(), parts.count < partLimit {
      guard visited.insert(next.place).inserted else { continue }
      if let reference = next.node["$ref"]?.string {
        // What stands beside a reference counts from 3.1 on.
        if description.version == .openAPI31 || description.version == .openAPI32 {
          parts.append(next)
        }
        if let target = description.target(of: reference, from: next) { waiting.append(target) }
      } else {
        parts.append(next)
      }
      if let all = next["allOf"] {
        waiting += all.node.elements.map { DescribedNode(node: $0, file: next.file) }.reversed()
      }
    }
  }

  /// What the values may be, with the branches of `oneOf` and `anyOf`.
  package var shape: SchemaShape { SchemaShape(source, in: description) }

  /// The value of a keyword in the first part that has it.
  package subscript(_ keyword: String) -> JSONNode? { member(keyword)?.node }

  private func member(_ keyword: String) -> DescribedNode? {
    for part in parts { if let value = part[keyword] { return value } }
    return nil
  }

  /// The type that a value has if it is not null; `nil` if there are several or none.
  package var type: String? {
    guard let node = self["type"] else {
      if self["properties"] != nil { return "object" }
      return self["items"] == nil ? nil : "array"
    }
    if let name = node.string { return name == "null" ? nil : name }
    let names = node.elements.compactMap(\.string).filter { $0 != "null" }
    return names.count == 1 ? names[0] : nil
  }

  package var format: String? { self["format"]?.string }

  /// The schema of a property.
  package func property(_ name: String) -> Schema? {
    propertyNode(name).map { Schema($0, in: description) }
  }

  /// Where a property is described.
  package func propertyNode(_ name: String) -> DescribedNode? {
    for part in parts { if let found = part["properties"]?[name] { return found } }
    return nil
  }

  /// The names of the properties, each once.
  package var propertyNames: [String] {
    var names: [String] = []
    var known: Set<String> = []
    for part in parts {
      guard let properties = part["properties"]?.node else { continue }
      for member in properties.members where known.insert(member.name).inserted {
        names.append(member.name)
      }
    }
    return names
  }

  /// The names of the properties that a value must have.
  package var required: [String] {
    var names: [String] = []
    for part in parts {
      guard let list = part["required"]?.node else { continue }
      for name in list.elements {
        if let name = name.string, !names.contains(name) { names.append(name) }
      }
    }
    return names
  }
}
