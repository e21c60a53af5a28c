extension Query {
  /// The query a text says, or why it says none.
  package static func parse(
    _ text: String, in mode: Mode = .standard
  ) -> Result<Query, QuerySyntaxError> {
    Result { () throws(QuerySyntaxError) in
      var parser = QueryParser(text, mode: mode)
      return try parser.wholeQuery()
    }
  }

  /// The inside `{{…}}`: a singular query without `$.`, such as `list.rows[0]['first-name']`.
  ///
  /// Blanks around it are allowed. Ranges are offsets in `text`.
  package static func parseReference(_ text: String) -> Result<Query, QuerySyntaxError> {
    Result { () throws(QuerySyntaxError) in
      var parser = QueryParser(text, mode: .standard)
      return try parser.wholeReference()
    }
  }
}

extension QueryParser {
  /// `jsonpath-query`, and nothing around it.
  mutating func wholeQuery() throws(QuerySyntaxError) -> Query {
    guard byte == UInt8(ascii: "$") else { throw foreignStart() }
    let query = try query(isNested: false)
    guard isAtEnd else { throw foreignRest(after: query) }
    return query
  }

  /// `$` or `@` with its segments. Blanks after the last segment are not part of it.
  mutating func query(isNested: Bool) throws(QuerySyntaxError) -> Query {
    let start = position
    let anchor: Query.Anchor = byte == UInt8(ascii: "$") ? .root : .current
    position += 1
    // A nested absolute query selects the same nodes for every node a filter judges.
    let slot = isNested && anchor == .root ? newSlot() : nil
    var segments: [Segment] = []
    segments.reserveCapacity(2)
    try readSegments(from: start, into: &segments)
    let range = start..<position
    return Query(
      text: text(range), range: range, anchor: anchor, segments: segments, slot: slot)
  }
}
