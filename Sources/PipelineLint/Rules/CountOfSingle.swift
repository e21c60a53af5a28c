import PipelineJSONPaths
import PipelineJSONText
import PipelineSourceText

/// `count(…)` of a query that selects at most one node.
enum CountOfSingle: LintRule {
  static let explanation = Explanation("count-of-one", .warning, PackageResources.count_of_one_md)

  static func check(
    _ parts: StepParts, of reader: LintContext.Reader, _ context: LintContext,
    _ found: inout [Diagnostic]
  ) {
    for (call, node) in parts.calls {
      guard call.function == .count, case .query(let query)? = call.arguments.first,
        query.isSingular
      else { continue }
      let end = node.sourceRange(ofDecoded: query.range.upperBound..<query.range.upperBound)
      found.append(
        finding(
          "'\(query.text)' selects at most one node, so its count is 1 or 0; "
            + "write count(\(query.text)[*]) for its elements",
          at: node.sourceRange(ofDecoded: call.range),
          fix: DiagnosticFix(
            message: "count the elements",
            edits: [DiagnosticFix.Edit(range: end, replacement: "[*]")],
            isSafe: false)))
    }
  }
}
