import PipelineByteText

// `{{reference}}`: language.md §4.

extension QueryParser {
  /// A template in a literal's place, at its first brace.
  mutating func binding() throws(QuerySyntaxError) -> Binding {
    let start = position
    guard mode == .template else {
      throw error("this query must not contain a template", start..<start + 2)
    }
    position += 2
    if byte == UInt8(ascii: "+") {
      throw error(
        "'{{+…}}' is for URL paths; drop the '+'", position..<position + 1, fix: "")
    }
    let reference = try reference()
    skipBlanks()
    guard starts(with: "}}") else {
      if isAtEnd { throw error("'{{' is not closed by '}}'", start..<start + 2) }
      throw foreignInReference(reference)
    }
    position += 2
    return Binding(query: reference, range: start..<position, slot: newSlot())
  }

  /// The inside a template, and nothing around it but blanks.
  mutating func wholeReference() throws(QuerySyntaxError) -> Query {
    let query = try reference()
    skipBlanks()
    guard isAtEnd else { throw foreignInReference(query) }
    return query
  }

  /// A name, then segments that select one node.
  private mutating func reference() throws(QuerySyntaxError) -> Query {
    let outer = isInExpression
    isInExpression = false
    isInReference = true
    defer {
      isInExpression = outer
      isInReference = false
    }
    skipBlanks()
    let start = position
    try refuseForeignReference()
    while let byte, Self.isReferenceNameByte(byte) { position += 1 }
    try refuseForeignEndOfReferenceName(start)
    let name = Selector(kind: .name(MemberName(text(start..<position))), range: start..<position)
    var segments: [Segment] = []
    segments.reserveCapacity(2)
    segments.append(Segment(reach: .child, selectors: Selectors(name), range: start..<position))
    try readSegments(from: start, into: &segments)
    if let index = segments.indices.first(where: { !segments[$0].isSingular }) {
      let many = segments[index]
      throw error(
        "\(quoted(many.range)) selects many and a template inserts one value"
          + wayOut(ofMany: many, from: start), many.range,
        fix: text(many.range) == "[*]" ? "[0]" : nil, isGuess: true)
    }
    let range = start..<position
    return Query(text: text(range), range: range, anchor: .root, segments: segments, slot: nil)
  }

  /// A scope's names are `[A-Za-z_][A-Za-z0-9_]*`.
  private static func isReferenceNameByte(_ byte: UInt8) -> Bool {
    byte.isWordByte
  }

  private func wayOut(ofMany segment: Segment, from start: Int) -> String {
    guard segment.reach == .child, segment.selectors.count == 1 else { return "" }
    switch segment.selectors.first.kind {
    case .wildcard:
      return
        "; write an index such as '[0]', or for all of them the query '$.\(text(start..<position))'"
    case .slice: return "; write an index"
    case .filter: return "; select it with a query, in 'extract' or 'values'"
    case .name, .index, .key: return ""
    }
  }
}
