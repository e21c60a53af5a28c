internal import PipelineJSONText

/// JSON Merge Patch, RFC 7396.
enum MergePatch {
  /// The first of `values`, with all others applied one after the other; `nil` if there is none.
  ///
  /// Linear in the members of all.
  static func merged(_ values: [JSONNode]) -> JSONNode? {
    guard let first = values.first else { return nil }
    // The result of two values can be written at once.
    guard values.count > 2 else {
      return values.dropFirst().first.map { apply($0, to: first) } ?? first
    }
    var merged = MergedValue.node(first)
    for patch in values.dropFirst() { merged.apply(patch) }
    if case .node(let node) = merged { return node }
    var writer = JSONWriter(style: .compact)
    merged.write(to: &writer)
    return writer.document().root
  }

  /// `target` with `patch` applied: members of objects are merged at any depth, null removes a
  /// member, anything else replaces.
  ///
  /// Members keep the target's order. New ones follow in the patch's. Of a duplicate name in one
  /// object, the first counts. Linear in the members.
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
    // Names differ by Unicode scalars, but Swift's strings compare by canonical equivalence.
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

/// A value that patches are applied to, one after another.
private enum MergedValue {
  case node(JSONNode)
  case object(MergedObject)

  mutating func apply(_ patch: JSONNode) {
    guard patch.kind == .object else {
      self = .node(patch)
      return
    }
    switch self {
    case .object(let object): object.apply(patch)
    case .node(let node):
      let object = MergedObject(node)
      object.apply(patch)
      self = .object(object)
    }
  }

  func write(to writer: inout JSONWriter) {
    switch self {
    case .node(let node): writer.value(node)
    case .object(let object): object.write(to: &writer)
    }
  }
}

/// An object that patches are applied to: by reference, so that each touches only what it changes.
private final class MergedObject {
  /// In their order; `nil` if one was removed.
  private var members: [(name: String, value: MergedValue)?] = []
  /// Names differ by Unicode scalars, but Swift's strings compare by canonical equivalence.
  private var places: [[UInt8]: Int] = [:]

  /// - Parameter node: A node that is not an object has no members.
  init(_ node: JSONNode) {
    for member in node.members where places[Array(member.name.utf8)] == nil {
      add(member.name, .node(member.value))
    }
  }

  private func add(_ name: String, _ value: MergedValue) {
    places[Array(name.utf8)] = members.count
    members.append((name, value))
  }

  func apply(_ patch: JSONNode) {
    var seen: Set<[UInt8]> = []
    for change in patch.members {
      let name = Array(change.name.utf8)
      guard seen.insert(name).inserted else { continue }
      if change.value.isNull {
        if let place = places.removeValue(forKey: name) { members[place] = nil }
      } else if let place = places[name] {
        members[place]?.value.apply(change.value)
      } else {
        var value = MergedValue.node(change.value)
        // Nulls in a new value remove nothing, and are left out.
        if change.value.kind == .object {
          let object = MergedObject(members: [])
          object.apply(change.value)
          value = .object(object)
        }
        add(change.name, value)
      }
    }
  }

  private init(members: [(name: String, value: MergedValue)?]) {
    self.members = members
  }

  func write(to writer: inout JSONWriter) {
    writer.beginObject()
    for member in members {
      guard let member else { continue }
      writer.name(member.name)
      member.value.write(to: &writer)
    }
    writer.endObject()
  }
}
