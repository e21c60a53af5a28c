internal import PipelineByteText
internal import PipelineJSONText
internal import PipelineURIs

/// The names in a file that references may have instead of paths: `$self`, `$id`, `$anchor` and
/// `$dynamicAnchor` (JSON Schema 2020-12 §8.2, OpenAPI 3.2 §4.1.2).
///
/// Made when the first reference needs it, because most files have none of them.
struct DescriptionIndex: Sendable {
  /// A part of the file with a URI of its own, which anchors and pointers in it begin at.
  struct Resource: Sendable {
    let node: JSONNode
    /// Without a fragment. Relative, if nothing around it has a URI.
    let base: String
  }

  struct Anchor: Sendable {
    let node: JSONNode
    let isDynamic: Bool
  }

  /// The first is the whole file. Inner ones come after those around them.
  private(set) var resources: [Resource]
  private var anchors: [AnchorName: Anchor] = [:]

  private struct AnchorName: Hashable {
    let resource: Int
    let name: String
  }

  /// - Complexity: O(values in the file).
  init(_ root: JSONNode) {
    resources = [Resource(node: root, base: root["$self"]?.string ?? "")]
    var waiting = [Place(node: root, resource: 0, isMap: false)]
    while let place = waiting.popLast() {
      switch place.node.kind {
      case .array:
        waiting += place.node.elements.map { place.inner($0, isMap: false) }
      case .object: add(place, to: &waiting)
      case .string, .number, .boolean, .null: continue
      }
    }
  }

  private struct Place {
    let node: JSONNode
    var resource: Int
    /// Whether the names of members are the author's.
    let isMap: Bool

    func inner(_ node: JSONNode, isMap: Bool) -> Place {
      Place(node: node, resource: resource, isMap: isMap)
    }
  }

  private mutating func add(_ place: Place, to waiting: inout [Place]) {
    var place = place
    if !place.isMap {
      if let id = place.node["$id"]?.string {
        let base = Self.resolved(String(id.prefix(before: "#")), resources[place.resource].base)
        resources.append(Resource(node: place.node, base: base))
        place.resource = resources.count - 1
      }
      for (keyword, isDynamic) in [("$anchor", false), ("$dynamicAnchor", true)] {
        guard let name = place.node[keyword]?.string else { continue }
        let key = AnchorName(resource: place.resource, name: name)
        if anchors[key] == nil { anchors[key] = Anchor(node: place.node, isDynamic: isDynamic) }
      }
    }
    for member in place.node.members where place.isMap || !Self.data.contains(member.name) {
      waiting.append(
        place.inner(member.value, isMap: !place.isMap && Self.maps.contains(member.name)))
    }
  }

  /// Keywords whose values are data and no schemas.
  private static let data: Set<String> = [
    "example", "examples", "default", "enum", "const", "value", "dataValue",
  ]
  /// Keywords whose values have members with any names.
  private static let maps: Set<String> = [
    "properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "schemas",
    "responses", "parameters", "requestBodies", "headers", "securitySchemes", "links", "callbacks",
    "pathItems", "mediaTypes", "paths", "webhooks", "content", "encoding",
  ]

  /// The innermost resource that a value is in.
  func resource(around node: JSONNode) -> Int {
    let place = node.range.lowerBound
    return resources.lastIndex { $0.node.range.contains(place) } ?? 0
  }

  func resource(named uri: String) -> Int? {
    resources.firstIndex { !$0.base.isEmpty && $0.base.equals(bytes: uri) }
  }

  func anchor(_ name: String, in resource: Int) -> Anchor? {
    anchors[AnchorName(resource: resource, name: name)]
  }

  /// How many dynamic anchors of this name there are.
  func dynamicCount(of name: String) -> Int {
    anchors.count { $0.key.name == name && $0.value.isDynamic }
  }

  /// A reference without its fragment, resolved against a base.
  static func resolved(_ reference: String, _ base: String) -> String {
    URI.parse(base)?.resolving(reference)?.description ?? reference
  }
}
