import PipelineJSONText
import PipelineLanguage

// Bytes changed at random are hardly ever JSON. So every other change is one of the JSON itself: a
// value takes another's place, a key of the language comes in, a member goes.

@_silgen_name("LLVMFuzzerMutate")
private func mutateBytes(_ data: UnsafeMutablePointer<UInt8>, _ count: Int, _ room: Int) -> Int

/// What libFuzzer calls to change an input.
@_cdecl("LLVMFuzzerCustomMutator")
public func mutate(
  _ data: UnsafeMutablePointer<UInt8>, _ count: Int, _ room: Int, _ seed: CUnsignedInt
) -> Int {
  let bytes = Array(UnsafeBufferPointer(start: data, count: count))
  var chance = Chance(state: UInt64(seed))
  guard chance.below(3) > 0, let document = try? JSONDocument.parse(bytes),
    let changed = change(document, &chance), changed.count <= room
  else { return mutateBytes(data, count, room) }
  data.update(from: changed, count: changed.count)
  return changed.count
}

/// A small generator (SplitMix64), so that a seed always makes the same change.
private struct Chance {
  var state: UInt64

  mutating func below(_ limit: Int) -> Int {
    state &+= 0x9E37_79B9_7F4A_7C15
    var bits = state
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return Int((bits ^ (bits >> 31)) % UInt64(limit))
  }
}

/// Every key of the language with an example of its value, as a member's text.
private let members: [[UInt8]] = LanguageObject.Kind.allCases.flatMap { kind in
  kind.object.keys.map { Array("\"\($0.name)\": \($0.example)".utf8) }
}

private let values = [
  "null", "0", "-1", "1e99", #""""#, "[]", "{}", #""{{inputs.a}}""#, #""{{a.b}}""#, #""$.a[*].b""#,
  #""$.a..b[?@.c == 1]""#, #""GET https://h/{{a}}?b={{c}}""#, #""$.status == 200 && !$.a""#,
  #""called.json""#, #""base.json""#, #""fuzz.json""#, #""broken.json""#, #"{"$file": "x"}"#,
  #"{"$json": "{{a}}"}"#, #"{"from": 1, "to": 3}"#, #""300ms""#, "true",
].map { Array($0.utf8) }

private func change(_ document: JSONDocument, _ chance: inout Chance) -> [UInt8]? {
  let nodes = nodes(of: document.root)
  let node = nodes[chance.below(nodes.count)]
  switch chance.below(5) {
  case 0: return replaced(node, by: nodes[chance.below(nodes.count)].utf8)
  case 1: return replaced(node, by: values[chance.below(values.count)][...])
  case 2: return inserted(members[chance.below(members.count)][...], at: .object, node)
  case 3: return inserted(nodes[chance.below(nodes.count)].utf8, at: .array, node)
  default: return removed(node, chance.below(64))
  }
}

/// Every value of a document, in the order of the text.
private func nodes(of root: JSONNode) -> [JSONNode] {
  [root] + root.members.flatMap { nodes(of: $0.value) } + root.elements.flatMap { nodes(of: $0) }
}

private func replaced(_ node: JSONNode, by text: ArraySlice<UInt8>) -> [UInt8] {
  let bytes = node.document.bytes
  return Array(bytes[..<node.range.lowerBound] + text + bytes[node.range.upperBound...])
}

/// Puts a member or an element to the front of a container.
private func inserted(
  _ text: ArraySlice<UInt8>, at kind: JSONKind, _ node: JSONNode
) -> [UInt8]? {
  guard node.kind == kind else { return nil }
  let bytes = node.document.bytes
  let start = node.range.lowerBound + 1
  let comma: [UInt8] = node.count > 0 ? [0x2C, 0x20] : []
  return Array(bytes[..<start] + text + comma + bytes[start...])
}

/// Takes a member or an element out of a container.
private func removed(_ node: JSONNode, _ choice: Int) -> [UInt8]? {
  guard node.count > 0 else { return nil }
  let left = choice % node.count
  var parts: [ArraySlice<UInt8>] = []
  let document = node.document
  for (number, member) in node.members.enumerated() where number != left {
    parts.append(document.bytes[member.nameRange.lowerBound..<member.value.range.upperBound])
  }
  for (number, element) in node.elements.enumerated() where number != left {
    parts.append(element.utf8)
  }
  let inside = Array(parts.joined(separator: [0x2C, 0x20]))
  let whole = node.kind == .object ? [0x7B] + inside + [0x7D] : [0x5B] + inside + [0x5D]
  return replaced(node, by: whole[...])
}
