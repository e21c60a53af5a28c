internal import JSONText

/// JSON Merge Patch, RFC 7396.
enum MergePatch {
  /// `target` with `patch` applied: members of objects are merged at any depth, null removes a
  /// member, anything else replaces.
  ///
  /// Members keep the target's order; new ones follow in the patch's. Of a name that stands twice
  /// in one object the first counts. Linear in the members.
  static func apply(_ patch: JSONNode, to target: JSONNode) -> JSONNode {
    guard patch.kind == .object else { return patch }
    var writer = JSONWriter(style: .compact)
    write(patch, over: target, to: &writer)
    return writer.document().root
  }

  private static func write(
    _ patch: JSONNode, over target: JSONNode?, to writer: inout JSONWriter
  ) {
    guard patch.kind == .object else {
      writer.value(patch)
      return
    }
    // Names differ by Unicode scalars; Swift's strings compare by canonical equivalence.
    let changes = Dictionary(
      patch.members.map { (Array($0.name.utf8), $0.value) }, uniquingKeysWith: { first, _ in first }
    )
    var written: Set<[UInt8]> = []
    writer.beginObject()
    for member in target.map({ Array($0.members) }) ?? [] {
      guard written.insert(Array(member.name.utf8)).inserted else { continue }
      guard let change = changes[Array(member.name.utf8)] else {
        writer.name(member.name)
        writer.value(member.value)
        continue
      }
      guard !change.isNull else { continue }
      writer.name(member.name)
      write(change, over: member.value, to: &writer)
    }
    for member in patch.members where !member.value.isNull {
      guard written.insert(Array(member.name.utf8)).inserted else { continue }
      writer.name(member.name)
      write(member.value, over: nil, to: &writer)
    }
    writer.endObject()
  }
}
