internal import PipelineJSONText

extension JSONNode? {
  /// The elements of a list; none if there is no list.
  var items: [JSONNode] { map { Array($0.elements) } ?? [] }
}
