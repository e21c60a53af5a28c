import PipelineJSONPaths
import PipelineJSONText
import PipelineSourceText

/// A pattern of `match` or `search` that is not an I-Regexp.
enum PatternSyntax: LintRule {
  static let explanation = Explanation("pattern-syntax", .error, PackageResources.pattern_syntax_md)

  static func check(
    _ parts: StepParts, of reader: LintContext.Reader, _ context: LintContext,
    _ found: inout [Diagnostic]
  ) {
    for (call, node) in parts.calls {
      guard let problem = call.patternProblem else { continue }
      found.append(finding(problem.message, at: node.sourceRange(ofDecoded: problem.range)))
    }
  }
}
