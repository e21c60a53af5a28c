package import PipelineJSONText
package import PipelineSourceText

extension JSONNode {
  /// The edit that gives a member to the object that is the value of a key of this object, which is
  /// written if it is missing; `nil` if the value is no object.
  package func adding(_ key: String, _ member: String) -> DiagnosticFix.Edit? {
    let start = range.lowerBound + 1
    guard let owner = self[key] else {
      let rest = count == 0 ? "" : ","
      return DiagnosticFix.Edit(
        range: start..<start, replacement: " \"\(key)\": { \(member) }\(rest)")
    }
    guard owner.kind == .object else { return nil }
    let place = owner.range.lowerBound + 1
    return DiagnosticFix.Edit(
      range: place..<place, replacement: " " + member + (owner.count == 0 ? " " : ","))
  }

  /// The edit that takes a member out of this object, with its comma.
  package func removing(_ member: JSONMember) -> DiagnosticFix.Edit? {
    let members = Array(self.members)
    guard let index = members.firstIndex(where: { $0.nameRange == member.nameRange }) else {
      return nil
    }
    let range: Range<Int>
    if index + 1 < members.count {
      range = member.nameRange.lowerBound..<members[index + 1].nameRange.lowerBound
    } else if index > 0 {
      range = members[index - 1].value.range.upperBound..<member.value.range.upperBound
    } else {
      range = member.nameRange.lowerBound..<member.value.range.upperBound
    }
    return DiagnosticFix.Edit(range: range, replacement: "")
  }
}
