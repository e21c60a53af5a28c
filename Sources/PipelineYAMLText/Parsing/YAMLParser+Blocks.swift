// Block nodes, sequences and mappings (YAML 1.2.2 §8).

/// Where a block node is expected.
struct BlockSite {
  /// The indentation of the collection around the node; −1 for a document.
  let parent: Int
  /// Whether a collection may begin on the line of the indicator before it, as in `- - a`.
  let isCompact: Bool
  /// Whether a sequence may be indented like its mapping.
  let permitsSequenceAtParent: Bool
}

/// Properties in front of a block node. Those on the line of an implicit key belong to the key.
private struct BlockProperties {
  var outer = YAMLProperties()
  var inner = YAMLProperties()
  var innerStart: Int?
}

extension YAMLParser {
  /// A node, or nothing, which is an empty scalar.
  mutating func blockNode(_ site: BlockSite) throws(YAMLProblem) {
    let before = position
    var hasTab = skipGap()
    var canBegin = !hasTab && (site.isCompact || isFirstOnLine)
    if try isBlockNodeMissing(site) { return appendEmpty(at: before) }
    var properties = BlockProperties()
    while isAtProperty {
      if properties.innerStart == nil { properties.innerStart = position }
      try property(into: &properties.inner, inFlow: false)
      let end = position
      let line = lineStart
      hasTab = skipGap()
      guard lineStart != line || isAtEnd else { continue }
      properties.outer = try merged(properties.outer, properties.inner)
      properties.inner = YAMLProperties()
      properties.innerStart = nil
      canBegin = !hasTab
      if try isBlockNodeMissing(site) { return appendEmpty(at: end, properties.outer) }
    }
    try blockContent(site, properties, canBegin: canBegin)
  }

  private func merged(
    _ outer: YAMLProperties, _ inner: YAMLProperties
  ) throws(YAMLProblem) -> YAMLProperties {
    var merged = outer
    if let anchor = inner.anchor {
      guard outer.anchor == nil else { throw problem("a value has one anchor; remove one") }
      merged.anchor = anchor
    }
    if inner.tag != 0 {
      guard outer.tag == 0 else { throw problem("a value has one tag; remove one") }
      merged.tag = inner.tag
    }
    return merged
  }

  /// Whether what follows the gap no longer belongs to the collection around the site.
  private func isBlockNodeMissing(_ site: BlockSite) throws(YAMLProblem) -> Bool {
    if isAtEnd || isAtAnyMarker { return true }
    guard isFirstOnLine else { return false }
    let spaces = indentation
    if spaces > site.parent { return false }
    if spaces < column { throw problem("a tab cannot indent; use spaces") }
    if spaces == site.parent, site.permitsSequenceAtParent, isAtIndicator(UInt8(ascii: "-")) {
      return false
    }
    return true
  }

  private mutating func blockContent(
    _ site: BlockSite, _ properties: BlockProperties, canBegin: Bool
  ) throws(YAMLProblem) {
    let byte = at(position)
    if isAtIndicator(UInt8(ascii: "-")) || isAtIndicator(UInt8(ascii: "?")) {
      guard canBegin, properties.innerStart == nil else {
        throw problem(
          "a block collection cannot begin on this line; start a line, and indent it with spaces")
      }
      if byte == UInt8(ascii: "-") { return try blockSequence(properties.outer) }
      append(.mappingStart, .block, from: position, properties.outer)
      return try blockMapping(column: column, afterFirstKey: false)
    }
    if byte == UInt8(ascii: "|") || byte == UInt8(ascii: ">") {
      return try blockScalar(
        parent: site.parent, try merged(properties.outer, properties.inner))
    }
    let first = events.count
    let start = properties.innerStart ?? position
    let line = lineStart
    try flowContentOrEmptyKey(parent: site.parent, properties.inner)
    let end = position
    skipBlanks()
    if isAtIndicator(UInt8(ascii: ":")) {
      guard canBegin, lineStart == line, position - start <= 1024 else {
        throw problem(
          "a mapping cannot begin here; start a line, indent it, or put quotes around the text")
      }
      var mapping = YAMLEvent(.mappingStart, .block, start..<start)
      mapping.properties = properties.outer
      events.insert(mapping, at: first)
      return try blockMapping(column: start - lineStart, afterFirstKey: true)
    }
    position = end
    events[first].properties = try merged(properties.outer, properties.inner)
    if events[first].kind == .alias, !events[first].properties.isEmpty {
      throw problem("an alias cannot have an anchor or a tag; remove one")
    }
    try expectLineEnd()
  }

  /// The node of an implicit key or of a value on a line. A `:` has an empty key before it.
  private mutating func flowContentOrEmptyKey(
    parent: Int, _ properties: YAMLProperties
  ) throws(YAMLProblem) {
    if isAtIndicator(UInt8(ascii: ":")) {
      appendEmpty(at: position, properties)
    } else {
      _ = try flowContent(properties, parent: parent, inFlow: false)
    }
  }

  /// The entries of a sequence, from the first `-`.
  private mutating func blockSequence(_ properties: YAMLProperties) throws(YAMLProblem) {
    try descend()
    let own = column
    append(.sequenceStart, .block, from: position, properties)
    repeat {
      position += 1
      try blockNode(
        BlockSite(parent: own, isCompact: true, permitsSequenceAtParent: false))
    } while try isNextEntry(at: own) && isAtIndicator(UInt8(ascii: "-"))
    append(.sequenceEnd, .block, from: position)
    depth -= 1
  }

  /// The entries of a mapping whose start has been appended. `position` is at the first key, or at
  /// the `:` after it.
  private mutating func blockMapping(column own: Int, afterFirstKey: Bool) throws(YAMLProblem) {
    try descend()
    var afterKey = afterFirstKey
    repeat {
      if !afterKey, isAtIndicator(UInt8(ascii: "?")) {
        try explicitEntry(column: own)
      } else {
        if !afterKey { try implicitKey(column: own) }
        position += 1
        try blockNode(
          BlockSite(parent: own, isCompact: false, permitsSequenceAtParent: true))
      }
      afterKey = false
    } while try isNextEntry(at: own)
    append(.mappingEnd, .block, from: position)
    depth -= 1
  }

  private mutating func explicitEntry(column own: Int) throws(YAMLProblem) {
    let site = BlockSite(parent: own, isCompact: true, permitsSequenceAtParent: true)
    position += 1
    try blockNode(site)
    if try isNextEntry(at: own), isAtIndicator(UInt8(ascii: ":")) {
      position += 1
      try blockNode(site)
    } else {
      appendEmpty(at: position)
    }
  }

  /// A key and what separates it from its `:`.
  private mutating func implicitKey(column own: Int) throws(YAMLProblem) {
    let start = position
    let line = lineStart
    var properties = YAMLProperties()
    while isAtProperty {
      try property(into: &properties, inFlow: false)
      skipBlanks()
    }
    if isAtIndicator(UInt8(ascii: "-")) {
      throw problem("a sequence cannot be indented like the keys before it; indent it further")
    }
    try flowContentOrEmptyKey(parent: own, properties)
    skipBlanks()
    guard isAtIndicator(UInt8(ascii: ":")), lineStart == line, position - start <= 1024 else {
      throw YAMLProblem(
        "':' is missing after this key; add it, or indent the line as part of the value above",
        range: start..<min(max(position, start), endOfLine(from: start)))
    }
  }

  private func endOfLine(from start: Int) -> Int {
    var end = start
    while !isBreakOrEnd(at(end)) { end += 1 }
    return end
  }

  /// Whether another entry of the collection at column `own` follows.
  private mutating func isNextEntry(at own: Int) throws(YAMLProblem) -> Bool {
    let hasTab = skipGap()
    if isAtEnd || isAtAnyMarker { return false }
    guard isFirstOnLine else {
      throw problem("this cannot follow a complete value; start a line")
    }
    if hasTab { throw problem("a tab cannot indent; use spaces") }
    if column > own { throw problem("this line is indented further than the entries before it") }
    return column == own
  }
}
