import JSONPaths
import JSONText
import SourceText

/// A pattern that begins with `^` or ends with `$`, which stand for themselves.
enum PatternAnchor: FunctionCallRule {
  static let explanation = Explanation(
    "pattern-anchor", .warning,
    what: "A pattern begins with `^` or ends with `$`, as if these marked its ends.",
    why: """
      In RFC 9485, the patterns of JSONPath, `^` and `$` are characters like any other, so the pattern \
      looks for them in the text. `match` compares the whole text as it is: leave them out. `search` \
      finds a pattern anywhere; for the beginning or end of a text write `match` with `.*`. Where the \
      character is meant, write `[$]` or `\\^`.
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

  static func check(_ step: LintStep, _ context: LintContext, _ found: inout [Diagnostic]) {
    judge(all: step.parts.calls, &found)
    for extractor in step.request?.extract ?? [] {
      guard case .regex(let pattern) = extractor.source,
        let anchor = Self.anchor(of: pattern.node.string ?? "")
      else { continue }
      found.append(
        finding(
          "'\(anchor)' stands for itself in a pattern, which may lie anywhere in the text; "
            + "leave it out", at: pattern.range))
    }
  }

  static func judge(_ call: FunctionCall, in node: JSONNode) -> Diagnostic? {
    guard call.function == .match || call.function == .search,
      case .literal(let literal)? = call.arguments.last, case .string(let text) = literal.value,
      let anchor = Self.anchor(of: text)
    else { return nil }
    let wayOut =
      call.function == .match
      ? "'match' compares the whole text; leave it out"
      : "for the \(anchor == "^" ? "beginning" : "end") of the text write 'match' and '.*'"
    return finding(
      "'\(anchor)' stands for itself in a pattern; \(wayOut)",
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
