import PipelineJSONSchemas
import PipelineTemplates
import PipelineJSONText

extension ValueShape {
  /// The shape of the values that a JSON Schema allows, by `type`, `properties`, `required` and
  /// `items`.
  init(allowedBy schema: Schema) {
    self = Self.shape(schema.node, depth: 0)
  }

  /// Schemas may nest as deep as JSON. Deeper parts are never asked for.
  private static let deepest = 32

  private static func shape(_ schema: JSONNode, depth: Int) -> ValueShape {
    guard schema.kind == .object, depth < deepest else { return .present }
    let names: [String]
    switch schema["type"]?.kind {
    case .string: names = [schema["type"]?.string ?? ""]
    case .array: names = schema["type"]?.elements.compactMap(\.string) ?? []
    default: return .present
    }
    let isNullable = names.contains("null")
    let others = names.filter { $0 != "null" }
    guard others.count == 1, let name = others.first else {
      return others.isEmpty && isNullable ? ValueShape(.null, maybeNull: true) : .present
    }
    return shape(named: name, schema, depth: depth).nullable(isNullable)
  }

  private static func shape(named name: String, _ schema: JSONNode, depth: Int) -> ValueShape {
    switch name {
    case "string": return .string
    case "integer": return .integer
    case "number": return .number
    case "boolean": return .boolean
    case "array": return .list(schema["items"].map { shape($0, depth: depth + 1) } ?? .present)
    case "object":
      let required = Set(schema["required"]?.elements.compactMap(\.string) ?? [])
      var members = ShapeMembers()
      if let properties = schema["properties"] {
        for member in properties.members {
          members[member.name] =
            shape(member.value, depth: depth + 1).absent(!required.contains(member.name))
        }
      }
      for name in required where members[name] == nil { members[name] = .present }
      return .object(members, isOpen: true)
    default: return .present
    }
  }
}
