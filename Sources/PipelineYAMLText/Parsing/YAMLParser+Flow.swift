// Flow nodes (YAML 1.2.2 §7).

extension YAMLParser {
  /// An alias, scalar or flow collection. Returns whether it is written as in JSON, so that its value
  /// may follow `:` without a space.
  mutating func flowContent(
    _ properties: YAMLProperties, parent: Int, inFlow: Bool
  ) throws(YAMLProblem) -> Bool {
    switch at(position) {
    case UInt8(ascii: "*"):
      try alias(properties)
      return false
    case UInt8(ascii: "\""):
      try doubleQuoted(properties, parent: parent)
    case UInt8(ascii: "'"):
      try singleQuoted(properties, parent: parent)
    case UInt8(ascii: "["):
      try flowSequence(properties, parent: parent)
    case UInt8(ascii: "{"):
      try flowMapping(properties, parent: parent)
    default:
      try plain(properties, parent: parent, inFlow: inFlow)
      return false
    }
    return true
  }

  private mutating func flowSequence(
    _ properties: YAMLProperties, parent: Int
  ) throws(YAMLProblem) {
    try flowCollection(.sequenceStart, .sequenceEnd, UInt8(ascii: "]"), properties, parent) {
      (parser) throws(YAMLProblem) in try parser.flowSequenceEntry(parent: parent)
    }
  }

  private mutating func flowMapping(
    _ properties: YAMLProperties, parent: Int
  ) throws(YAMLProblem) {
    try flowCollection(.mappingStart, .mappingEnd, UInt8(ascii: "}"), properties, parent) {
      (parser) throws(YAMLProblem) in
      if parser.isAtFlowIndicator(UInt8(ascii: "?")) {
        try parser.explicitFlowPair(parent: parent)
      } else {
        let isJSON = try parser.flowKey(parent: parent)
        try parser.flowGap(parent: parent)
        try parser.flowValue(afterJSON: isJSON, parent: parent)
      }
    }
  }

  /// The entries between brackets, apart from each other by commas.
  private mutating func flowCollection(
    _ start: YAMLEvent.Kind, _ end: YAMLEvent.Kind, _ closing: UInt8,
    _ properties: YAMLProperties, _ parent: Int,
    _ entry: (inout YAMLParser) throws(YAMLProblem) -> Void
  ) throws(YAMLProblem) {
    try descend()
    let opening = position
    position += 1
    let index = events.count
    append(start, .flow, from: opening, properties)
    while true {
      try flowGap(parent: parent)
      if at(position) == closing { break }
      if at(position) == UInt8(ascii: ",") { throw problem("a value is missing before ','") }
      try entry(&self)
      try flowGap(parent: parent)
      if at(position) == closing { break }
      guard at(position) == UInt8(ascii: ",") else {
        let name = String(UnicodeScalar(closing))
        throw problem("',' or '\(name)' is missing here")
      }
      position += 1
    }
    position += 1
    events[index].end = UInt32(truncatingIfNeeded: position)
    append(end, .flow, from: position - 1)
    depth -= 1
  }

  /// A value, or a single pair (§7.4.1), which is a mapping.
  private mutating func flowSequenceEntry(parent: Int) throws(YAMLProblem) {
    let index = events.count
    let start = position
    let line = lineStart
    if isAtFlowIndicator(UInt8(ascii: "?")) {
      append(.mappingStart, .flow, from: start)
      try explicitFlowPair(parent: parent)
    } else {
      let isJSON = try flowKey(parent: parent)
      try flowGap(parent: parent)
      guard isAtFlowColon(afterJSON: isJSON) else { return }
      guard lineStart == line, position - start <= 1024 else {
        throw problem("the key of a single pair ends on the line it begins; join the lines")
      }
      events.insert(YAMLEvent(.mappingStart, .flow, start..<start), at: index)
      try flowValue(afterJSON: isJSON, parent: parent)
    }
    append(.mappingEnd, .flow, from: position)
  }

  private mutating func explicitFlowPair(parent: Int) throws(YAMLProblem) {
    position += 1
    try flowGap(parent: parent)
    let isJSON = try flowKey(parent: parent)
    try flowGap(parent: parent)
    try flowValue(afterJSON: isJSON, parent: parent)
  }

  /// A key with its properties. It may be empty if `:` or the end of the entry follows.
  private mutating func flowKey(parent: Int) throws(YAMLProblem) -> Bool {
    var properties = YAMLProperties()
    let start = position
    while isAtProperty {
      try property(into: &properties, inFlow: true)
      try flowGap(parent: parent)
    }
    if isAtFlowColon(afterJSON: false) || isAtEntryEnd {
      appendEmpty(at: start, properties)
      return false
    }
    return try flowContent(properties, parent: parent, inFlow: true)
  }

  private mutating func flowValue(afterJSON: Bool, parent: Int) throws(YAMLProblem) {
    guard isAtFlowColon(afterJSON: afterJSON) else { return appendEmpty(at: position) }
    position += 1
    let end = position
    try flowGap(parent: parent)
    if isAtEntryEnd { return appendEmpty(at: end) }
    _ = try flowKeylessNode(parent: parent)
  }

  private mutating func flowKeylessNode(parent: Int) throws(YAMLProblem) -> Bool {
    var properties = YAMLProperties()
    let start = position
    while isAtProperty {
      try property(into: &properties, inFlow: true)
      try flowGap(parent: parent)
    }
    if isAtEntryEnd {
      appendEmpty(at: start, properties)
      return false
    }
    return try flowContent(properties, parent: parent, inFlow: true)
  }

  private var isAtEntryEnd: Bool {
    let byte = at(position)
    return byte == UInt8(ascii: ",") || byte == UInt8(ascii: "]") || byte == UInt8(ascii: "}")
  }

  private func isAtFlowIndicator(_ byte: UInt8) -> Bool {
    at(position) == byte
      && (isSpaceOrEnd(at(position + 1)) || isFlowIndicator(at(position + 1)))
  }

  private func isAtFlowColon(afterJSON: Bool) -> Bool {
    at(position) == UInt8(ascii: ":") && (afterJSON || isAtFlowIndicator(UInt8(ascii: ":")))
  }

  /// Skips a gap inside brackets. Lines in it are indented further than the collection around.
  private mutating func flowGap(parent: Int) throws(YAMLProblem) {
    let line = lineStart
    _ = skipGap()
    if isAtEnd { throw problem("a closing bracket is missing at the end of the text") }
    guard lineStart != line else { return }
    if isAtAnyMarker { throw problem("a closing bracket is missing before this marker") }
    if indentation <= parent {
      throw problem("a line inside brackets is indented further than the key before them")
    }
  }
}
