import PipelineByteText
import PipelineJSONText
import PipelineSourceText
import PipelineURIs

// Which schemas there are, their base URIs, and the names that `$id` and `$anchor` give them.

extension SchemaParser {
  /// The base of relative references if no `$id` gives one (RFC 3986 §5.1.4).
  private static let defaultBase = URI.parse("schema:///")

  mutating func locateDocument() {
    guard let base = Self.defaultBase else { return }
    uris = [base]
    resources[base.description] = start
    locate(from: start, base: 0)
  }

  /// Finds all schemas at and below a tape index.
  mutating func locate(from index: Int, base: Int) {
    var pending = [(index, base)]
    while let (index, outer) = pending.popLast() {
      guard bases[index] == nil else { continue }
      let node = JSONNode(document: document, index: index)
      let base = self.base(of: node, in: outer)
      bases[index] = base
      for keyword in [Keyword.anchor, .dynamicAnchor] {
        if let value = node[keyword.rawValue] { name(index, keyword, value, base: base) }
      }
      for member in node.members {
        guard let keyword = Keyword(rawValue: member.name) else { continue }
        switch keyword.schemas {
        case .none: break
        case .one: pending.append((member.value.index, base))
        case .list: for child in member.value.elements { pending.append((child.index, base)) }
        case .map: for child in member.value.members { pending.append((child.value.index, base)) }
        }
      }
    }
  }

  /// The base URI of a schema: its `$id`, else that of the schema around it.
  private mutating func base(of node: JSONNode, in outer: Int) -> Int {
    guard let value = node[Keyword.id.rawValue] else { return outer }
    guard let text = value.string else {
      mistyped(.id, value, "a URI")
      return outer
    }
    guard var uri = uris[outer].resolving(text), uri.fragment ?? "" == "" else {
      problems.append(
        SchemaProblem(
          .value,
          "'$id' takes a URI without a fragment, but has '\(text)'; names within the document are "
            + "given by '$anchor'", at: value.range))
      return outer
    }
    uri = uri.withoutFragment
    if let first = resources[uri.description], first != node.index {
      tellDuplicate(.id, text, at: value.range)
      return outer
    }
    resources[uri.description] = node.index
    uris.append(uri)
    return uris.count - 1
  }

  /// `$anchor`, and `$dynamicAnchor` if it acts as one (§8.2.2).
  private mutating func name(_ index: Int, _ keyword: Keyword, _ value: JSONNode, base: Int) {
    guard let text = value.string, Self.isAnchor(text) else {
      return mistyped(
        keyword, value,
        "a name of letters, digits, '-', '_' and '.' that begins with a letter or '_'"
      )
    }
    let name = uris[base].description + "#" + text
    if let first = anchors[name], first != index {
      return tellDuplicate(keyword, text, at: value.range)
    }
    anchors[name] = index
  }

  private mutating func tellDuplicate(_ keyword: Keyword, _ text: String, at range: Range<Int>) {
    problems.append(
      SchemaProblem(
        .reference, "two schemas have the '\(keyword.rawValue)' '\(text)'; rename one of the two",
        at: range))
  }

  private static func isAnchor(_ text: String) -> Bool {
    guard let first = text.utf8.first else { return false }
    let start = ASCIISet.letters.union(ASCIISet("_"))
    let rest = start.union(ASCIISet.digits).union(ASCIISet("-."))
    return start.contains(first) && text.utf8.allSatisfy { rest.contains($0) }
  }
}

extension URI {
  /// The same without `#` and the rest.
  var withoutFragment: URI {
    guard fragment != nil else { return self }
    let text = description
    return URI.parse(String(text.prefix(before: "#"))) ?? self
  }
}
