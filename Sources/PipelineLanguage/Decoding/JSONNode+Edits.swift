package import PipelineJSONText
package import PipelineSourceText

extension JSONNode {
  /// The edit that gives a member to the object that is the value of a key of this object, which is
  /// written if it is missing; `nil` if the value is not an object.
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

  /// The edit that gives this object a member: the value replaces the one that the key has, or the
  /// member follows the last one.
  package func setting(_ key: String, to value: String) -> DiagnosticFix.Edit? {
    guard kind == .object else { return nil }
    if let old = self[key] { return DiagnosticFix.Edit(range: old.range, replacement: value) }
    let member = "\"\(key)\": \(value)"
    guard let last = Array(members).last else {
      return DiagnosticFix.Edit(range: range, replacement: "{ \(member) }")
    }
    let end = last.value.range.upperBound
    let blank = document.blank(before: last.nameRange.lowerBound)
    return DiagnosticFix.Edit(range: end..<end, replacement: "," + blank + member)
  }

  /// The suggestion that gives this object a member.
  package func suggesting(_ key: String, _ value: String) -> DiagnosticFix? {
    .suggesting("write \"\(key)\": \(value)", [setting(key, to: value)])
  }

  /// The edit that takes a member out of the object that is the value of a key of this object. The
  /// key goes with its last member.
  package func removing(_ name: String, from key: String) -> DiagnosticFix.Edit? {
    guard let owner = self[key], let member = owner.members.first(where: { $0.name == name }) else {
      return nil
    }
    return owner.count > 1 ? owner.removing(member) : removing(key)
  }

  /// The edit that takes the member of a key out of this object.
  package func removing(_ key: String) -> DiagnosticFix.Edit? {
    members.first { $0.name == key }.flatMap { removing($0) }
  }

  /// The edit that takes an element out of this list, with its comma.
  package func removing(element: JSONNode) -> DiagnosticFix.Edit? {
    let elements = Array(self.elements)
    guard elements.count > 1, let index = elements.firstIndex(where: { $0.range == element.range })
    else { return nil }
    let range =
      index == 0
      ? element.range.lowerBound..<elements[1].range.lowerBound
      : elements[index - 1].range.upperBound..<element.range.upperBound
    return DiagnosticFix.Edit(range: range, replacement: "")
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

extension JSONDocument {
  /// The blanks and line breaks before a member, for another one of the same object.
  fileprivate func blank(before place: Int) -> String {
    guard bytes.indices.contains(place - 1) else { return " " }
    let blank = bytes[..<place].reversed().prefix { $0 == 0x20 || $0 == 0x09 || $0 == 0x0A }
    return blank.contains(0x0A) ? String(decoding: blank.reversed(), as: UTF8.self) : " "
  }
}
