import PipelineByteText

extension QueryParser {
  /// `segments = *(S segment)`, of a query that begins at `start`. Appended to the segments already
  /// read.
  mutating func readSegments(
    from start: Int, into segments: inout [Segment]
  ) throws(QuerySyntaxError) {
    let outer = queryStart
    queryStart = start
    defer { queryStart = outer }
    while true {
      let mark = position
      skipBlanks()
      guard byte == UInt8(ascii: ".") || byte == UInt8(ascii: "[") else {
        position = mark
        return
      }
      guard segments.count < Self.segmentLimit else {
        throw error(
          "the query has more than \(Self.segmentLimit) segments", start..<position)
      }
      segments.append(try segment())
    }
  }

  private mutating func segment() throws(QuerySyntaxError) -> Segment {
    let start = position
    if byte == UInt8(ascii: "[") {
      let selectors = try bracketedSelection()
      return Segment(reach: .child, selectors: selectors, range: start..<position)
    }
    position += 1
    let reach: Segment.Reach = take(".") ? .descendant : .child
    if reach == .descendant, byte == UInt8(ascii: "[") {
      let selectors = try bracketedSelection()
      return Segment(reach: reach, selectors: selectors, range: start..<position)
    }
    let selector = try shorthandSelector(from: start, reach: reach)
    return Segment(reach: reach, selectors: Selectors(selector), range: start..<position)
  }

  /// `"*" / member-name-shorthand`, after the dots.
  private mutating func shorthandSelector(
    from dots: Int, reach: Segment.Reach
  ) throws(QuerySyntaxError) -> Selector {
    let start = position
    if take("*") {
      try refuseForeignEndOfName(from: start, dots: dots, reach: reach)
      return Selector(kind: .wildcard, range: start..<position)
    }
    guard let first = byte, Self.isNameFirst(first) else {
      throw foreignAfterDot(from: dots, reach: reach)
    }
    while let byte, byte.isNameByte { position += 1 }
    let name = text(start..<position)
    try refuseForeignEndOfName(from: start, dots: dots, reach: reach)
    return Selector(kind: .name(MemberName(name)), range: start..<position)
  }

  /// `"[" S selector *(S "," S selector) S "]"`
  private mutating func bracketedSelection() throws(QuerySyntaxError) -> Selectors {
    let start = position
    position += 1
    skipBlanks()
    if byte == UInt8(ascii: "]") {
      throw error(
        "the brackets are empty; write '[*]' for every child", start..<position + 1, fix: "[*]")
    }
    let first = try selector(in: start)
    var others: [Selector] = []
    while true {
      skipBlanks()
      if take("]") { return Selectors(first, others) }
      guard take(",") else { throw foreignInBrackets(from: start) }
      let comma = position - 1
      skipBlanks()
      if byte == UInt8(ascii: "]") {
        throw error("nothing follows ','; drop it", comma..<comma + 1, fix: "")
      }
      others.append(try selector(in: start))
    }
  }
}
