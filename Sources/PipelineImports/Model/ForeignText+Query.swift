internal import PipelineByteText
internal import PipelineURIs

extension ForeignText {
  /// A field of a query as it is written, encoded as far as its author did; without a value, it has
  /// no `=`.
  typealias QueryField = (name: ForeignText, value: ForeignText?)

  /// Adds fields to the query of a URL. What would end a name or a value there is encoded.
  mutating func append(query fields: [QueryField]) {
    for field in fields {
      append(.text(contains(ascii: "?") ? "&" : "?"))
      append(field.name.encoding(["&", "#", "="]))
      guard let value = field.value else { continue }
      append(.text("="))
      append(value.encoding(["&", "#"]))
    }
  }

  private func encoding(_ separators: [String]) -> ForeignText {
    mapTexts { text in
      separators.reduce(text) { $0.replacing(bytes: $1, with: URI.percentEncode($1)) }
    } ?? self
  }

  /// Whether a segment of a path is `:name`, which other tools replace.
  package static func isPathVariable(_ segment: some StringProtocol) -> Bool {
    let names = ASCIISet.letters.union(.digits).union(ASCIISet("_"))
    let name = segment.utf8.dropFirst()
    return segment.utf8.first == UInt8(ascii: ":") && !name.isEmpty
      && name.allSatisfy(names.contains) && name.first.map(ASCIISet.digits.contains) == false
  }

  /// The texts of a query that is decoded and encoded again before it is sent.
  var decodedQuery: ForeignText { mapTexts { URI.percentDecode($0) ?? $0 } ?? self }
}

extension ImportedRequest {
  /// Adds what Bruno has for the fields of the URL's query.
  ///
  /// - Parameter isEncoded: Whether they are sent as they are. Otherwise Bruno encodes them.
  mutating func add(query fields: [(name: String, value: ForeignText)], isEncoded: Bool) {
    if isEncoded {
      url.append(query: fields.map { (ForeignText(plain: $0.name), $0.value) })
    } else {
      query += fields
    }
  }
}
