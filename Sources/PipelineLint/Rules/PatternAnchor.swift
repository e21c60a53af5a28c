import PipelineJSONPaths
import PipelineJSONText
import PipelineSourceText

/// A pattern of `match` that begins with `^` or ends with `$`.
enum PatternAnchor: FunctionCallRule {
  static let explanation = Explanation(
    "pattern-anchor", .warning,
    what: "A pattern of `match` begins with `^` or ends with `$`.",
    why: """
      `^` and `$` are the beginning and the end of the text. `match` compares the whole text \
      anyway, so they have no effect there. They do in `search` and `regex`, which look for a part \
      of the text. To match the character itself, write `\\^` or `[$]`.
      """,
    bad: """
      {
        "steps": [
          {
            "id": "list",
            "endpoint": "GET https://api.example.com/orders",
            "extract": { "ids": "$.orders[?match(@.number, '^A[0-9]+$')].id" }
          }
        ],
        "outputs": { "ids": "{{list.ids}}" }
      }
      """,
    good: """
      {
        "steps": [
          {
            "id": "list",
            "endpoint": "GET https://api.example.com/orders",
            "extract": { "ids": "$.orders[?match(@.number, 'A[0-9]+')].id" }
          }
        ],
        "outputs": { "ids": "{{list.ids}}" }
      }
      """)

  static func judge(_ call: FunctionCall, in node: JSONNode) -> Diagnostic? {
    guard call.function == .match, case .literal(let literal)? = call.arguments.last,
      case .string(let text) = literal.value, let anchor = Self.anchor(of: text)
    else { return nil }
    return finding(
      "'match' compares the whole text, so '\(anchor)' has no effect; leave it out",
      at: node.sourceRange(ofDecoded: literal.range))
  }

  /// `^` at the beginning or `$` at the end, where neither is escaped.
  private static func anchor(of pattern: String) -> String? {
    if pattern.utf8.first == UInt8(ascii: "^") { return "^" }
    guard pattern.utf8.last == UInt8(ascii: "$") else { return nil }
    let backslashes = pattern.utf8.dropLast().reversed().prefix { $0 == UInt8(ascii: "\\") }
    return backslashes.count % 2 == 0 ? "$" : nil
  }
}
