internal import PipelineJSONPaths
internal import PipelineJSONText
internal import PipelineSourceText

/// The place where a query left the body before it selects several nodes: the first segment that
/// selects nothing, and what exists instead.
struct MissingNode {
  /// The segment's place in the query's text.
  let segmentRange: Range<Int>?
  /// `; did you mean …`, or empty.
  let proposal: String
  let hints: [String]
  /// Whether the query is likely wrong: a similar name is there, or a value that has no members and
  /// is no way to leave an object out.
  let isLikelyWrong: Bool

  init(query: Query, root: JSONNode) {
    var node = root
    for segment in query.segments.prefix(while: { $0.reach == .child && $0.selectors.count == 1 }) {
      switch segment.selectors.first.kind {
      case .name(let name):
        if let next = node[name.text] {
          node = next
          continue
        }
        segmentRange = segment.range
        guard node.kind == .object else {
          proposal = ": there is \(node.kind.article), which has no members"
          hints = node.kind == .array ? ["a list's elements are selected with [*] or [0]"] : []
          isLikelyWrong = !node.isEmptyValue
          return
        }
        let names = Self.nearest(to: name.text, among: node.members.map(\.name))
        proposal = Spelling.didYouMean(name.text, among: names)
        isLikelyWrong = !proposal.isEmpty
        let shown = names.prefix(12).joined(separator: ", ")
        hints = [
          names.isEmpty
            ? "the object there is empty"
            : "there is: " + shown + (names.count > 12 ? ", … (\(names.count) in all)" : "")
        ]
        return
      case .index(let index):
        if let next = node[index < 0 ? node.count + index : index] {
          node = next
          continue
        }
        segmentRange = segment.range
        proposal =
          node.kind == .array
          ? ": the list there has \(node.count) element\(node.count == 1 ? "" : "s")"
          : ": there is \(node.kind.article), which has no elements"
        hints = []
        isLikelyWrong = false
        return
      case .key:
        segmentRange = segment.range
        proposal = ""
        hints = []
        isLikelyWrong = false
        return
      case .wildcard, .slice, .filter:
        segmentRange = nil
        proposal = ""
        hints = []
        isLikelyWrong = false
        return
      }
    }
    segmentRange = nil
    proposal = ""
    hints = []
    isLikelyWrong = false
  }

  /// The names, most similar to `name` first.
  private static func nearest(to name: String, among names: [String]) -> [String] {
    guard let best = Spelling.nearest(to: name, among: names) else { return names }
    return [best] + names.filter { $0 != best }
  }
}

extension JSONNode {
  /// Whether it is what APIs write if there is nothing: `null`, `false`, an empty text or list.
  var isEmptyValue: Bool {
    switch kind {
    case .null: true
    case .boolean: boolean == false
    case .string: string?.isEmpty == true
    case .array, .object: count == 0
    case .number: false
    }
  }
}

extension JSONKind {
  /// With an article, for messages.
  var article: String {
    switch self {
    case .object: "an object"
    case .array: "a list"
    case .string: "a text"
    case .number: "a number"
    case .boolean: "a boolean"
    case .null: "null"
    }
  }
}
