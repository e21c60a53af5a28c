// Anchors, tags and aliases (YAML 1.2.2 §6.9, §7.1).

extension YAMLParser {
  var isAtProperty: Bool {
    at(position) == UInt8(ascii: "&") || at(position) == UInt8(ascii: "!")
  }

  /// Reads one anchor or tag into `properties`.
  mutating func property(
    into properties: inout YAMLProperties, inFlow: Bool
  ) throws(YAMLProblem) {
    if at(position) == UInt8(ascii: "&") {
      guard properties.anchor == nil else { throw problem("a value has one anchor; remove this") }
      properties.anchor = try name()
    } else {
      guard properties.tag == 0 else { throw problem("a value has one tag; remove this") }
      properties.tag = try tag()
    }
    guard isSpaceOrEnd(at(position)) || inFlow && isFlowIndicator(at(position)) else {
      throw problem("a space is missing after the tag")
    }
  }

  /// The name after `&` or `*`.
  private mutating func name() throws(YAMLProblem) -> Range<Int> {
    position += 1
    let start = position
    while !isSpaceOrEnd(at(position)), !isFlowIndicator(at(position)) { position += 1 }
    guard position > start else { throw problem("a name is missing after '&' or '*'") }
    return start..<position
  }

  /// An alias. Whether its anchor exists is for the composer to judge.
  mutating func alias(_ properties: YAMLProperties) throws(YAMLProblem) {
    guard properties.isEmpty else {
      throw problem("an alias cannot have an anchor or a tag; remove one")
    }
    let start = position
    let name = try name()
    append(.alias, .plain, from: start)
    events[events.count - 1].content = name
  }

  private mutating func tag() throws(YAMLProblem) -> UInt16 {
    let start = position
    position += 1
    var resolved: String
    if at(position) == UInt8(ascii: "<") {
      let inner = position + 1
      while at(position) != UInt8(ascii: ">") {
        guard !isSpaceOrEnd(at(position)) else { throw problem("'>' is missing after the tag") }
        position += 1
      }
      resolved = String(decoding: input[inner..<position], as: UTF8.self)
      position += 1
    } else {
      var suffix = position
      while !isSpaceOrEnd(at(position)), !isFlowIndicator(at(position)) {
        position += 1
        if input[position - 1] == UInt8(ascii: "!"), suffix == start + 1 { suffix = position }
      }
      let handle = String(decoding: input[start..<suffix], as: UTF8.self)
      guard let prefix = handles[handle] else {
        throw YAMLProblem(
          "the tag handle '\(handle)' is not declared; add '%TAG \(handle) …'",
          range: start..<position)
      }
      let ending = Self.percentDecoded(input[suffix..<position])
      guard !ending.isEmpty || handle == "!" else {
        throw problem("a name is missing after '\(handle)'")
      }
      resolved = prefix + ending
    }
    if let known = tags.firstIndex(of: resolved) { return UInt16(known + 1) }
    guard tags.count < 1000 else { throw problem("the text uses more than 1000 tags") }
    tags.append(resolved)
    return UInt16(tags.count)
  }

  private static func percentDecoded(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> String {
    var decoded: [UInt8] = []
    var index = bytes.startIndex
    while index < bytes.endIndex {
      if bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.endIndex,
        let high = hexadecimal(bytes[index + 1]), let low = hexadecimal(bytes[index + 2])
      {
        decoded.append(UInt8(high << 4 | low))
        index += 3
      } else {
        decoded.append(bytes[index])
        index += 1
      }
    }
    return String(decoding: decoded, as: UTF8.self)
  }

  static func hexadecimal(_ byte: UInt8) -> UInt32? {
    switch byte {
    case 0x30...0x39: UInt32(byte - 0x30)
    case 0x41...0x46: UInt32(byte - 0x37)
    case 0x61...0x66: UInt32(byte - 0x57)
    default: nil
    }
  }
}
