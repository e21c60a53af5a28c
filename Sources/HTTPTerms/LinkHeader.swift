internal import ByteText

/// The `Link` header (RFC 8288).
package enum LinkHeader {
  /// The first target with the relation, as written.
  package static func target(of relation: String, in fields: [String]) -> String? {
    for field in fields {
      var rest = field[...]
      while let open = rest.firstIndex(of: "<"), let close = rest[open...].firstIndex(of: ">") {
        let target = rest[rest.index(after: open)..<close]
        let end = endOfLink(rest[rest.index(after: close)...])
        let parameters = rest[rest.index(after: close)..<end]
        if relations(in: parameters).contains(relation.lowercased()) { return String(target) }
        rest = rest[end...]
      }
    }
    return nil
  }

  /// Where a link's parameters end: at a comma outside of quotes.
  private static func endOfLink(_ text: Substring) -> String.Index {
    var isQuoted = false
    for index in text.indices {
      if text[index] == "\"" { isQuoted.toggle() }
      if text[index] == ",", !isQuoted { return index }
    }
    return text.endIndex
  }

  private static func relations(in parameters: Substring) -> [String] {
    for parameter in parameters.split(separator: ";") {
      let pair = parameter.split(separator: "=", maxSplits: 1)
      guard pair.count == 2, pair[0].trimmed.lowercased() == "rel" else { continue }
      let value = pair[1].trimmed.filter { $0 != "\"" }
      return value.split(separator: " ").map { $0.lowercased() }
    }
    return []
  }
}
