internal import PipelineJSONText

extension JSONNode? {
  /// The elements of a list; none if there is no list.
  var items: [JSONNode] { map { Array($0.elements) } ?? [] }

  /// The members of an object; none if there is no object.
  var memberList: [JSONMember] { map { Array($0.members) } ?? [] }
}
