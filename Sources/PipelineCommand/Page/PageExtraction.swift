internal import PipelineByteText
internal import PipelineJSONPaths
internal import PipelineJSONText
internal import PipelineRPC

/// The extractor for a value that a person points at: its queries, its name, and its place in the
/// text.
struct PageExtraction {
  let body: JSONNode
  let text: [UInt8]
  let root: JSONNode
  /// The step that is to extract the value; `nil` if the text does not have it.
  let step: JSONNode?

  /// The most places that are marked.
  private static let mostMarks = 2000
  /// The longest text of a value that is shown.
  private static let longest = 200

  /// - Parameter step: The path of the step.
  init(body: JSONNode, text: String, step: String) {
    self.body = body
    self.text = Array(text.utf8)
    root = JSONDocument.parseRecovering(self.text).document.root
    self.step = Self.step(step, in: root)
  }

  // MARK: The step

  private static func step(_ path: String, in root: JSONNode) -> JSONNode? {
    var owner = root
    var found: JSONNode?
    var rest = path.split(ascii: ".").map { String($0) }[...]
    while let name = rest.first {
      let inner = ["steps", "finally", "choose"].compactMap { owner[$0] }.flatMap {
        Array($0.elements)
      }
      // A branch has a number for a name.
      guard
        let next = inner.first(where: { $0["id"]?.string?.equals(bytes: name) ?? false })
          ?? (Int(name).flatMap { inner.indices.contains($0 - 1) ? inner[$0 - 1] : nil })
      else { return nil }
      found = next
      owner = next
      rest = rest.dropFirst()
    }
    return found
  }

  // MARK: What is proposed

  /// The queries that select the value at a path, with what each selects and the edit that writes it.
  ///
  /// - Parameter path: A normalized path (RFC 9535 §2.7).
  func proposals(for path: String) throws(RPCError) -> JSONValue {
    guard case .success(let query) = Query.parse(path) else {
      throw .invalidParameters("'\(path)' is not the path of a value")
    }
    let parts = query.segments
    var choices: [JSONValue] = []
    let single = Self.text(parts) { _ in false }
    let places = parts.indices.filter { Self.index(of: parts[$0]) != nil }
    let whole = Self.text(parts) { place in places.contains(place) }
    let last = Self.text(parts) { place in place == places.last }
    // With a position in the path the list is proposed, because a loop usually follows.
    for (text, kind) in [(whole, "all"), (last, "list"), (single, "one")] {
      let isNew = !choices.contains { $0.node["query"]?.string?.equals(bytes: text) ?? false }
      if isNew { choices.append(try choice(text, isList: kind != "one", parts)) }
    }
    let known = step?["extract"]?.members.filter { member in
      member.value.string.flatMap { try? Query.parse($0).get() }.map { query in
        query.located(in: QueryContext(body)).contains { $0.path.equals(bytes: path) }
      } ?? false
    }.map { JSONValue.string($0.name) }
    return ["choices": .array(choices), "known": .array(known ?? [])]
  }

  private func choice(
    _ query: String, isList: Bool, _ parts: [Segment]
  ) throws(RPCError) -> JSONValue {
    let name = freeName(parts, isList: isList)
    return [
      "query": .string(query), "name": .string(name), "isList": .boolean(isList),
      "finds": try finds(query),
    ]
  }

  /// What a query selects in the body: how many, where, and the first of it.
  func finds(_ text: String) throws(RPCError) -> JSONValue {
    switch Query.parse(text) {
    case .failure(let error): return ["error": .string(error.message)]
    case .success(let query):
      let found = query.located(in: QueryContext(body))
      return [
        "count": JSONValue(found.count),
        "paths": .array(found.prefix(Self.mostMarks).map { .string($0.path) }),
        "sample": .array(found.prefix(5).map { .string(Self.short($0.node.text)) }),
      ]
    }
  }

  private static func short(_ text: String) -> String {
    text.utf8.count <= longest
      ? text : String(decoding: text.utf8.prefix(longest), as: UTF8.self) + "…"
  }

  private static func index(of part: Segment) -> Int? {
    guard part.selectors.count == 1, case .index(let index) = part.selectors.first.kind else {
      return nil
    }
    return index
  }

  /// A query as people write it: `$.data[*].id`.
  private static func text(_ parts: [Segment], isEach: (Int) -> Bool) -> String {
    parts.indices.reduce("$") { text, place in
      if isEach(place) { return text + "[*]" }
      if let name = parts[place].name {
        let isPlain =
          !name.isEmpty && !(0x30...0x39).contains(name.utf8.first ?? 0)
          && name.utf8.allSatisfy {
            ASCIISet.letters.contains($0) || ASCIISet.digits.contains($0) || $0 == 0x5F
          }
        return text + (isPlain ? "." + name : "[" + NormalizedPath.quoted(name) + "]")
      }
      return text + "[\(index(of: parts[place]) ?? 0)]"
    }
  }

  /// A name for the value: its last name in the body, in the form that names have.
  private func freeName(_ parts: [Segment], isList: Bool) -> String {
    let last = parts.compactMap(\.name).last ?? "value"
    var bytes: [UInt8] = []
    for byte in last.utf8 {
      let isLetter = ASCIISet.letters.contains(byte) || byte == 0x5F
      if isLetter || (!bytes.isEmpty && ASCIISet.digits.contains(byte)) {
        bytes.append(byte)
      } else if !bytes.isEmpty, bytes.last != 0x5F {
        bytes.append(0x5F)
      }
    }
    while bytes.last == 0x5F { bytes.removeLast() }
    var name = bytes.isEmpty ? "value" : String(decoding: bytes, as: UTF8.self)
    if isList, parts.last?.name != nil, !name.hasSuffix(bytes: "s") { name += "s" }
    let taken = step?["extract"]
    if taken?[name] == nil { return name }
    return (2...99).lazy.map { "\(name)\($0)" }.first { taken?[$0] == nil } ?? name
  }

  // MARK: Writing it

  /// The text with the extractor, and the offset of its name in it.
  func writing(_ name: String, _ query: String) throws(RPCError) -> (text: [UInt8], place: Int) {
    guard let step else {
      throw .requestFailed("the text does not have the step any more")
    }
    guard step["extract"]?[name] == nil else {
      throw .requestFailed("the step has an extractor '\(name)'; choose another name")
    }
    if case .failure(let error) = Query.parse(query) { throw .requestFailed(error.message) }
    let member = "\(JSONValue.string(name).node.text): \(JSONValue.string(query).node.text)"
    let place: Int
    let written: String
    if let extract = step["extract"], extract.kind == .object {
      (place, written) = Self.adding(member, to: extract, text)
    } else if step["extract"] != nil {
      throw .requestFailed("'extract' of the step is not an object")
    } else {
      (place, written) = Self.adding("\"extract\": { \(member) }", to: step, text)
    }
    let bytes = Array(text[..<place]) + Array(written.utf8) + Array(text[place...])
    let offset = written.firstRange(bytes: member)?.lowerBound
    return (
      bytes, place + (offset.map { written.utf8.distance(from: written.startIndex, to: $0) } ?? 0)
    )
  }

  /// Where a member becomes the last of an object, and how it is written there: on a line of its own
  /// if the one before has one.
  private static func adding(
    _ member: String, to object: JSONNode, _ text: [UInt8]
  ) -> (Int, String) {
    var last: JSONMember?
    for member in object.members { last = member }
    guard let last else {
      return (object.range.lowerBound + 1, " \(member) ")
    }
    let place = last.value.range.upperBound
    let before = text[..<last.nameRange.lowerBound]
    let line = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    let isAlone =
      line > 0 && before[line...].allSatisfy { $0 == 0x20 || $0 == 0x09 }
      && line > object.range.lowerBound
    guard isAlone else { return (place, ", \(member)") }
    return (place, ",\n" + String(decoding: before[line...], as: UTF8.self) + member)
  }

  /// What the extractors of the step find in the body, by their names.
  func extractors() throws(RPCError) -> JSONValue {
    var found: [JSONValue] = []
    for member in step?["extract"].map({ Array($0.members) }) ?? [] {
      guard let query = member.value.string, query.hasPrefix(bytes: "$") else { continue }
      found.append(
        ["name": .string(member.name), "query": .string(query), "finds": try finds(query)])
    }
    return .array(found)
  }
}
