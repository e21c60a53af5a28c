import PipelineByteText
import PipelineJSONText
import PipelineSourceText

extension LanguageAliases.Advice {
  /// The edit that writes another tool's key as it is written here: a suggestion, since the value may
  /// have to change as well. `nil` if that takes more than the value, or if the key is there already.
  ///
  /// - Parameter taken: The keys that other unknown keys of the object are meant for.
  func fix(
    of member: JSONMember, in object: JSONNode, besides taken: [String: JSONMember]
  ) -> DiagnosticFix? {
    if isRemoval {
      guard let edit = object.removing(member) else { return nil }
      return DiagnosticFix(message: "remove it", edits: [edit], isSafe: false)
    }
    if isComment, shape == nil {
      return .replacing(member.nameRange, with: "\"x-\(member.name)\"", isSafe: false)
    }
    guard let key = isComment ? "$comment" : key, let shape, taken[key] == nil,
      let value = Self.filled(shape, member)
    else { return nil }
    if let owner = object[key] { return addition(of: value, to: owner, from: member, in: object) }
    let text = "\"\(key)\": \(value)"
    return DiagnosticFix(
      message: "write '\(key)'",
      edits: [
        DiagnosticFix.Edit(
          range: member.nameRange.lowerBound..<member.value.range.upperBound, replacement: text)
      ], isSafe: false)
  }

  /// The advice with a number that was given in its place.
  func text(for member: JSONMember) -> String {
    let start = "write '\(key ?? "")'"
    if shape == "…+1", member.value.kind != .object, text.hasPrefix(bytes: start),
      let value = Self.filled("…+1", member)
    {
      return start + ": \(value)" + text.dropFirst(bytes: start.utf8.count)
    }
    guard member.value.kind == .number, let shape, shape != "…", text.contains(bytes: shape),
      let value = Self.filled(shape, member)
    else { return text }
    return text.replacing(bytes: shape, with: value)
  }

  /// The edit that moves the member into an object beside it, which does not have the key yet.
  private func addition(
    of value: String, to owner: JSONNode, from member: JSONMember, in object: JSONNode
  ) -> DiagnosticFix? {
    guard value.hasPrefix(bytes: "{\""), owner.kind == .object, let edit = object.removing(member),
      let last = Array(owner.members).last,
      edit.range.upperBound <= owner.range.lowerBound
        || edit.range.lowerBound >= owner.range.upperBound
    else { return nil }
    let inner = value.dropFirst(bytes: 1).dropLast(bytes: 1)
    let name = inner.dropFirst(bytes: 1).prefix(before: "\"")
    guard owner[String(name)] == nil else { return nil }
    let end = last.value.range.upperBound
    let insertion = DiagnosticFix.Edit(range: end..<end, replacement: ", " + inner)
    return DiagnosticFix(
      message: "move it into '\(key ?? "")'", edits: [edit, insertion], isSafe: false)
  }

  /// A shape with the value of the member for its `…`, or one more for `…+1`, and its name for `@`.
  /// `nil` if the value does not fit.
  private static func filled(_ shape: String, _ member: JSONMember) -> String? {
    let value = member.value
    let named = shape.replacing(bytes: "@", with: member.name)
    let scalars = named.unicodeScalars
    guard let mark = scalars.firstIndex(where: { $0 == "…" }) else {
      // A fix that only means yes is written for a yes.
      return named == "1" || value.boolean == true ? named : nil
    }
    let (head, tail) = (String(scalars[..<mark]), String(scalars[scalars.index(after: mark)...]))
    if tail == "+1" {
      let count = value.number?.int ?? value.string.flatMap(Int.init)
      if let count, count < Int.max { return head + "\(count + 1)" }
      return value.kind == .object ? head + value.text : nil
    }
    if head.utf8.count(where: { $0 == UInt8(ascii: "\"") }) % 2 == 0 {
      return value.isNull ? nil : head + value.text + tail
    }
    if value.kind == .number { return head + value.text + tail }
    guard value.kind == .string else { return nil }
    let text = String(value.text.dropFirst().dropLast())
    // A text that has the method already keeps it.
    let word = text.prefix(before: " ")
    let isWhole = head == "\"GET " && word.utf8.allSatisfy { (0x41...0x5A).contains($0) }
    return isWhole && !word.isEmpty ? value.text : head + text + tail
  }
}
