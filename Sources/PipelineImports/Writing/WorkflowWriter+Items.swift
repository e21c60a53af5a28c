internal import PipelineByteText
internal import PipelineJSONText

extension WorkflowWriter {
  /// The items of a step: a query, or a form.
  mutating func items(_ items: ImportedRequest.Items) -> JSONValue {
    switch items {
    case .list(let name, let query), .inner(let name, let query):
      return .string(self.query(name, .body(query), end: ""))
    case .nested(let name, let query): return .string(self.query(name, .body(query), end: "[*]"))
    case .rows(let name, let source): return .string(self.query(name, source, end: nil))
    case .keys(let name, let path):
      guard let (step, place) = places.find(name, before: current) else { return "$" }
      let object = object(path, ofStep: step)
      let way = places.way(to: step, place, seenFrom: surroundings)
      return ["$entries": .string("{{\(way)\(object)}}")]
    }
  }

  /// The owner of the block from which the items are read: the one around the request's own block.
  private var surroundings: Int? {
    places.blocks[current].map(\.owner) ?? places.owner(of: current)
  }

  /// A query of values that a step extracts.
  ///
  /// - Parameter end: What follows the name of a list; `nil` if each row has one value.
  private mutating func query(_ name: String, _ source: ImportedSource, end: String?) -> String {
    guard let (step, place) = places.find(name, before: current) else { return "$" }
    let extractor = reading(source, ofStep: step, named: end == nil ? source.word : source.plural)
    let path =
      end?.isEmpty == true
      ? places.path(to: step, place, seenFrom: surroundings)
      : places.path(toAllOf: step, seenFrom: surroundings)
    return "$.\(path).\(extractor)" + (end ?? "")
  }
}
