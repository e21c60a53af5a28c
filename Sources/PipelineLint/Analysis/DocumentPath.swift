import PipelineJSONText
import PipelineLanguage

/// The path from the root of a workflow file to one of its bytes, with the language's description
/// of each value on it.
struct DocumentPath {
  /// The innermost value that contains the byte, or ends just before it.
  private(set) var node: JSONNode
  /// The language's rule for that place.
  private(set) var type: LanguageType?
  /// The member whose name contains the byte.
  private(set) var member: JSONMember?
  /// The key whose value the way went through last.
  private(set) var key: String?

  /// - Parameter root: The kind of file.
  init(_ document: JSONDocument, to offset: Int, root: LanguageObject.Kind = .file) {
    node = document.root
    // A base file has the same keys, except some. A file that has no steps yet may become either.
    type = .object(root)
    while descend(to: offset) {}
  }

  /// The object of the language that `node` is.
  var kind: LanguageObject.Kind? { Self.kind(of: node, type) }

  /// Goes one value further in; `false` if there is none.
  private mutating func descend(to offset: Int) -> Bool {
    switch node.kind {
    case .object:
      for member in node.members {
        if Self.holds(member.nameRange, offset) {
          self.member = member
          return false
        }
        guard Self.holds(member.value.range, offset) else { continue }
        key = member.name
        type = kind.map { $0.object[member.name]?.type } ?? Self.valueType(of: type)
        node = member.value
        return true
      }
      return false
    case .array:
      guard let element = node.elements.first(where: { Self.holds($0.range, offset) }) else {
        return false
      }
      type = Self.elementType(of: type)
      node = element
      return true
    case .string, .number, .boolean, .null: return false
    }
  }

  private static func holds(_ range: Range<Int>, _ offset: Int) -> Bool {
    range.lowerBound <= offset && offset <= range.upperBound && !range.isEmpty
  }

  private static func kind(of node: JSONNode, _ type: LanguageType?) -> LanguageObject.Kind? {
    switch type {
    case .object(let kind): return kind
    case .either(let types):
      let kinds = types.compactMap { Self.kind(of: node, $0) }
      // In a place for data, an object is one of the language only if it says so.
      guard types.contains(.data) || types.contains(.json) else { return kinds.first }
      return node["value"] == nil ? nil : kinds.first
    default: return nil
    }
  }

  /// The type of the values of a map.
  private static func valueType(of type: LanguageType?) -> LanguageType? {
    switch type {
    case .map(let value): value
    case .data, .form: .data
    case .either(let types): types.lazy.compactMap { valueType(of: $0) }.first
    default: nil
    }
  }

  private static func elementType(of type: LanguageType?) -> LanguageType? {
    switch type {
    case .list(let element), .several(let element): element
    case .data, .form: .data
    case .either(let types): types.lazy.compactMap { elementType(of: $0) }.first
    default: nil
    }
  }
}
