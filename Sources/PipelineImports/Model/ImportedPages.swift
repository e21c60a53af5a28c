internal import PipelineJSONText

/// How a request goes on to its further pages.
enum ImportedPages: Sendable, Hashable {
  /// What tells the last page.
  enum End: Sendable, Hashable {
    /// A list that is empty or short there.
    case items(String)
    /// The number of all pages or records.
    case count(ImportedSource)
  }

  /// A parameter sends what the page before has.
  case cursor(parameter: String, ImportedSource)
  /// The page before has the URL: in its `Link` header, with this relation, or in its body.
  case link(relation: String)
  case next(ImportedSource)
  /// A parameter sends the page's number. Pages may have a known length.
  case number(parameter: String, from: Int, by: Int?, End)
  /// A parameter sends how many records to skip.
  case offset(parameter: String, by: Int, End)

  /// The parameter that the pages give, so that the request does not.
  var ownParameter: String? {
    switch self {
    case .number(let name, _, _, _), .offset(let name, _, _): name
    case .cursor, .link, .next: nil
    }
  }

  /// The value of `paginate`.
  var json: JSONValue {
    var members: [JSONValue.Member]
    switch self {
    case .cursor(let parameter, let source):
      members = [.init("cursor", source.place), .init("param", .string(parameter))]
    case .link(let relation): members = [.init("link", .string(relation))]
    case .next(let source): members = [.init("next", source.place)]
    case .number(let parameter, let from, let by, let end):
      members = [.init("page", .string(parameter))]
      if from != 1 { members.append(.init("from", JSONValue(from))) }
      members.append(Self.member(end, "pages"))
      if let by { members.append(.init("by", JSONValue(by))) }
    case .offset(let parameter, let by, let end):
      members = [
        .init("offset", .string(parameter)), .init("by", JSONValue(by)), Self.member(end, "total"),
      ]
    }
    return .object(members)
  }

  private static func member(_ end: End, _ count: String) -> JSONValue.Member {
    switch end {
    case .items(let query): .init("items", .string(query))
    case .count(let source): .init(count, source.place)
    }
  }
}

extension ImportedSource {
  /// A query, or an extractor of what is not in the body.
  var place: JSONValue {
    if case .body(let query) = self { .string(query) } else { .object(members) }
  }
}
