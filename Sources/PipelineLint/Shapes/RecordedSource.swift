import PipelineByteText
import PipelineJSONText
import PipelineTemplates

/// What recorded answers have in one place. More may come, so no member is ruled out.
final class RecordedSource: ShapeSource {
  private let nodes: [JSONNode]
  private let known = LazyContent()

  /// The most values of one place that are looked at.
  private static let limit = 1_000

  init(_ nodes: [JSONNode]) { self.nodes = nodes }

  var content: ValueShape.Content { known.value { found } }

  var detail: String? {
    nodes.first { !$0.isNull }?.sample ?? "null"
  }

  var basis: (any ShapeSource)? { nil }

  private var found: ValueShape.Content {
    let byKind = Dictionary(grouping: nodes.filter { !$0.isNull }, by: \.kind)
    guard byKind.count > 1 else { return byKind.values.first.map(Self.content) ?? .unknown }
    let groups = byKind.sorted { $0.key.rawValue < $1.key.rawValue }
    return .choice(groups.map { ValueShape(RecordedSource($0.value)).absentNever })
  }

  /// The content of values of one kind.
  private static func content(of nodes: [JSONNode]) -> ValueShape.Content {
    switch nodes[0].kind {
    case .string: return .string
    case .number: return nodes.allSatisfy { $0.number?.isInteger == true } ? .integer : .number
    case .boolean: return .boolean
    case .null: return .null
    case .array:
      let elements = Array(nodes.lazy.flatMap(\.elements).prefix(limit))
      return .list(
        elements.isEmpty ? .present : ValueShape(RecordedSource(elements)).absentNever)
    case .object:
      var names: [String] = []
      var values: [ExactText: [JSONNode]] = [:]
      for member in nodes.lazy.flatMap(\.members).prefix(limit * 10) {
        let name = ExactText(member.name)
        if values[name] == nil { names.append(member.name) }
        values[name, default: []].append(member.value)
      }
      return .object(
        ShapeMembers(
          names.map { ($0, ValueShape(RecordedSource(values[ExactText($0)] ?? []))) }),
        isOpen: true)
    }
  }
}

/// What one source says, and another one where that says nothing.
final class RefinedSource: ShapeSource {
  private let one: ValueShape
  private let two: ValueShape
  private let known = LazyContent()

  init(_ one: ValueShape, _ two: ValueShape) {
    self.one = one
    self.two = two
  }

  var content: ValueShape.Content { known.value { Self.content(one, two) } }

  var detail: String? { one.source?.detail ?? two.source?.detail }
  var basis: (any ShapeSource)? { one.source?.basis ?? two.source?.basis }

  func isSame(as other: any ShapeSource) -> Bool {
    if self === other { return true }
    guard let other = other as? RefinedSource else { return false }
    return one == other.one && two == other.two
  }

  func lacks(_ name: String) -> Bool {
    guard one.source?.lacks(name) == true else { return false }
    return !two.members.contains { $0.name.equals(bytes: name) }
  }

  private static func content(_ one: ValueShape, _ two: ValueShape) -> ValueShape.Content {
    switch (one.content, two.content) {
    case (.unknown, let content), (let content, .unknown): return content
    case (.integer, .integer): return .integer
    case (.integer, .number), (.number, .integer), (.number, .number): return .number
    case (.list(let one), .list(let two)): return .list(one.refined(by: two))
    case (.object(let own, let isOpen), .object(let others, let isOtherOpen)):
      var members = own
      for (name, shape) in others.list {
        members[name] = own[name].map { $0.refined(by: shape) } ?? shape
      }
      return .object(members, isOpen: isOpen || isOtherOpen)
    case (.choice(let shapes), _):
      // One of several, as far as the other source knows.
      let fitting = shapes.filter { $0.contentKind == two.contentKind }
      return fitting.count == 1 ? fitting[0].refined(by: two).content : .unknown
    // Where they differ, one of them is wrong.
    default: return one.contentKind == two.contentKind ? one.content : .unknown
    }
  }
}

extension ValueShape {
  /// The same value. Where nothing is known of it, another shape of it counts.
  func refined(by other: ValueShape) -> ValueShape {
    var shape = ValueShape(RefinedSource(self, other))
    (shape.maybeAbsent, shape.maybeNull) = (maybeAbsent, maybeNull)
    (shape.isSecret, shape.maybeList) = (isSecret, maybeList)
    return shape
  }
}

extension JSONNode {
  /// The value as text for an editor, cut where it is long: `such as 12`.
  var sample: String {
    switch kind {
    case .object: return "an object with \(count) members"
    case .array: return "a list of \(count)"
    case .string, .number, .boolean, .null:
      let most = 60
      let text = text
      guard text.unicodeScalars.count > most else { return "such as \(text)" }
      return "such as " + String(String.UnicodeScalarView(text.unicodeScalars.prefix(most))) + "…"
    }
  }
}
