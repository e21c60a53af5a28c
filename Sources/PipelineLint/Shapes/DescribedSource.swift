import PipelineByteText
import PipelineJSONPaths
import PipelineOpenAPI
import PipelineSourceText
import PipelineTemplates
import Synchronization

/// What the description of an API says of a part of a response.
///
/// A schema is read when its value is needed, and only one level deep. So a schema that contains
/// itself costs only as much as the path that is followed.
final class DescribedSource: ShapeSource {
  /// The step whose response it is a part of.
  let step: Int
  /// The way to it from the body of the response.
  let path: [BodyStep]
  private let find: @Sendable () -> SchemaShape
  /// The type that the value has here, if it may have several.
  private let type: String?
  private let known = Mutex<(schema: SchemaShape, content: ValueShape.Content)?>(nil)

  /// A step on the way from a body to a part of it.
  enum BodyStep: Sendable, Equatable {
    case segment(Segment)
    case member(String)
    /// To each element of a list.
    case elements
  }

  init(
    step: Int, path: [BodyStep] = [], as type: String? = nil,
    _ find: @escaping @Sendable () -> SchemaShape
  ) {
    self.step = step
    self.path = path
    self.type = type
    self.find = find
  }

  /// The schemas that the value has one of.
  var schema: SchemaShape { facts.schema }
  var content: ValueShape.Content { facts.content }
  var detail: String? { schema.words ?? "any JSON" }

  func lacks(_ name: String) -> Bool { schema.member(name).shape.isEmpty }

  func isSame(as other: any ShapeSource) -> Bool {
    if self === other { return true }
    guard let other = other as? DescribedSource else { return false }
    return step == other.step && type == other.type && path == other.path
  }

  /// The same value, reached by another way.
  func reached(by path: [BodyStep]) -> DescribedSource {
    DescribedSource(step: step, path: path, as: type) { self.schema }
  }

  private var facts: (schema: SchemaShape, content: ValueShape.Content) {
    if let facts = known.withLock({ $0 }) { return facts }
    let schema = find()
    let facts = (schema, content(of: schema))
    known.withLock { $0 = facts }
    return facts
  }

  private func content(of schema: SchemaShape) -> ValueShape.Content {
    if let type { return content(as: type, schema) }
    guard !schema.isUnknown, !schema.isEmpty else { return .unknown }
    // A schema that names no type may still list members.
    var types = schema.types ?? ["array", "boolean", "number", "object", "string"]
    if types.contains("number") { types.remove("integer") }
    guard types.count > 1 else { return types.first.map { content(as: $0, schema) } ?? .null }
    return .choice(
      types.sorted().map { type in
        let source = DescribedSource(step: step, path: path, as: type) {
          schema.branches(for: type)
        }
        return ValueShape(source).absentNever
      })
  }

  private func content(as type: String, _ schema: SchemaShape) -> ValueShape.Content {
    switch type {
    case "string": return .string
    case "integer": return .integer
    case "number": return .number
    case "boolean": return .boolean
    case "array":
      return .list(part(.elements) { schema.children(listsOnly: true).shape }.absentNever)
    case "object":
      let members = ShapeMembers(
        schema.properties.lazy.map { property in
          (property.name, self.part(.member(property.name)) { schema.member(property.name).shape })
        })
      let others = schema.otherMembers
      return .object(members, isOpen: !(others.shape.isEmpty && others.isRuledOut))
    default: return .unknown
    }
  }

  private func part(
    _ step: BodyStep, _ find: @escaping @Sendable () -> SchemaShape
  ) -> ValueShape {
    ValueShape(DescribedSource(step: self.step, path: path + [step], find))
  }
}

extension ValueShape {
  /// The description that says what is known; `nil` if none does, or not alone.
  var described: DescribedSource? { source?.basis as? DescribedSource }

  /// Where it is described, for a finding.
  var related: [Diagnostic.Related] {
    described?.schema.node.map { [$0.related("the value is described here")] } ?? []
  }

  /// The same value, reached by a query of the body.
  func reached(by query: Query) -> ValueShape {
    let path = query.segments.map { DescribedSource.BodyStep.segment($0) }
    if case .list(let element) = content, source == nil {
      var shape = self
      shape.content = .list(element.reached(by: query))
      return shape
    }
    guard let described = source as? DescribedSource else { return self }
    var shape = ValueShape(described.reached(by: path))
    (shape.maybeAbsent, shape.maybeNull) = (maybeAbsent, maybeNull)
    (shape.isSecret, shape.maybeList) = (isSecret, maybeList)
    return shape
  }
}
