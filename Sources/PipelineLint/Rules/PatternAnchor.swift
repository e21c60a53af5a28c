import PipelineJSONPaths
import PipelineJSONText
import PipelineSourceText

/// A pattern of `match` that begins with `^` or ends with `$`.
enum PatternAnchor: LintRule {
  static let explanation = Explanation(
    "pattern-anchor", .warning, PackageResources.pattern_anchor_md)

  static func check(
    _ parts: StepParts, of reader: LintContext.Reader, _ context: LintContext,
    _ found: inout [Diagnostic]
  ) {
    for (call, node) in parts.calls where call.function == .match {
      guard case .literal(let literal)? = call.arguments.last,
        case .string(let text) = literal.value, let anchor = Self.anchor(of: text)
      else { continue }
      found.append(
        finding(
          "'match' compares the whole text, so '\(anchor)' has no effect; leave it out",
          at: node.sourceRange(ofDecoded: literal.range)))
    }
  }

  /// `^` at the beginning or `$` at the end, where neither is escaped.
  private static func anchor(of pattern: String) -> String? {
    if pattern.utf8.first == UInt8(ascii: "^") { return "^" }
    guard pattern.utf8.last == UInt8(ascii: "$") else { return nil }
    let backslashes = pattern.utf8.dropLast().reversed().prefix { $0 == UInt8(ascii: "\\") }
    return backslashes.count % 2 == 0 ? "$" : nil
  }
}
