import PipelineByteText
import PipelineJSONText
import PipelineHTTPTerms
import PipelineSourceText
import PipelineURIs

/// The target of the `Link` header's relation (RFC 8288) is the next page.
struct LinkPages: PageForm {
  static let lead = "link"
  static let setsParameter = false
  static let elsewhere = ForeignPages(types: "link header linkheader", usual: #""next""#)
  let relation: String
  let parameter: String? = nil
  let sources: [PageSource] = []
  let carried: [PageValue] = []
  let numbering: PageNumbering? = nil

  init?(_ keys: inout Keys) {
    let relation = keys.required(
      Self.lead, RelationType(),
      "The relation of the `Link` header that leads to the next page (RFC 8288).",
      example: #""next""#, foreign: ["rel header linkHeader headerLink"])
    guard let relation else { return nil }
    self.relation = relation
  }

  var planText: String { "by the Link header's '\(relation)'" }

  func move(after answer: PageAnswer) -> PageMove {
    let target = LinkHeader.target(
      of: relation, in: answer.header("link"), whereAnchor: { Self.names($0, answer.url) })
    return target.map { .url($0) } ?? .last
  }

  /// Whether an anchor of a link, relative to `url`, is `url` itself.
  private static func names(_ anchor: String, _ url: String) -> Bool {
    guard let own = URI.parse(url), let other = own.resolving(anchor) else { return false }
    return other == own
  }
}

/// A relation of a `Link` header.
private struct RelationType: ValueType {
  private static let text = TextType { node in
    Proposal(
      "; write the relation, \"next\"",
      fix: node.boolean == true ? .replacing(node.range, with: "\"next\"", isSafe: false) : nil)
  }

  var description: LanguageType { Self.text.description }

  func read(_ node: JSONNode, _ name: String, _ decoder: inout WorkflowDecoder) -> String? {
    guard let relation = Self.text.read(node, name, &decoder) else { return nil }
    guard relation.hasPrefix(bytes: "$") else { return relation }
    decoder.incomplete.insert(node.index)
    decoder.report(
      .invalidValue,
      "'\(name)' takes a relation of the Link header, such as \"next\"; for a URL in the body write"
        + " \"next\": \(node.text)", at: node.range)
    return nil
  }
}
